import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { features } from "#app/features.ts";
import { auditHistory } from "#features/audit/audit.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import { login, ownAccount } from "./auth.contract.ts";

describeApps("failed sign-ins of unknown callers", (get) => {
  const attempt = async (username: string, address: string, password = "a guess") =>
    await get().app.call(login, { body: { username, password } }, { address });
  const run = async (statement: string, values: unknown[] = []) =>
    await get().app.process.container.db.exclusive(
      "test",
      async ({ connection }) => (await connection.execute(statement, values)).rows,
    );
  const tables = features.flatMap((feature) => feature.tables ?? []);
  const rows = async () => {
    let sum = 0;
    for (const { name } of tables) sum += await get().count(name);
    return sum;
  };
  const typed = () => `typed${randomBytes(6).toString("hex")}`;
  const statuses = async (count: number, one: (i: number) => Promise<{ status: number }>) => {
    const found: number[] = [];
    for (let i = 0; i < count; i += 1) found.push((await one(i)).status);
    return found;
  };

  test(
    "400 names from as many networks store a limited number of rows, and nothing of what was typed",
    { timeout: 120_000 },
    async () => {
      const before = await rows();
      const network = (i: number) => (i % 2 === 0 ? `11.${i >> 8}.${i % 256}.1` : `2001:db8:${i.toString(16)}::1`);
      const found = await statuses(400, async (i) => await attempt(typed(), network(i)));
      expect(new Set(found)).toEqual(new Set([401]));
      expect((await rows()) - before).toBeLessThan(40);
      for (const table of ["audit_entries", "audit_words", "audit_suffixes", "auth_failures", "outbox_events"]) {
        expect([table, JSON.stringify(await run(`select * from ${table}`)).includes("typed")]).toEqual([table, false]);
      }
    },
  );

  test("a number as the name is not an account id: the history of that account stays as it is", async () => {
    const { app, world } = get();
    const admin = await world.actor({ groups: ["admin"] });
    const { id } = (await app.call(ownAccount, {}, { cookie: admin.cookie })).output.account;
    const history = async () => {
      const input = { params: { kind: "account" as const, id: String(id) }, query: { limit: 50 } };
      return (await app.call(auditHistory, input, { cookie: admin.cookie })).output.items;
    };
    const before = (await history()).length;
    expect((await attempt(String(id), "12.1.1.1")).status).toBe(401);
    expect(await run("select id from audit_entries where result = 'denied' and object_id = ?", [String(id)])).toEqual([]);
    expect(await history()).toHaveLength(before);
    expect((await attempt(admin.username, "12.1.1.1")).status).toBe(401);
    expect((await history())[0]).toMatchObject({ action: "auth.login", result: "denied", info: { why: "wrong password" } });
    expect(await history()).toHaveLength(before + 1);
  });

  test("a name that no account has is throttled like any other", async () => {
    const { world } = get();
    const [actor, unknown] = [await world.actor(), typed()];
    for (const name of [actor.username, unknown]) {
      expect((await statuses(8, async () => await attempt(name, `13.1.1.${name.length}`))).slice(5)).toEqual([401, 429, 429]);
    }
  });

  test("wider networks have a limit beside those of their parts: an IPv6 /48 and an IPv4 /24", { timeout: 60_000 }, async () => {
    const wide = [(i: number) => `2001:db9:1:${i.toString(16)}::1`, (i: number) => `14.1.1.${i}`];
    for (const address of wide) {
      const found = await statuses(110, async (i) => await attempt(typed(), address(i)));
      expect([found.indexOf(429), new Set(found.slice(101))]).toEqual([101, new Set([429])]);
    }
    expect((await attempt(typed(), "14.1.2.1")).status).toBe(401);
    expect((await attempt(typed(), "2001:db9:2::1")).status).toBe(401);
    const actor = await get().world.actor();
    expect((await attempt(actor.username, "14.1.1.200", actor.password)).status).toBe(429);
  });
});
