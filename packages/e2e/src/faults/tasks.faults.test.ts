import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasMariadb, makeDatabase, type OwnDatabase } from "@rollcall/testkit/backing.ts";
import { canMoveClock, movableClock } from "@rollcall/testkit/disks.ts";
import { makeInstance, run } from "@rollcall/testkit/program.ts";
import { report } from "@rollcall/testkit/report.ts";
import { startTaskWorker, type TaskWorker } from "@rollcall/testkit/taskWorker.ts";
import type { TaskStep, TaskWorkerEvent, TaskWorkerOrder } from "@rollcall/testkit/taskWorker.fixture.ts";
import { until } from "@rollcall/testkit/until.ts";
import { followedWithinMs } from "./lease.scenario.ts";
import { print } from "./ingest.scenario.ts";

const backing = "MariaDB, two processes";
const stoppedMs = 20_000;
const leaseMs = 10_000;

type Kind = "apply" | "run";

/** At which step a worker ends, in which kind of task. */
const steps: readonly (readonly [TaskStep, Kind, string])[] = [
  ["claimed", "apply", "after it claimed a task"],
  ["running", "run", "while a task runs outside of the database"],
  ["inside", "apply", "after the effect of a task, before its commit"],
  ["inside", "run", "after a task ran, before its result is committed"],
  ["committed", "apply", "after the commit of a task"],
  ["committed", "run", "after the result of a task is committed"],
];

describe.skipIf(!hasMariadb).concurrent("a worker task", () => {
  let database: OwnDatabase;
  const folder = mkdtempSync(path.join(tmpdir(), "rollcall-tasks-"));
  const workers: TaskWorker[] = [];

  beforeAll(async () => {
    database = makeDatabase();
    const instance = await makeInstance({ dsn: database.dsn });
    const { code, stderr } = await run(["migrate"], instance);
    if (code !== 0) throw new Error(stderr);
    instance.remove();
    database.query("create table task_trace (name varchar(60) not null, process int not null)");
  });
  afterAll(async () => {
    await Promise.all(workers.map(async (worker) => await worker.end()));
    database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const worker = async (order: Omit<TaskWorkerOrder, "dsn">, env: Readonly<Record<string, string>> = {}) => {
    const started = startTaskWorker({ ...order, dsn: database.dsn }, env);
    workers.push(started);
    await started.seen(({ event }) => event === "up");
    return started;
  };
  const effects = (name: string) => Number(database.query(`select count(*) from task_trace where name = '${name}'`)[0]);
  const left = (scenario: string) =>
    Number(database.query(`select count(*) from worker_tasks where kind like '${scenario}.%'`)[0]) +
    Number(database.query(`select count(*) from worker_tasks_dead where kind like '${scenario}.%'`)[0]);
  const reached = (step: TaskStep) => (what: TaskWorkerEvent) => what.event === "at" && what.step === step;
  const isDone = (scenario: string) => () => left(scenario) === 0;
  const measured = (scenario: string, fault: string, backMs: number | null, group: "processes" | "clocks" = "processes") => {
    const count = effects(scenario);
    report({
      group,
      fault,
      backing,
      acknowledged: 1,
      of: "worker task",
      lost: Math.max(0, 1 - count),
      doubled: Math.max(0, count - 1),
      backMs,
      backWithinMs: followedWithinMs,
    });
    print(`${fault}: ${count} effect${backMs === null ? "" : `, done ${Math.round(backMs / 100) / 10} s later`}`);
    return count;
  };

  test.each(steps)("whose worker is killed (%s, %s) has its effect once", async (step, kind, when) => {
    const scenario = `killed${step}${kind}`;
    const first = await worker({ scenario, waitsAt: step });
    first.send(`enqueue ${kind} ${scenario}`);
    await first.seen(reached(step));
    await worker({ scenario });
    first.signal("SIGKILL");
    const killed = performance.now();
    await until("another worker did it", isDone(scenario), followedWithinMs);
    const backMs = Math.round(performance.now() - killed);
    expect(measured(scenario, `worker killed ${when}`, backMs)).toBe(1);
  });

  test.each(["running", "inside"] as const)("whose worker is frozen (%s) has its effect once", async (step) => {
    const scenario = `frozen${step}`;
    const first = await worker({ scenario, waitsAt: step });
    first.send(`enqueue run ${scenario}`);
    await first.seen(reached(step));
    await worker({ scenario });
    first.signal("SIGSTOP");
    const stopped = performance.now();
    await until("another worker did it", isDone(scenario), followedWithinMs);
    const backMs = Math.round(performance.now() - stopped);
    // A fixed wait: the first has to stay frozen beyond its lease.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, stoppedMs - backMs)));
    first.signal("SIGCONT");
    first.send("go");
    const when = step === "running" ? "while a task runs" : "in the transaction that ends a task";
    if (step === "running")
      await first.seen((what) => what.event === "log" && what.message === "an attempt of a task was given up");
    expect(measured(scenario, `worker frozen ${stoppedMs / 1000} s ${when}`, backMs)).toBe(1);
  });

  /** A clock that is behind would keep what is due waiting; one that is ahead would take leases over too early. */
  test.skipIf(!canMoveClock()).each([
    ["an hour forwards", "+3600"],
    ["an hour backwards", "-3600"],
    ["three days forwards", "+259200"],
  ])("whose worker's clock jumps %s while it runs has its effect once, and the next starts in time", async (name, offset) => {
    const scenario = `clock${offset.replaceAll(/\W/g, offset.startsWith("-") ? "back" : "on")}`;
    const clock = path.join(folder, scenario);
    writeFileSync(clock, "+0");
    const first = await worker({ scenario, waitsAt: "running" }, movableClock(clock));
    first.send(`enqueue run ${scenario}`);
    await first.seen(reached("running"));
    await worker({ scenario });
    writeFileSync(clock, offset);
    // A fixed wait: longer than a lease, which the first has to go on renewing.
    await new Promise((resolve) => setTimeout(resolve, leaseMs + 3000));
    expect(effects(scenario), "nobody else may have done it").toBe(0);
    first.send("go");
    await until("it is done", isDone(scenario), followedWithinMs);
    const next = performance.now();
    first.send(`enqueue apply ${scenario}next`);
    await until("the next is done", () => effects(`${scenario}next`) === 1, followedWithinMs);
    const backMs = Math.round(performance.now() - next);
    expect(measured(scenario, `the clock of a worker jumps ${name} while a task runs`, backMs, "clocks")).toBe(1);
  });

  test.each(["throws", "hangs"] as const)("whose handler %s is tried again, and has its effect once", async (first) => {
    for (const kind of ["apply", "run"] as const) {
      const scenario = `${first}${kind}`;
      const one = await worker({ scenario, first });
      await worker({ scenario, first });
      one.send(`enqueue ${kind} ${scenario}`);
      const started = performance.now();
      await until("it was enqueued", () => left(scenario) > 0 || effects(scenario) > 0);
      await until("it is done", isDone(scenario), followedWithinMs);
      const how = first === "throws" ? "throws once" : "hangs once, with a limit of 2 s";
      const backMs = Math.round(performance.now() - started);
      expect(measured(scenario, `a handler (${kind}) ${how}`, backMs)).toBe(1);
    }
  });
});
