import type { WorkerTaskDefinition } from "#core/contract/index.ts";
import { type ScheduleHandler, recurrenceOf } from "#core/feature.ts";
import {
  type Clock,
  type Database,
  type HeldRetention,
  type Ids,
  LeaseLost,
  type Leases,
  type Log,
  type Metrics,
  type Removed,
  type RunningTaskOutside,
  runTask,
  type TaskHandler,
  type Tx,
} from "#core/ports/index.ts";
import type { TaskQueue } from "#infra/tasks/index.ts";
import { type Due, dueOf } from "./due.ts";
import { explainHeld, heldBy, trustClock } from "./held.ts";
import { ScheduleMetrics } from "./metrics.ts";
import { aheadMs, beginRequested, endRun, insertRun, lastRun, latestRuns, pruneRuns, type Run } from "./runs.ts";
import { scheduleTask } from "./schedules.ts";

export interface ScheduleRunnerOptions {
  readonly db: Database;
  readonly leases: Leases;
  readonly tasks: TaskQueue;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly schedules: readonly ScheduleHandler[];
  /** Called for each run that ended, in the unit of work that records it. */
  readonly ended?: (tx: Tx, run: EndedRun) => Promise<void>;
  /** IANA zone of the DSN's `loc`, in which schedules are read. */
  readonly zone: string;
  /** Differs by instance, and is equal in all of its processes. */
  readonly jitterSeed?: string;
}

/** What the runner reports of a run that ended. */
export interface EndedRun {
  readonly schedule: string;
  readonly startedAt: number;
  /** Null when its worker died during the run. */
  readonly finishedAt: number | null;
  readonly outcome: "done" | "failed" | "stopped" | "lost";
  readonly message: string | null;
}

/** Largest delay of a run of a schedule that skips missed runs. */
const skippedAfterMs = 5 * 60_000;
/** How often the tasks of all schedules are compared with their recurrence. */
const compareEveryMs = 60_000;
/** How often the metrics take over the runs of other workers. */
const observeEveryMs = 5000;
const retryMs = 1000;

interface Scheduled {
  readonly id: string;
  readonly task: WorkerTaskDefinition;
  readonly handler: ScheduleHandler;
  readonly due: Due;
  /** How late a run may begin before it counts as missed; infinite unless missed runs are skipped. */
  readonly lateMs: number;
}

interface Begun {
  /** Null when it was missed and is skipped. */
  readonly run: number | null;
  readonly startedAt: number;
  readonly held: HeldRetention | null;
}

/** What the end of a task records; `run` is null when none was made. */
interface Ended {
  readonly run: number | null;
  readonly startedAt: number;
  readonly outcome: "done" | "failed" | "stopped" | "skipped" | "held";
  readonly message: string | null;
  readonly removed: readonly Removed[];
}

/**
 * Runs the schedules (recurring background work) as worker tasks: each has one, which enqueues the next when
 * it ends. Runs that were due while no worker was up, or whose worker died, are made up for by one run as
 * soon as a worker is up, unless the schedule skips missed runs. A failed run is not retried before its next
 * time.
 */
export class ScheduleRunner {
  readonly #options: ScheduleRunnerOptions;
  readonly #scheduled: readonly Scheduled[];
  readonly #me: string;
  readonly #stop = new AbortController();
  readonly #observations: ScheduleMetrics;
  readonly #finished;
  readonly #seconds;
  #loops: Promise<unknown> = Promise.resolve();
  /** Why retention is held, as the log says already. */
  #told: HeldRetention["why"] | null = null;

