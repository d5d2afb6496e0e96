import { Type } from "typebox";
import { afterEach, describe, expect, it } from "vitest";
import { defineSchedule } from "#core/contract/index.ts";
import type { ScheduleHandler } from "#core/feature.ts";
import { queries } from "#core/db/index.ts";
import { createLeases } from "#infra/coordination/leases.ts";
import { describeDatabases } from "#testkit/database.ts";
import { watchDatabase, type WatchedDatabase } from "#testkit/idle.ts";
import { noMetrics, recordingLog } from "#testkit/silence.ts";
import { Collector } from "../broker/broker.testkit.ts";
import { checkPayload, TaskQueue, TaskRunner } from "#infra/tasks/index.ts";
import { createSchedules, ScheduleRunner } from "./index.ts";
import type { ScheduleRunnerOptions } from "./runner.ts";
import type { ScheduleTables } from "./schedules.schema.ts";
import { newestRuns } from "./runs.ts";

const hour = 3_600_000;
const day = 24 * hour;

describeDatabases("schedule runner", (get) => {
  interface Worker {
    readonly log: ReturnType<typeof recordingLog>;
    readonly reported: string[];
    close(): Promise<void>;
  }
  const open: Worker[] = [];
  let watched: WatchedDatabase[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map(async (one) => await one.close()));
    watched = [];
  });

  function schedule(run: ScheduleHandler["run"], cron: string | null = "0 4 * * *"): ScheduleHandler {
    return {
      schedule: defineSchedule({ id: "people.nightly", payload: Type.Object({}), ...(cron === null ? {} : { cron }) }),
      run,
    };
  }

  function runner(schedules: readonly ScheduleHandler[], zone = "UTC"): Worker {
    const { clock, ids } = get();
    const db = watchDatabase(get().open());
    watched.push(db);
    const log = recordingLog();
    const leases = createLeases({ db, clock, ids, disableLocking: false });
    const reported: string[] = [];
    const ended: ScheduleRunnerOptions["ended"] = async (_tx, { schedule: id, startedAt, finishedAt, outcome, message }) => {
      const took = finishedAt === null ? "for an unknown time" : `for ${finishedAt - startedAt} ms`;
      reported.push(`${id} ${outcome} ${took} ${message ?? ""}`.trim());
    };
    const tasks = new TaskQueue({ db, ids, check: checkPayload });
    const metrics = noMetrics;
    const planned = new ScheduleRunner({ db, leases, tasks, clock, ids, log, metrics, schedules, zone, ended });
    const worker = new TaskRunner({ db, clock, ids, log, metrics, roles: ["worker"], handlers: planned.handlers });
    tasks.onDue(() => worker.nudge());
    worker.start();
    planned.start();
    const close = async () => {
      await planned.close();
      await worker.close();
    };
    const made = { log, reported, close };
    open.push(made);
    return made;
  }

  const runs = () =>
    get().db.read("test.runs", (tx) =>
      queries<ScheduleTables>(tx)
        .selectFrom("job_runs")
        .select(["outcome", "started_at", "finished_at", "message"])
        .orderBy("id")
        .execute(),
    );
  const outcomes = async () => (await runs()).map((r) => r.outcome);

  /** Waits without advancing the clock: SQL answers in real time. */
  async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
    while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
  }
  const seen = async () => await until(async () => (await outcomes()).length > 0);
  const settle = async () => void (await Promise.all(watched.map(async (db) => await db.idle())));
  /** Advances the test clock, and lets SQL answer after each step. */
  async function advance(ms: number, step = hour / 2): Promise<void> {
    for (let left = ms; left > 0; left -= step) {
      await settle();
      await get().clock.advance(Math.min(left, step));
    }
    await settle();
  }
  /** Milliseconds until it is `oclock` UTC; the test clock continues from test to test. */
  function untilClock(oclock: number): number {
    const now = get().clock.now();
    return (oclock * hour - (now % day) + day) % day || day;
  }
  /** Advances in large steps until two minutes before, then in steps that a lease survives. */
  async function reach(wait: number, condition: () => boolean): Promise<void> {
    if (wait > 120_000) await advance(wait - 120_000);
    while (!condition()) await advance(2000, 2000);
  }
  const untilFullHour = () => hour - (get().clock.now() % hour);

  it("runs a schedule at its time in the zone of the DSN, and not before", async () => {
    const { clock } = get();
    const at = new Collector<number>();
    runner([schedule(async () => at.add(clock.now()))], "Europe/Berlin");
    await seen();
    // 04:00 in Berlin in winter is 03:00 UTC.
    await advance(untilClock(3) - 120_000);
    expect(at.items).toEqual([]);
    await reach(0, () => at.items.length > 0);
    expect(new Date(at.items[0] ?? 0).toISOString().slice(11, 16)).toBe("03:00");
    await until(async () => (await outcomes()).at(-1) === "done");
    expect(await outcomes()).toEqual(["waiting", "done"]);
  });

  it("runs it on one of several workers", async () => {
    const got = new Collector<number>();
    for (let worker = 0; worker < 3; worker++) runner([schedule(async () => got.add(worker))]);
    await seen();
    await reach(untilClock(4), () => got.items.length > 0);
    await until(async () => (await outcomes()).at(-1) === "done");
    await advance(2 * hour);
    expect(got.items).toHaveLength(1);
    expect(await outcomes()).toEqual(["waiting", "done"]);
  });

  it("skips runs missed while no worker was up, if the schedule says so", async () => {
    const got = new Collector<number>();
    const skipping = () => {
      const nightly = schedule(async () => got.add(get().clock.now()));
      return { ...nightly, schedule: { ...nightly.schedule, missed: "skip" as const } };
    };
    const first = runner([skipping()]);
    await seen();
    await first.close();
    open.pop();
    get().clock.step(3 * 24 * hour + hour);
    runner([skipping()]);
    await until(async () => (await outcomes()).at(-1) === "skipped");
    expect(got.items).toEqual([]);
    await reach(untilClock(4), () => got.items.length > 0);
    await until(async () => (await outcomes()).at(-1) === "done");
    expect(await outcomes()).toEqual(["waiting", "skipped", "done"]);
  });

  it("runs a schedule again an interval after the last run began", async () => {
    const got = new Collector<number>();
    runner([{ ...schedule(async () => got.add(get().clock.now()), null), everyMs: 2 * hour }]);
    await seen();
    const before = (await runs())[0]?.started_at ?? 0;
    await reach(2 * hour, () => got.items.length > 0);
    expect((got.items[0] ?? 0) - before).toBeGreaterThanOrEqual(2 * hour);
    await until(async () => (await outcomes()).at(-1) === "done");
    await advance(hour);
    expect(got.items).toHaveLength(1);
    await reach(hour + hour / 2, () => got.items.length > 1);
  });

  it("makes one run for those missed while no worker was up", async () => {
    const got = new Collector<number>();
    const first = runner([schedule(async () => got.add(1))]);
    await seen();
    await first.close();
    open.pop();
    get().clock.step(3 * 24 * hour);
    runner([schedule(async () => got.add(2))]);
    await until(async () => (await outcomes()).at(-1) === "done");
    expect(got.items).toEqual([2]);
    await advance(2 * hour);
    expect(got.items).toEqual([2]);
  });

  it("repeats a run that a dead worker left running, and records that one as lost", async () => {
    const { db, clock } = get();
    await db.write("test.dead", (tx) =>
      queries<ScheduleTables>(tx)
        .insertInto("job_runs")
        .values({ job: "people.nightly", owner: "dead", started_at: clock.now(), outcome: "running" })
        .execute(),
    );
    const got = new Collector<number>();
    const { reported } = runner([schedule(async () => got.add(1))]);
    await got.count(1);
    await until(async () => (await outcomes()).at(-1) === "done");
    expect(await outcomes()).toEqual(["lost", "done"]);
    expect(reported).toEqual(["people.nightly lost for an unknown time", "people.nightly done for 0 ms"]);
  });

  it("records a failure with its message and waits for the next time", async () => {
    let failing = true;
    const got = new Collector<number>();
    const { log, reported } = runner([
      schedule(async () => {
        got.add(1);
        if (failing) throw new RangeError("ran out of people");
      }, "0 * * * *"),
    ]);
    await seen();
    await reach(untilFullHour(), () => got.items.length === 1);
    await until(async () => (await outcomes()).at(-1) === "failed");
    expect((await runs()).at(-1)).toMatchObject({
      outcome: "failed",
      message: "RangeError: ran out of people",
    });
    expect(log.lines.filter((l) => l.level === "error").map(({ fields, message }) => [message, String(fields["err"])])).toEqual([
      ["a run failed", "RangeError: ran out of people"],
    ]);
    failing = false;
    await reach(untilFullHour(), () => got.items.length === 2);
    await until(async () => (await outcomes()).at(-1) === "done");
    expect(reported).toEqual(["people.nightly failed for 0 ms RangeError: ran out of people", "people.nightly done for 0 ms"]);
  });

  it("aborts the current run when the process stops", async () => {
    const started = Promise.withResolvers<void>();
    const made = runner([
      schedule(async (_payload, signal) => {
        started.resolve();
        await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
      }, "0 * * * *"),
    ]);
    await seen();
    let running = false;
    void started.promise.then(() => (running = true));
    await reach(untilFullHour(), () => running);
    await made.close();
    open.pop();
    expect(await outcomes()).toEqual(["waiting", "stopped"]);
  });

  it("keeps the lease of a long run, so that no other worker starts it too", async () => {
    const done = Promise.withResolvers<void>();
    const got = new Collector<string>();
    for (const name of ["one", "two"]) {
      runner([
        schedule(async () => {
          got.add(name);
          await done.promise;
        }, "0 4 * * *"),
      ]);
    }
    await seen();
    await reach(untilClock(4), () => got.items.length > 0);
    await advance(60_000, 1000);
    expect(got.items).toHaveLength(1);
    done.resolve();
    await until(async () => (await outcomes()).at(-1) === "done");
  });

  it("records what a run deleted by kind, also when it fails", async () => {
    let [begun, fails] = [0, false];
    runner([
      schedule(async (_payload, _signal, report) => {
        begun += 1;
        report?.("people", 12);
        report?.("letters", 0);
        if (fails) throw new Error("pictures: the disk is full");
      }),
    ]);
    await seen();
    await reach(untilClock(4), () => begun === 1);
    await until(async () => (await outcomes()).at(-1) === "done");
    fails = true;
    await reach(day, () => begun === 2);
    await until(async () => (await outcomes()).at(-1) === "failed");
    const found = await get().db.read("test.newest", async (tx) => (await newestRuns(tx, 10)).get("people.nightly"));
    const removed = [
      { kind: "people", count: 12 },
      { kind: "letters", count: 0 },
    ];
    expect(found?.map((run) => [run.outcome, run.removed])).toEqual([
      ["failed", removed],
      ["done", removed],
      ["waiting", []],
    ]);
  });

  describe("a clock that cannot be right", () => {
    const removing = (got: Collector<number>): ScheduleHandler => ({
      ...schedule(async () => got.add(get().clock.now())),
      removes: true,
    });
    const restart = async (got: Collector<number>) => {
      await Promise.all(open.splice(0).map(async (one) => await one.close()));
      return runner([removing(got)]);
    };
    const request = async () =>
      await get().db.write("test.request", async (tx) => {
        const { db, clock, ids } = get();
        const tasks = new TaskQueue({ db, ids, check: checkPayload });
        const schedules = createSchedules({ db, clock, zone: "UTC", jitterSeed: "", tasks });
        return await schedules.request(tx, "people.nightly");
      });

    it("deletes nothing at a start that is far ahead, says why, and goes on after a run by hand", async () => {
      const got = new Collector<number>();
      const before = runner([removing(got)]);
      await seen();
      get().clock.step(400 * day);
      const { log, reported } = await restart(got);
      await until(async () => (await outcomes()).at(-1) === "held");
      expect(got.items).toEqual([]);
      expect([...before.reported, ...reported]).toEqual([]);
      expect((await runs()).at(-1)?.message).toContain("retention is held, nothing was deleted");
      // The one before may be the first that the new time wakes.
      expect(
        [...before.log.lines, ...log.lines].some(
          ({ level, message }) => level === "warn" && message.includes("If the clock is wrong"),
        ),
      ).toBe(true);
      // The next night too, until somebody says that the clock is right.
      await reach(untilClock(4), () => get().clock.now() % day > 4 * hour);
      await until(async () => (await outcomes()).filter((one) => one === "held").length === 2);
      expect(got.items).toEqual([]);
      expect(await request()).toBe(true);
      await restart(got);
      await until(async () => (await outcomes()).at(-1) === "done");
      expect(got.items).toHaveLength(1);
      await reach(untilClock(4), () => got.items.length === 2);
    });

    it("runs at the next time of its expression once the clock is right again", async () => {
      const got = new Collector<number>();
      runner([removing(got)]);
      await seen();
      get().clock.step(400 * day);
      await restart(got);
      await until(async () => (await outcomes()).at(-1) === "held");
      get().clock.step(-400 * day);
      await restart(got);
      await reach(untilClock(4), () => got.items.length === 1);
      await until(async () => (await outcomes()).at(-1) === "done");
      expect(await outcomes()).toEqual(["waiting", "held", "waiting", "done"]);
    });
  });

  describe("declarations", () => {
    it("ignores schedules without a cron expression and refuses an invalid one by name", () => {
      const made = runner([schedule(async () => {}, null)]);
      expect(made).toBeDefined();
      expect(() => runner([schedule(async () => {}, "every monday")])).toThrow(
        /schedule people.nightly: "every monday" is not a cron expression/,
      );
    });
  });
});
