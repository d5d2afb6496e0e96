import { expect, test } from "vitest";
import { accountsPurged } from "#features/accounts/accounts.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { draftLimits, getDraft, putDraft, removeDraft } from "./drafts.contract.ts";

const form = "notice.12";
const body = { baseVersion: 3, value: { title: "Radio check" }, device: "desk" };

describeApps("drafts", (get) => {
  const read = async ({ cookie }: TestActor, query = {}, key = form) =>
    (await get().app.call(getDraft, { params: { form: key }, query }, { cookie })).output.draft;
  const put = async (actor: TestActor, given: Partial<typeof body> = {}, query = {}, key = form) =>
    await get().app.call(putDraft, { params: { form: key }, query, body: { ...body, ...given } }, actor);

  async function sql(statement: string, values: (string | number)[] = []) {
    const { db } = get().app.process.container;
    return (await db.exclusive("test.sql", async ({ connection }) => await connection.execute(statement, values))).rows;
  }
  const accountOf = async ({ username }: TestActor) =>
    Number((await sql("select id from accounts where username = ?", [username]))[0]?.["id"]);

  test("are kept with their base version, replaced by the last write, and seen by nobody else", async () => {
    const { world } = get();
    const [mine, other] = [await world.actor(), await world.actor()];
    expect(await read(mine)).toBeNull();
    const { savedAt } = (await put(mine)).output;
    expect(await read(mine)).toEqual({ ...body, savedAt });
    const again = await put(mine, { baseVersion: 4, device: "phone" });
    expect(await read(mine)).toEqual({ ...body, baseVersion: 4, device: "phone", savedAt: again.output.savedAt });
    expect(await read(other)).toBeNull();
    await get().app.call(removeDraft, { params: { form }, query: {} }, other);
    expect(await read(mine)).not.toBeNull();
    await get().app.call(removeDraft, { params: { form }, query: {} }, mine);
    expect(await read(mine)).toBeNull();
  });

  test("of a character are kept apart, and only for a character of the account", async () => {
    const { app, world } = get();
    const [mine, other] = [await world.actor(), await world.actor()];
    const query = { characterId: mine.characterId };
    await put(mine, {}, query);
    expect(await read(mine)).toBeNull();
    expect(await read(mine, query)).toMatchObject(body);
    for (const operation of [getDraft, removeDraft])
      expect((await app.call(operation, { params: { form }, query }, other)).status).toBe(404);
    expect((await put(other, {}, query)).status).toBe(404);
  });

  test("may not be larger than the limit", async () => {
    const { world } = get();
    const mine = await world.actor();
    const refused = await put(mine, { value: { title: "ä".repeat(draftLimits.bytes / 2) } });
    expect(refused.body).toMatchObject({ status: 413, code: "drafts.tooLarge", params: { most: 64 } });
    expect(await read(mine)).toBeNull();
  });

  test("beyond the number of an account push out the oldest of that account", async () => {
    const { world } = get();
    const [mine, other] = [await world.actor(), await world.actor()];
    await put(other);
    await put(mine);
    const account = await accountOf(mine);
    await sql("update drafts set saved_at = saved_at - 1000 where account_id = ?", [account]);
    const one = "insert into drafts (account_id, character_id, form, base_version, value, device, saved_at) values ";
    const rows = Array.from(
      { length: draftLimits.account - 1 },
      (_row, n) => `(${account}, 0, 'f${n}', 0, '{}', 'd', 9000000000000)`,
    );
    await sql(one + rows.join(", "));
    await put(mine, { baseVersion: 5 });
    expect(await read(mine)).not.toBeNull();
    await sql("update drafts set saved_at = 1 where account_id = ? and form = ?", [account, "f0"]);
    await put(mine, {}, {}, "one.more");
    const kept = await sql("select form from drafts where account_id = ?", [account]);
    expect(kept).toHaveLength(draftLimits.account);
    expect(kept.map((row) => row["form"])).not.toContain("f0");
    expect(await read(mine, {}, "one.more")).not.toBeNull();
    expect(await read(other)).not.toBeNull();
  });

  test("leave no trace in the audit log", async () => {
    const { world } = get();
    const mine = await world.actor();
    await put(mine, { value: { title: "a secret that nobody was told" } });
    expect(await sql("select id from audit_entries where action like 'drafts.%'")).toEqual([]);
  });

  test("end after 30 days", async () => {
    const { app, world } = get();
    const [old, fresh] = [await world.actor(), await world.actor()];
    await put(old);
    await put(fresh);
    await sql("update drafts set saved_at = saved_at - ? where account_id = ?", [
      draftLimits.keptMs + 60_000,
      await accountOf(old),
    ]);
    expect(await read(old)).toBeNull();
    await app.process.assembly.retain("drafts.purge", { kind: "system", name: "test" });
    expect(await sql("select form from drafts where account_id = ?", [await accountOf(old)])).toEqual([]);
    expect(await read(fresh)).not.toBeNull();
  });

  test("of a purged account are deleted, and those of others stay", async () => {
    const { app, world } = get();
    const [mine, other] = [await world.actor(), await world.actor()];
    await put(mine);
    await put(other);
    const accountIds = [await accountOf(mine)];
    await app.process.container.db.write("test.purge", async (tx) => {
      await app.process.container.ports.outbox.emit(tx, accountsPurged, { key: "x", version: 1, payload: { accountIds } });
    });
    await expect.poll(async () => await read(mine)).toBeNull();
    expect(await read(other)).not.toBeNull();
  });
});
