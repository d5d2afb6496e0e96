import { type JobHandler, recurrenceOf } from "#core/feature.ts";
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
import type { JobOutcome } from "./jobs.schema.ts";
import { beginRequested, endRun, forgetOldRuns, insertRun, lastDone, lastRun, type Run } from "./runs.ts";
import { JobWatch } from "./watch.ts";

export interface JobRunnerParts {
  readonly db: Database;
  readonly leases: Leases;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly jobs: readonly JobHandler[];
  /** Writes into the audit trail that a run ended badly, in the unit of work that records it. */
  readonly ended?: (tx: Tx, job: string, outcome: "failed" | "lost", message: string | null) => Promise<void>;
  /** IANA zone of the DSN's `loc`, in which schedules are read. */
  readonly zone: string;
  /** What the jitter of this installation follows from: the same in all its processes. */
  readonly place?: string;
}

/** With `lookAgainMs` it bounds how long a job of a worker that froze or died waits for the next one. */
const leaseMs = 10_000;
const renewEveryMs = 3_000;
/** How soon a job that another worker holds is looked at again. */
const lookAgainMs = 3_000;
/** A run of a job that skips missed ones begins at most so much late. */
const skippedAfterMs = 5 * 60_000;
/** Longer waits are cut: schedules far ahead are computed anew after a change of the clock. */
const longestWaitMs = 60 * 60_000;

interface Scheduled {
  readonly handler: JobHandler;
  readonly due: Due;
  /** How late a run may begin before it counts as missed; without an end unless missed ones are skipped. */
  readonly lateMs: number;
}

/**
 * Runs recurring jobs, each on one worker at a time. A run that was due while no worker was there,
 * or whose worker died, happens once as soon as one is, unless the job skips what it missed; a run
 * that failed waits for its next time.
 */
export class JobRunner {
  readonly #parts: JobRunnerParts;
  readonly #scheduled: readonly Scheduled[];
  readonly #me: string;
  readonly #stop = new AbortController();
  #wake = new AbortController();
  readonly #watch: JobWatch;
  readonly #finished;
  readonly #seconds;
  #loops: Promise<unknown> = Promise.resolve();

