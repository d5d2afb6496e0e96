import { type ScheduleHandler, recurrenceOf } from "#core/feature.ts";
import {
  type Clock,
  type Database,
  type Ids,
  type Lease,
  LeaseLost,
  type Leases,
  type Log,
  type Metrics,
  type Removed,
  type Tx,
} from "#core/ports/index.ts";
import { type Due, dueOf } from "./due.ts";
import type { RunOutcome } from "./schedules.schema.ts";
import { beginRequested, endRun, pruneRuns, insertRun, lastDone, lastRun, type Run } from "./runs.ts";
import { ScheduleMetrics } from "./metrics.ts";

export interface ScheduleRunnerOptions {
  readonly db: Database;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly schedules: readonly ScheduleHandler[];
  /** Writes to the audit log that a run failed, in the unit of work that records it. */
  readonly ended?: (tx: Tx, schedule: string, outcome: "failed" | "lost", message: string | null) => Promise<void>;
  /** IANA zone of the DSN's `loc`, in which schedules are read. */
  readonly zone: string;
  /** Differs by instance, and is equal in all of its processes. */
  readonly jitterSeed?: string;
}

/** Together with `recheckMs`, the longest time until another worker takes over from one that froze or died. */
const leaseMs = 10_000;
const renewEveryMs = 3_000;
/** How soon a schedule that another worker runs is checked again. */
const recheckMs = 3_000;
/** Largest delay of a run of a schedule that skips missed runs. */
const skippedAfterMs = 5 * 60_000;
/** Longest wait between checks, so that an adjusted clock is noticed. */
const longestWaitMs = 60 * 60_000;

interface Scheduled {
  readonly handler: ScheduleHandler;
  readonly due: Due;
  /** How late a run may begin before it counts as missed; infinite unless missed runs are skipped. */
  readonly lateMs: number;
}

/**
 * Runs the schedules (recurring background work), each on one worker at a time. Runs that were due
 * while no worker was up, or whose worker died, are made up for by one run as soon as a worker is up,
 * unless the schedule skips missed runs. A failed run is not retried before its next time.
 */
export class ScheduleRunner {
  readonly #options: ScheduleRunnerOptions;
  readonly #scheduled: readonly Scheduled[];
  readonly #me: string;
  readonly #stop = new AbortController();
  #wake = new AbortController();
  readonly #observations: ScheduleMetrics;
  readonly #finished;
  readonly #seconds;
  #loops: Promise<unknown> = Promise.resolve();

