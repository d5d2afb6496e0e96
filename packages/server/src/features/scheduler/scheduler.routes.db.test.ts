import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import type { AuthTables } from "#features/auth/auth.schema.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TaskTables } from "#infra/tasks/tasks.schema.ts";
import { type EndedRun, schedulerApi } from "./scheduler.api.ts";
import { discardTask, listDeadTasks, listScheduled, resendTask, runScheduled, scheduleDurations } from "./scheduler.contract.ts";

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

  test("that failed for good are listed, found by the doctor, tried again and discarded, with audit entries", async () => {
    const { app, world } = get();
    const { cookie, username } = await world.actor({ groups: ["admin"] });
    const { db } = app.process.container;
    const names = ["first", "second"];
    await db.write("test.dead", async (tx) => {
      const at = Date.now();
      const common = {
        kind: "people.call",
        role: "bot",
        lane: "network",
        attempts: 3,
        enqueued_at: at,
        died_at: at,
        payload: "{}",
      };
      for (const [i, name] of names.entries())
        await queries<TaskTables>(tx)
          .insertInto("worker_tasks_dead")
          .values({ ...common, task_id: `${name}${at}`, error: `no answer ${i}` })
          .execute();
    });
    const list = async () => (await app.call(listDeadTasks, { query: {} }, { cookie })).output;
    const before = await list();
    expect(before.items.slice(0, 2).map(({ kind, error }) => [kind, error])).toEqual([
      ["people.call", "no answer 1"],
      ["people.call", "no answer 0"],
    ]);
    const [second, first] = before.items;
    const found = app.process.assembly.registry.parts("checks").find(({ id }) => id === "scheduler.deadTasks");
    expect(await found?.run()).toMatchObject([{ state: "warning", params: { total: before.total, error: "no answer 1" } }]);

    const end = async (operation: typeof resendTask | typeof discardTask, id: number) =>
      (await app.call(operation, { params: { id } }, { cookie })).status;
    expect(await end(resendTask, first!.id)).toBe(204);
    expect(await end(discardTask, second!.id)).toBe(204);
    expect([await end(resendTask, first!.id), await end(discardTask, second!.id)]).toEqual([404, 404]);
    expect((await list()).total).toBe(before.total - 2);
    const rows = async (statement: string) =>
      await db.exclusive("test", async ({ connection }) => (await connection.execute(statement, [])).rows);
    expect(await rows(`select attempts, state from worker_tasks where task_id = '${first!.taskId}'`)).toEqual([
      { attempts: 0, state: "waiting" },
    ]);
    const entries = await rows(
      `select action from audit_entries where actor_name = '${username}' and action like 'scheduler.%Task' order by id`,
    );
    expect(entries.map(({ action }) => action)).toEqual(["scheduler.resendTask", "scheduler.discardTask"]);
    // No worker of this version knows the kind, so it waits until somebody looks.
    await rows(`update worker_tasks set due_at = due_at - 600000 where task_id = '${first!.taskId}'`);
    const late = (await found?.run())?.find(({ id }) => id === "scheduler.lateTasks");
    expect(late).toMatchObject({ state: "warning", params: { count: 1, kinds: "people.call" } });
    await rows(`delete from worker_tasks where task_id = '${first!.taskId}'`);
  });
});

describeApps("the durations of a schedule", (get) => {
  const hour = 3_600_000;
  const read = async (id: string) => {
    const { app, world } = get();
    const { cookie } = await world.actor({ groups: ["admin"] });
    return await app.call(scheduleDurations, { params: { job: id } }, { cookie });
  };

  test("hold each run as it ends", async () => {
    const { app, world } = get();
    const { cookie } = await world.actor({ groups: ["admin"] });
    const chosen = "auth.cleanUp";
    const runs = async () => (await read(chosen)).output.points.reduce((sum, one) => sum + one.runs, 0);
    const before = await runs();
    await app.call(runScheduled, { params: { job: chosen } }, { cookie });
    await expect.poll(runs).toBe(before + 1);
    const last = (await read(chosen)).output.points.at(-1)!;
    expect(last.failed).toBe(0);
    expect(last.meanMs).toBeGreaterThanOrEqual(0);
    expect(last.longestMs).toBeGreaterThanOrEqual(last.meanMs ?? 0);
  });

  test("put the runs of an hour together, count failures, know nothing of a lost worker, and end after 30 days", async () => {
    const { app } = get();
    const id = "notices.purge";
    const now = Date.now();
    const start = now - 48 * hour - (now % hour);
    const run = (at: number, ms: number | null, outcome: EndedRun["outcome"]): EndedRun => ({
      schedule: id,
      startedAt: at,
      finishedAt: ms === null ? null : at + ms,
      outcome,
    });
    const ended = [
      run(start + 1000, 100, "done"),
      run(start + 2000, 300, "failed"),
      run(start + 3000, 501, "stopped"),
      run(start + hour, null, "lost"),
      // The clock of the machine was set back meanwhile.
      run(start + 2 * hour, -5000, "done"),
      run(now - 31 * 24 * hour, 9999, "done"),
    ];
    const history = app.process.assembly.api(schedulerApi);
    await app.process.container.db.write("test.runs", async (tx) => {
      for (const one of ended) await history.recordRun(tx, one);
      await history.recordRun(tx, { ...ended[0]!, schedule: "files.sweep" });
    });
    const { from, to, points } = (await read(id)).output;
    expect(to - from).toBe(30 * 24 * hour);
    expect(points.filter(({ at }) => at >= start && at < start + 3 * hour)).toEqual([
      { at: start + 1000, runs: 3, failed: 1, meanMs: 300, longestMs: 501 },
      { at: start + hour, runs: 1, failed: 1, meanMs: null, longestMs: null },
      { at: start + 2 * hour, runs: 1, failed: 0, meanMs: 0, longestMs: 0 },
    ]);
    expect(points.every(({ at }) => at >= from)).toBe(true);
  });

  test("of a schedule that does not exist are answered with 404", async () => {
    const answer = await read("nothing.here");
    expect([answer.status, answer.body.code]).toEqual([404, "scheduler.jobUnknown"]);
  });
});