  /** Throws for a schedule that is no cron expression. */
  constructor(parts: JobRunnerParts) {
    this.#parts = parts;
    this.#me = parts.ids.next();
    this.#scheduled = parts.jobs.flatMap((handler) => {
      const job = recurrenceOf(handler);
      if (job === null) return [];
      return [{ handler, due: dueOf(job, parts.zone, parts.place), lateMs: job.missed === "skip" ? skippedAfterMs : Infinity }];
    });
    this.#watch = new JobWatch(parts.metrics, parts.clock);
    this.#finished = parts.metrics.counter("rollcall_job_runs_total", "Ended job runs", ["job", "outcome"]);
    this.#seconds = parts.metrics.histogram("rollcall_job_seconds", "Duration of job runs", ["job"], [0.01, 0.1, 1, 10, 60, 600]);
  }

  start(): void {
    this.#loops = Promise.all(this.#scheduled.map((s) => this.#loop(s)));
  }

  /** Looks at every job again at once, for one that was asked for. */
  nudge(): void {
    const waiting = this.#wake;
    this.#wake = new AbortController();
    waiting.abort();
  }

  /** Tells running jobs to stop and waits for them. */
  async close(): Promise<void> {
    this.#stop.abort(new Error("the program stops"));
    await this.#loops;
  }

  async #loop(scheduled: Scheduled): Promise<void> {
    const { clock, log } = this.#parts;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      let wait = lookAgainMs;
      // Taken before looking, so that a request in the meantime ends the sleep at once.
      const woken = AbortSignal.any([signal, this.#wake.signal]);
      try {
        wait = await this.#look(scheduled);
      } catch (error) {
        log.error({ err: error, job: scheduled.handler.job.id }, "a job could not be looked after");
      }
      await clock.sleep(Math.min(wait, longestWaitMs), woken).catch(() => {});
    }
  }

  /** Runs the job if it is due; how long to wait before looking again. */
  async #look(scheduled: Scheduled): Promise<number> {
    const { db, leases } = this.#parts;
    const { id } = scheduled.handler.job;
    const { last, done } = await db.read("jobs.look", async (tx) => ({
      last: await lastRun(tx, id),
      done: await lastDone(tx, id),
    }));
    const wait = this.#wait(scheduled, last);
    this.#watch.seen(id, {
      done,
      due: last === null ? null : scheduled.due(last.startedAt),
      running: last?.outcome === "running",
    });
    this.#parts.log.debug({ job: id, waitMs: wait }, "job looked at");
    if (wait > 0) return wait;
    const lease = await leases.acquire(`job.${id}`, leaseMs);
    if (!lease) return lookAgainMs;
    try {
      return await this.#underLease(scheduled, lease);
    } finally {
      await lease.release().catch((error) => this.#parts.log.warn({ err: error, job: id }, "a job's lease was not released"));
    }
  }

  /** Milliseconds until the job is due; 0 also for one never seen or left running, which need the lease. */
  #wait({ due, handler }: Scheduled, last: Run | null): number {
    if (!last || last.outcome === "running" || last.outcome === "requested") return 0;
    const next = due(last.startedAt);
    if (next === null) throw new Error(`job ${handler.job.id} has no next run`);
    return Math.max(0, next - this.#parts.clock.now());
  }

  #missed({ due, lateMs }: Scheduled, last: Run): boolean {
    if (last.outcome === "running") return false;
    const next = due(last.startedAt);
    return next !== null && this.#parts.clock.now() - next > lateMs;
  }

  /** Looks again, as another worker may just have finished it. */
  async #underLease(scheduled: Scheduled, lease: Lease): Promise<number> {
    const { db, clock } = this.#parts;
    const { id } = scheduled.handler.job;
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
        await endRun(tx, last.id, { at: clock.now(), outcome: "lost", message: "its worker ended before it did" });
        await this.#parts.ended?.(tx, id, "lost", null);
      } else if (this.#wait(scheduled, last) > 0) return null;
      if (this.#missed(scheduled, last)) {
        await insertRun(tx, id, this.#me, clock.now(), "skipped");
        return null;
      }
      await forgetOldRuns(tx, id);
      return insertRun(tx, id, this.#me, clock.now(), "running");
    });
    if (begun !== null) await this.#run(scheduled.handler, lease, begun);
    return 0;
  }

  async #run(handler: JobHandler, lease: Lease, run: number): Promise<void> {
    const { clock, log } = this.#parts;
    const { id } = handler.job;
    const signal = AbortSignal.any([lease.signal, this.#stop.signal]);
    const renewal = this.#keep(lease);
    const start = clock.monotonic();
    log.info({ job: id, run }, "job started");
    let outcome: JobOutcome = "done";
    let message: string | null = null;
    const removed: Removed[] = [];
    try {
      await handler.run({}, signal, (kind, count) => void removed.push({ kind, count }));
      if (signal.aborted) outcome = "stopped";
    } catch (error) {
      outcome = signal.aborted ? "stopped" : "failed";
      message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      if (outcome === "failed") log.error({ err: error, job: id }, "a job failed");
    } finally {
      renewal.stop();
    }
    log.info({ job: id, run, outcome, ms: Math.round(clock.monotonic() - start) }, "job ended");
    this.#finished.inc({ job: id, outcome });
    this.#seconds.observe({ job: id }, (clock.monotonic() - start) / 1000);
    await this.#record(lease, async (tx) => {
      await endRun(tx, run, { at: clock.now(), outcome, message, removed });
      if (outcome === "failed") await this.#parts.ended?.(tx, id, outcome, message);
    });
  }

  /** A worker that lost its lease writes nothing: the run is the next holder's to judge. */
  async #record(lease: Lease, write: (tx: Tx) => Promise<void>): Promise<void> {
    const { db, log } = this.#parts;
    try {
      await db.write("jobs.end", async (tx) => {
        await lease.guard(tx);
        await write(tx);
      });
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
      log.warn({ lease: lease.name }, "the end of a job was not recorded: its lease was lost meanwhile");
    }
  }

  #keep(lease: Lease): { stop(): void } {
    const { clock, log } = this.#parts;
    const ended = new AbortController();
    const keep = async () => {
      while (!ended.signal.aborted && !lease.signal.aborted) {
        await clock.sleep(renewEveryMs, ended.signal).catch(() => {});
        if (ended.signal.aborted) return;
        await lease
          .renew()
          .catch((error) => log.warn({ err: error, lease: lease.name }, "a job's lease could not be renewed yet"));
      }
    };
    void keep();
    return { stop: () => ended.abort() };
  }
}

export function createJobRunner(parts: JobRunnerParts): JobRunner {
  return new JobRunner(parts);
}