  /** Throws for an invalid cron expression. */
  constructor(options: ScheduleRunnerOptions) {
    this.#options = options;
    this.#me = options.ids.next();
    this.#scheduled = options.schedules.flatMap((handler) => {
      const recurrence = recurrenceOf(handler);
      if (recurrence === null) return [];
      const due = dueOf(recurrence, options.zone, options.jitterSeed);
      return [{ handler, due, lateMs: recurrence.missed === "skip" ? skippedAfterMs : Infinity }];
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

  start(): void {
    this.#loops = Promise.all(this.#scheduled.map((s) => this.#loop(s)));
  }

  /** Checks every schedule now, because a run was requested. */
  nudge(): void {
    const waiting = this.#wake;
    this.#wake = new AbortController();
    waiting.abort();
  }

  /** Aborts the current runs and waits for them. */
  async close(): Promise<void> {
    this.#stop.abort(new Error("the program stops"));
    await this.#loops;
  }

  async #loop(scheduled: Scheduled): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      let wait = recheckMs;
      // Read before the check, so that a request during the check ends the sleep at once.
      const woken = AbortSignal.any([signal, this.#wake.signal]);
      try {
        wait = await this.#check(scheduled);
      } catch (error) {
        log.error({ err: error, schedule: scheduled.handler.schedule.id }, "a schedule could not be checked");
      }
      await clock.sleep(Math.min(wait, longestWaitMs), woken).catch(() => {});
    }
  }

  /** Makes the run if it is due; returns the milliseconds until the next check. */
  async #check(scheduled: Scheduled): Promise<number> {
    const { db, leases } = this.#options;
    const { id } = scheduled.handler.schedule;
    const { last, done } = await db.read("jobs.look", async (tx) => ({
      last: await lastRun(tx, id),
      done: await lastDone(tx, id),
    }));
    const wait = this.#wait(scheduled, last);
    this.#observations.observe(id, {
      done,
      due: last === null ? null : scheduled.due(last.startedAt),
      running: last?.outcome === "running",
    });
    this.#options.log.debug({ schedule: id, waitMs: wait }, "schedule checked");
    if (wait > 0) return wait;
    const lease = await leases.acquire(`job.${id}`, leaseMs);
    if (!lease) return recheckMs;
    try {
      return await this.#underLease(scheduled, lease);
    } finally {
      await lease
        .release()
        .catch((error) => this.#options.log.warn({ err: error, schedule: id }, "the lease of a schedule was not released"));
    }
  }

  /** Milliseconds until the schedule is due; 0 also without a recorded run or with one left running, which require the lease. */
  #wait({ due, handler }: Scheduled, last: Run | null): number {
    if (!last || last.outcome === "running" || last.outcome === "requested") return 0;
    const next = due(last.startedAt);
    if (next === null) throw new Error(`schedule ${handler.schedule.id} has no next run`);
    return Math.max(0, next - this.#options.clock.now());
  }

  #missed({ due, lateMs }: Scheduled, last: Run): boolean {
    if (last.outcome === "running") return false;
    const next = due(last.startedAt);
    return next !== null && this.#options.clock.now() - next > lateMs;
  }

  /** Checks again, because another worker may just have finished the run. */
  async #underLease(scheduled: Scheduled, lease: Lease): Promise<number> {
    const { db, clock } = this.#options;
    const { id } = scheduled.handler.schedule;
    const begun = await db.write("jobs.begin", async (tx) => {
      await lease.guard(tx);
      const last = await lastRun(tx, id);
      if (!last) {
        await insertRun(tx, id, this.#me, clock.now(), "waiting");
        return null;
      }
      if (last.outcome === "requested") {
        await beginRequested(tx, id, last.id, this.#me, clock.now());
        return last.id;
      }
      if (last.outcome === "running") {
        await endRun(tx, last.id, { at: clock.now(), outcome: "lost", message: "its worker died during the run" });
        await this.#options.ended?.(tx, id, "lost", null);
      } else if (this.#wait(scheduled, last) > 0) return null;
      if (this.#missed(scheduled, last)) {
        await insertRun(tx, id, this.#me, clock.now(), "skipped");
        return null;
      }
      await pruneRuns(tx, id);
      return insertRun(tx, id, this.#me, clock.now(), "running");
    });
    if (begun !== null) await this.#run(scheduled.handler, lease, begun);
    return 0;
  }

  async #run(handler: ScheduleHandler, lease: Lease, run: number): Promise<void> {
    const { clock, log } = this.#options;
    const { id } = handler.schedule;
    const signal = AbortSignal.any([lease.signal, this.#stop.signal]);
    const renewal = this.#keepRenewed(lease);
    const start = clock.monotonic();
    log.info({ schedule: id, run }, "run started");
    let outcome: RunOutcome = "done";
    let message: string | null = null;
    const removed: Removed[] = [];
    try {
      await handler.run({}, signal, (kind, count) => void removed.push({ kind, count }));
      if (signal.aborted) outcome = "stopped";
    } catch (error) {
      outcome = signal.aborted ? "stopped" : "failed";
      message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      if (outcome === "failed") log.error({ err: error, schedule: id }, "a run failed");
    } finally {
      renewal.stop();
    }
    log.info({ schedule: id, run, outcome, ms: Math.round(clock.monotonic() - start) }, "run ended");
    this.#finished.inc({ job: id, outcome });
    this.#seconds.observe({ job: id }, (clock.monotonic() - start) / 1000);
    await this.#record(lease, async (tx) => {
      await endRun(tx, run, { at: clock.now(), outcome, message, removed });
      if (outcome === "failed") await this.#options.ended?.(tx, id, outcome, message);
    });
  }

  /** A worker that lost its lease records nothing: the next owner decides about the run. */
  async #record(lease: Lease, write: (tx: Tx) => Promise<void>): Promise<void> {
    const { db, log } = this.#options;
    try {
      await db.write("jobs.end", async (tx) => {
        await lease.guard(tx);
        await write(tx);
      });
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      log.warn({ lease: lease.name }, "the end of a run was not recorded: its lease was lost meanwhile");
    }
  }

  #keepRenewed(lease: Lease): { stop(): void } {
    const { clock, log } = this.#options;
    const ended = new AbortController();
    const renew = async () => {
      while (!ended.signal.aborted && !lease.signal.aborted) {
        await clock.sleep(renewEveryMs, ended.signal).catch(() => {});
        if (ended.signal.aborted) return;
        await lease
          .renew()
          .catch((error) => log.warn({ err: error, lease: lease.name }, "the lease of a schedule could not be renewed yet"));
      }
    };
    void renew();
    return { stop: () => ended.abort() };
  }
}

export function createScheduleRunner(options: ScheduleRunnerOptions): ScheduleRunner {
  return new ScheduleRunner(options);
}
