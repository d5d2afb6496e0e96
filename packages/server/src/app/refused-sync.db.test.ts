import { expect, test } from "vitest";
import { syncLicences } from "#features/licences/licences.contract.ts";
import { syncStatus } from "#features/sync/sync.contract.ts";
import { describeApps } from "#testkit/suite.ts";

describeApps("refused calls of the Sync API", (get) => {
  const licences = { body: { items: [{ type: "weapon", label: "Weapon" }] } };
  const refused = async (address: string, token = "not-one-of-the-tokens") =>
    await get().app.call(syncLicences, licences, { token, address });
  const entries = async () =>
    (
      await get().app.process.container.db.exclusive(
        "test.entries",
        async ({ connection }) =>
          await connection.execute(
            "select address, folded, result, actor_kind, trace_id, data from audit_entries where action = 'sync.refuse' order by id",
            [],
          ),
      )
    ).rows;

  test("are in the audit log, those of one network and minute as one entry; a flood from many networks is a few entries", async () => {
    const { status, headers } = await refused("203.0.113.9");
    expect(status).toBe(401);
    const [first, ...others] = await entries();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ address: "203.0.113.9", folded: 1, result: "denied", actor_kind: "anonymous" });
    expect(first).toMatchObject({ trace_id: headers["x-trace-id"] });
    expect(JSON.parse(String(first?.["data"]))).toMatchObject({ info: { why: "syncTokenInvalid", operation: "licences.sync" } });

    await refused("203.0.113.9", "another-guess");
    await get().app.call(syncStatus, {}, { address: "203.0.113.9" });
    expect(await entries()).toHaveLength(2);
    for (let i = 0; i < 150; i += 1) await refused(`10.${i}.1.1`);
    const all = await entries();
    expect(all).toHaveLength(21);
    expect(all.at(-1)).toMatchObject({ address: null, folded: 1 });
  });
});
