import { Type } from "typebox";
import { afterEach, describe, expect, it } from "vitest";
import { defineJob } from "#core/contract/index.ts";
import type { JobHandler } from "#core/feature.ts";
import { queries } from "#core/db/index.ts";
import type { Clock } from "#core/ports/index.ts";
import { createLeases } from "#infra/coordination/leases.ts";
import { describeDatabases } from "#testkit/database.ts";
import { noMetrics, recordingLog } from "#testkit/silence.ts";
import { Collector } from "../broker/broker.testkit.ts";
import { createJobRunner, type JobRunner } from "./index.ts";
import type { JobTables } from "./jobs.schema.ts";
import { newestRuns } from "./runs.ts";

const hour = 3_600_000;
const day = 24 * hour;

describeDatabases("job runner", (get) => {
  const open: JobRunner[] = [];
  /** One per runner that waits for its clock; tests move the clock only when all do. */
  let asleep = new Collector<void>();
  afterEach(async () => {
    await Promise.all(open.splice(0).map((r) => r.close()));
    asleep = new Collector();
  });

  function watchedClock(): Clock {
    const { clock } = get();
    return {
      ...clock,
      async sleep(ms, signal) {
        asleep.add();
        await clock.sleep(ms, signal).finally(() => asleep.items.pop());
      },
    };
  }

  function job(run: JobHandler["run"], schedule: string | null = "0 4 * * *"): JobHandler {
    return {
      job: defineJob({ id: "people.nightly", payload: Type.Object({}), ...(schedule ? { schedule } : {}) }),
      run,
    };
  }

  function runner(
    jobs: readonly JobHandler[],
    zone = "UTC",
  ): JobRunner & { log: ReturnType<typeof recordingLog>; told: string[] } {
    const { ids } = get();
    const clock = watchedClock();
    const db = get().open();
    const log = recordingLog();
    const leases = createLeases({ db, clock, ids, disableLocking: false });
    const told: string[] = [];
    const ended = async (_tx: unknown, id: string, outcome: string, message: string | null) =>
      void told.push(`${id} ${outcome} ${message ?? ""}`.trim());
    const made = createJobRunner({ db, leases, clock, ids, log, metrics: noMetrics, jobs, zone, ended });
    open.push(made);
    made.start();
    return Object.assign(made, { log, told });
  }

  const runs = () =>
    get().db.read("test.runs", (tx) =>
      queries<JobTables>(tx)
        .selectFrom("job_runs")
        .select(["outcome", "started_at", "finished_at", "message"])
        .orderBy("id")
        .execute(),
    );
  const outcomes = async () => (await runs()).map((r) => r.outcome);

  /** Waits without moving the clock: SQL answers in real time. */
  async function until(condition: () => Promise<boolean>): Promise<void> {
    while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
  }
  const seen = async () => {
    await until(async () => (await outcomes()).length > 0);
    await get().clock.advance(lookAgainMs);
  };
  const lookAgainMs = 15_000;
  /** Moves the test clock, whenever every runner waits for it. */
  async function pass(ms: number, step = hour / 2): Promise<void> {
    for (let left = ms; left > 0; left -= step) {
      await asleep.count(open.length);
      await get().clock.advance(Math.min(left, step));
    }
    await asleep.count(open.length);
  }
  /** Milliseconds until it is `oclock` UTC; the test clock goes on from test to test. */
  function untilClock(oclock: number): number {
    const now = get().clock.now();
    return (oclock * hour - (now % day) + day) % day || day;
  }
  /** Large steps up to two minutes before, then ones that a lease survives. */
  async function reach(wait: number, condition: () => boolean): Promise<void> {
    if (wait > 120_000) await pass(wait - 120_000);
    while (!condition()) await pass(5000, 5000);
  }
  const untilFullHour = () => hour - (get().clock.now() % hour);

  it("runs a job at its time in the zone of the DSN, and not before", async () => {
    const { clock } = get();
    const at = new Collector<number>();
    runner([job(async () => at.add(clock.now()))], "Europe/Berlin");
    await seen();
    // 04:00 in Berlin in winter is 03:00 UTC.
    await pass(untilClock(3) - 120_000);
    expect(at.items).toEqual([]);
    await reach(0, () => at.items.length > 0);
    expect(new Date(at.items[0] ?? 0).toISOString().slice(11, 16)).toBe("03:00");
    await until(async () => (await outcomes()).at(-1) === "done");
    expect(await outcomes()).toEqual(["waiting", "done"]);
  });

  it("runs it on one of several workers", async () => {
    const got = new Collector<number>();
    for (let worker = 0; worker < 3; worker++) runner([job(async () => got.add(worker))]);
    await seen();
    await reach(untilClock(4), () => got.items.length > 0);
    await until(async () => (await outcomes()).at(-1) === "done");
    await pass(2 * hour);
    expect(got.items).toHaveLength(1);
    expect(await outcomes()).toEqual(["waiting", "done"]);
  });

  it("leaves out runs missed while no worker was there, for a job that says so", async () => {
    const got = new Collector<number>();
    const skipping = () => {
      const nightly = job(async () => got.add(get().clock.now()));
      return { ...nightly, job: { ...nightly.job, missed: "skip" as const } };
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

  it("runs a job again so long after the last run began", async () => {
    const got = new Collector<number>();
    runner([{ ...job(async () => got.add(get().clock.now()), null), everyMs: 2 * hour }]);
    await seen();
    const before = (await runs())[0]?.started_at ?? 0;
    await reach(2 * hour, () => got.items.length > 0);
    expect((got.items[0] ?? 0) - before).toBeGreaterThanOrEqual(2 * hour);
    await until(async () => (await outcomes()).at(-1) === "done");
    await pass(hour);
    expect(got.items).toHaveLength(1);
    await reach(hour + hour / 2, () => got.items.length > 1);
  });

  it("makes up once for runs missed while no worker was there", async () => {
    const got = new Collector<number>();
    const first = runner([job(async () => got.add(1))]);
    await seen();
    await first.close();
    open.pop();
    get().clock.step(3 * 24 * hour);
    runner([job(async () => got.add(2))]);
    await until(async () => (await outcomes()).at(-1) === "done");
    expect(got.items).toEqual([2]);
    await pass(2 * hour);
    expect(got.items).toEqual([2]);
  });

  it("runs again what a dead worker left running, and records it as lost", async () => {
    const { db, clock } = get();
    await db.write("test.dead", (tx) =>
      queries<JobTables>(tx)
        .insertInto("job_runs")
        .values({ job: "people.nightly", owner: "dead", started_at: clock.now(), outcome: "running" })
        .execute(),
    );
    const got = new Collector<number>();
    const { told } = runner([job(async () => got.add(1))]);
    await got.count(1);
    await until(async () => (await outcomes()).at(-1) === "done");
    expect(await outcomes()).toEqual(["lost", "done"]);
    expect(told).toEqual(["people.nightly lost"]);
  });

  it("records a failure with its message and waits for the next time", async () => {
    let failing = true;
    const got = new Collector<number>();
    const { log, told } = runner([
      job(async () => {
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
    expect(log.lines.filter((l) => l.level === "error")).toHaveLength(1);
    failing = false;
    await reach(untilFullHour(), () => got.items.length === 2);
    await until(async () => (await outcomes()).at(-1) === "done");
    expect(told).toEqual(["people.nightly failed RangeError: ran out of people"]);
  });

  it("tells a running job to stop when the program does", async () => {
    const started = Promise.withResolvers<void>();
    const made = runner([
      job(async (_payload, signal) => {
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
        job(async () => {
          got.add(name);
          await done.promise;
        }, "0 4 * * *"),
      ]);
    }
    await seen();
    await reach(untilClock(4), () => got.items.length > 0);
    await pass(60_000, 1000);
    expect(got.items).toHaveLength(1);
    done.resolve();
    await until(async () => (await outcomes()).at(-1) === "done");
  });

  it("keeps with the run how much of what it removed, also when it fails", async () => {
    let [begun, fails] = [0, false];
    runner([
      job(async (_payload, _signal, tell) => {
        begun += 1;
        tell?.("people", 12);
        tell?.("letters", 0);
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

  describe("declarations", () => {
    it("ignores jobs without a schedule and refuses a broken one by name", () => {
      const made = runner([job(async () => {}, null)]);
      expect(made).toBeDefined();
      expect(() => runner([job(async () => {}, "every monday")])).toThrow(
        /job people.nightly: "every monday" is no cron expression/,
      );
    });
  });
});
