import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import type { AuthTables } from "#features/auth/auth.schema.ts";
import { describeApps } from "#testkit/suite.ts";
import { listScheduled, runScheduled } from "./scheduler.contract.ts";

const job = "notices.purge";

describeApps("schedules", (get) => {
  test("are listed with cron expression, next run and outcomes of the last runs", async () => {
    const { app, world } = get();
    const admin = await world.actor({ groups: ["admin"] });
    const { output } = await app.call(listScheduled, {}, { cookie: admin.cookie });
    const found = output.jobs.find(({ id }) => id === job);
    expect(found?.schedule).toBe("41 4 * * *");
    expect(found?.next).toBeGreaterThan(Date.now());
    expect(output.jobs.length).toBeGreaterThan(2);
  });

  test("run once on request, immediately, with an audit entry; a second request meanwhile is refused", async () => {
    const { app, world } = get();
    const admin = await world.actor({ groups: ["admin"] });
    const { cookie } = admin;
    const runs = async () => (await app.call(listScheduled, {}, { cookie })).output.jobs.find(({ id }) => id === job)?.runs ?? [];
    const before = (await runs()).length;
    const startedAt = performance.now();
    const answers = await Promise.all([1, 2].map(async () => await app.call(runScheduled, { params: { job } }, { cookie })));
    const codes = answers.map(({ status }) => status).sort();
    expect([
      [204, 204],
      [204, 409],
    ]).toContainEqual(codes);
    const wanted = codes.filter((code) => code === 204).length;
    const done = async () => (await runs()).filter(({ outcome }) => outcome === "done").length;
    await expect.poll(done).toBeGreaterThanOrEqual(wanted);
    expect((await runs()).length).toBeLessThanOrEqual(before + wanted + 1);
    // Long before its own time, which is checked every minute.
    expect(performance.now() - startedAt).toBeLessThan(15_000);
    const { rows } = await app.process.container.db.exclusive(
      "test",
      async ({ connection }) =>
        await connection.execute("select actor_name from audit_entries where action = 'scheduler.run' and actor_name = ?", [
          admin.username,
        ]),
    );
    expect(rows.length).toBe(wanted);
  });

  test("name what they remove, after how long, what decides that, and how much was removed", async () => {
    const { app, world } = get();
    const { cookie } = await world.actor({ groups: ["admin"] });
    const list = async () => (await app.call(listScheduled, {}, { cookie })).output.jobs;
    const days = 86_400_000;
    const jobs = new Map((await list()).map(({ id, kept }) => [id, kept]));
    expect(jobs.get("audit.retention")?.[0]).toEqual({ kind: "entries", keptMs: 90 * days, by: "audit.retentionDays" });
    expect(jobs.get("notices.purge")).toEqual([{ kind: "notices", keptMs: 30 * days, by: null }]);
    expect(jobs.get("files.sweep")).toEqual([]);
    const failure = { subject: "scheduler.test", failures: 1, last_at: 0, blocked_until: 0 };
    await app.process.container.db.write(
      "test.fill",
      async (tx) => void (await queries<AuthTables>(tx).insertInto("auth_failures").values(failure).execute()),
    );
    expect((await app.call(runScheduled, { params: { job: "auth.cleanUp" } }, { cookie })).status).toBe(204);
    const run = async () => (await list()).find(({ id }) => id === "auth.cleanUp")?.runs[0];
    await expect.poll(async () => (await run())?.outcome).toBe("done");
    expect((await run())?.removed).toEqual([
      { kind: "sessions", count: 0 },
      { kind: "failures", count: 1 },
      { kind: "addresses", count: 0 },
      { kind: "agents", count: 0 },
    ]);
  });

  test("that do not exist are answered with 404", async () => {
    const { app, world } = get();
    const { cookie } = await world.actor({ groups: ["admin"] });
    const answer = await app.call(runScheduled, { params: { job: "nothing.here" } }, { cookie });
    expect([answer.status, answer.body.code]).toEqual([404, "scheduler.jobUnknown"]);
  });
});