  /** Throws for an invalid cron expression. */
  constructor(options: ScheduleRunnerOptions) {
    this.#options = options;
    this.#me = options.ids.next();
    this.#scheduled = options.schedules.flatMap((handler) => {
      const recurrence = recurrenceOf(handler);
      if (recurrence === null) return [];
      const due = dueOf(recurrence, options.zone, options.jitterSeed);
      const lateMs = recurrence.missed === "skip" ? skippedAfterMs : Infinity;
      const { id } = handler.schedule;
      return [{ id, task: scheduleTask(id), handler, due, lateMs }];
    });
    this.#observations = new ScheduleMetrics(options.metrics, options.clock);
    this.#finished = options.metrics.counter("rollcall_job_runs_total", "Ended runs of schedules", ["job", "outcome"]);
    this.#seconds = options.metrics.histogram(
      "rollcall_job_seconds",
      "Duration of runs of schedules",
      ["job"],
      [0.01, 0.1, 1, 10, 60, 600],
    );
  }

  /** The tasks, for the runner of worker tasks. */
  get handlers(): readonly TaskHandler[] {
    return this.#scheduled.map((scheduled) =>
      runTask({
        task: scheduled.task,
        run: async (task, signal) => await this.#run(scheduled, task, signal),
        store: async (tx, _task, ended) => await this.#record(tx, scheduled, ended),
      }),
    );
  }

  start(): void {
    this.#loops = Promise.all([
      this.#repeat(compareEveryMs, "the schedules could not be compared with their tasks", async () => await this.#compare()),
      this.#repeat(observeEveryMs, "the runs of schedules could not be read", async () => await this.#observeAll()),
    ]);
  }

  /** The runs themselves end with the runner of worker tasks. */
  async close(): Promise<void> {
    this.#stop.abort(new Error("the program stops"));
    await this.#loops;
  }

  /** Soon again after `work` returned false. */
  async #repeat(everyMs: number, failure: string, work: () => Promise<boolean | void>): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      let wait = everyMs;
      try {
        if ((await work()) === false) wait = retryMs;
      } catch (error) {
        if (error instanceof LeaseLost) wait = retryMs;
        else log.error({ err: error }, failure);
      }
      await clock.sleep(wait, signal).catch(() => {});
    }
  }

  /** Enqueues the tasks of new schedules, and of those whose recurrence changed; false while another process does. */
  async #compare(): Promise<boolean> {
    const { db, clock, leases, tasks } = this.#options;
    const lease = await leases.acquire("schedules", compareEveryMs);
    if (!lease) return false;
    try {
      await db.write("tasks.schedules", async (tx) => {
        await lease.guard(tx);
        const found = await tasks.keyed(
          tx,
          this.#scheduled.map(({ task }) => task),
        );
        await this.#trust(tx);
        const { last } = await latestRuns(tx);
        for (const scheduled of this.#scheduled) {
          const dueAt = await this.#dueAt(tx, scheduled, last.get(scheduled.id));
          this.#options.log.debug({ schedule: scheduled.id, waitMs: dueAt - clock.now() }, "schedule checked");
          const present = found.get(scheduled.id);
          // Another worker may have run it since it was read.
          if (!present) await tasks.enqueueMissing(tx, scheduled.task, dueAt);
          else if (present.isUntouched && present.dueAt !== Math.trunc(dueAt))
            await tasks.moveDue(tx, scheduled.task, { from: present.dueAt, to: dueAt });
        }
      });
    } finally {
      await lease
        .release()
        .catch((error) => this.#options.log.warn({ err: error }, "the lease of the schedules was not released"));
    }
    return true;
  }

  /** When the next run is due; notes when a schedule is seen for the first time, also after a clock that was ahead. */
  async #dueAt(tx: Tx, { id, due }: Scheduled, last: Run | undefined): Promise<number> {
    const now = this.#options.clock.now();
    if (last?.outcome === "requested" || last?.outcome === "running") return Math.min(last.startedAt, now);
    // What began in the future would keep the next run there, until that time comes.
    const counts = last !== undefined && last.startedAt <= now + aheadMs;
    if (!counts) await insertRun(tx, id, this.#me, now, "waiting");
    const next = due(counts ? last.startedAt : now);
    if (next === null) throw new Error(`schedule ${id} has no next run`);
    return next;
  }

  async #observeAll(): Promise<void> {
    const { last, done } = await this.#options.db.read("jobs.look", latestRuns);
    for (const { id, due } of this.#scheduled) {
      const run = last.get(id);
      const next = run === undefined ? null : due(run.startedAt);
      this.#observations.observe(id, { done: done.get(id) ?? null, due: next, running: run?.outcome === "running" });
    }
  }

  #isMissed({ due, lateMs }: Scheduled, last: Run): boolean {
    if (last.outcome === "running") return false;
    const next = due(last.startedAt);
    return next !== null && this.#options.clock.now() - next > lateMs;
  }

  /** Remembers that the clock is right, as long as it goes on from what was remembered. */
  async #trust(tx: Tx): Promise<void> {
    const { log } = this.#options;
    const held = await heldBy(tx, this.#options);
    if (held === null) await trustClock(tx, this.#options.clock.now());
    if (held?.why !== this.#told && held !== null) log.warn({}, explainHeld(held));
    this.#told = held?.why ?? null;
  }

  /** Records the run that begins. */
  async #begin(scheduled: Scheduled, task: RunningTaskOutside): Promise<Begun> {
    const { db, clock } = this.#options;
    const { id, handler } = scheduled;
    return await db.write("jobs.begin", async (tx) => {
      await task.guard(tx);
      const startedAt = clock.now();
      const last = await lastRun(tx, id);
      const held = handler.removes === true ? await heldBy(tx, this.#options) : null;
      if (last?.outcome === "requested") {
        await beginRequested(tx, id, last.id, this.#me, startedAt);
        if (held === null || held.why === "database") return { run: last.id, startedAt, held };
        await trustClock(tx, startedAt);
        return { run: last.id, startedAt, held: null };
      }
      if (last?.outcome === "running") {
        await endRun(tx, last.id, { at: startedAt, outcome: "lost", message: "its worker died during the run" });
        const lost = { schedule: id, startedAt: last.startedAt, finishedAt: null, message: null };
        await this.#options.ended?.(tx, { ...lost, outcome: "lost" });
      }
      if (last && this.#isMissed(scheduled, last)) {
        await insertRun(tx, id, this.#me, startedAt, "skipped");
        return { run: null, startedAt, held: null };
      }
      await pruneRuns(tx, id);
      return { run: await insertRun(tx, id, this.#me, startedAt, "running"), startedAt, held };
    });
  }

  async #run(scheduled: Scheduled, task: RunningTaskOutside, signal: AbortSignal): Promise<Ended> {
    const { clock, log } = this.#options;
    const { id, handler } = scheduled;
    const { run, startedAt, held } = await this.#begin(scheduled, task);
    const removed: Removed[] = [];
    if (run === null) return { run, startedAt, outcome: "skipped", message: null, removed };
    if (held !== null) {
      const message = explainHeld(held);
      log.warn({ schedule: id, run }, message);
      this.#finished.inc({ job: id, outcome: "held" });
      return { run, startedAt, outcome: "held", message, removed };
    }
    const start = clock.monotonic();
    log.info({ schedule: id, run }, "run started");
    let outcome: Ended["outcome"] = "done";
    let message: string | null = null;
    try {
      await handler.run({}, signal, (kind, count) => void removed.push({ kind, count }));
      if (signal.aborted) outcome = "stopped";
    } catch (error) {
      outcome = signal.aborted ? "stopped" : "failed";
      message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      if (outcome === "failed") log.error({ err: error, schedule: id }, "a run failed");
    }
    log.info({ schedule: id, run, outcome, ms: Math.round(clock.monotonic() - start) }, "run ended");
    this.#finished.inc({ job: id, outcome });
    this.#seconds.observe({ job: id }, (clock.monotonic() - start) / 1000);
    return { run, startedAt, outcome, message, removed };
  }

  async #record(tx: Tx, scheduled: Scheduled, { run, startedAt, outcome, message, removed }: Ended): Promise<void> {
    const { clock, tasks } = this.#options;
    const { id, task, due } = scheduled;
    if (run !== null && outcome !== "skipped") {
      const finishedAt = clock.now();
      await endRun(tx, run, { at: finishedAt, outcome, message, removed });
      if (outcome !== "held") await this.#options.ended?.(tx, { schedule: id, startedAt, finishedAt, outcome, message });
    }
    const dueAt = due(startedAt);
    if (dueAt === null) throw new Error(`schedule ${id} has no next run`);
    await tasks.enqueue(tx, task, { payload: {}, key: id, dueAt });
    tx.afterCommit(() => void this.#observeAll().catch(() => undefined));
  }
}
