import { expect, it } from "vitest";
import { queries } from "#core/db/index.ts";
import { describeApps } from "#testkit/suite.ts";
import type { AuthTables } from "./auth.schema.ts";

const dayMs = 86_400_000;

describeApps("stored data of sign-ins", (get) => {
  it("is pruned in chunks until all old rows are deleted, and no others", async () => {
    const { app } = get();
    const { db, clock } = app.process.container.ports;
    const now = clock.now();
    const ages = [...Array.from({ length: 620 }, () => 400), 300, 2, 0];
    await db.write("test.fill", async (tx) => {
      const q = queries<AuthTables>(tx);
      const at = ages.map((days, n) => ({ n, last_at: now - days * dayMs }));
      await q
        .insertInto("auth_addresses")
        .values(at.map(({ n, last_at }) => ({ account_id: 900_000, address: `a${n}`, last_at })))
        .execute();
      await q
        .insertInto("auth_agents")
        .values(at.map(({ n, last_at }) => ({ account_id: 900_000, agent_hash: `h${n}`, last_at })))
        .execute();
      await q
        .insertInto("auth_failures")
        .values(at.map(({ n, last_at }) => ({ subject: `retention:${n}`, failures: 1, last_at, blocked_until: 0 })))
        .execute();
    });
    const schedule = app.process.assembly.schedules.find((one) => one.schedule.id === "auth.cleanUp")!;
    await schedule.run({}, new AbortController().signal);
    const left = await db.read("test.left", async (tx) => {
      const q = queries<AuthTables>(tx);
      return {
        addresses: (await q.selectFrom("auth_addresses").select("address").where("account_id", "=", 900_000).execute()).map(
          (row) => row.address,
        ),
        agents: (await q.selectFrom("auth_agents").select("agent_hash").where("account_id", "=", 900_000).execute()).map(
          (row) => row.agent_hash,
        ),
        failures: (await q.selectFrom("auth_failures").select("subject").where("subject", "like", "retention:%").execute()).map(
          (row) => row.subject,
        ),
      };
    });
    expect({ addresses: left.addresses.toSorted(), agents: left.agents.toSorted(), failures: left.failures }).toEqual({
      addresses: ["a620", "a621", "a622"],
      agents: ["h620", "h621", "h622"],
      failures: ["retention:622"],
    });
  });
});
