import type { RecurringJob } from "../contract/job.ts";
import type { Tx } from "./database.ts";

export interface Removed {
  readonly kind: string;
  readonly count: number;
}

export interface JobRun {
  readonly id: number;
  /** `requested` waits for a worker; `waiting` marks when the job was first seen, `skipped` a time that passed without a worker. */
  readonly outcome: "requested" | "waiting" | "running" | "done" | "failed" | "stopped" | "lost" | "skipped";
  readonly startedAt: number;
  readonly finishedAt: number | null;
  /** The process that ran it. */
  readonly owner: string;
  readonly message: string | null;
  /** Rows that went, by kind, in the order of the job's steps; empty for a job that removes nothing. */
  readonly removed: readonly Removed[];
}

/** Runs of recurring jobs, for the page that shows and starts them. */
export interface Schedule {
  /** The newest runs of each job that ever was seen, newest first, at most `each` of a job. */
  runs(tx: Tx, each: number): Promise<ReadonlyMap<string, readonly JobRun[]>>;
  /** Instant of the next run after one that began at `after` (milliseconds UTC); null for a schedule without one. */
  next(job: RecurringJob, after: number): number | null;
  /** Asks for a run now; false when one is under way or asked for already. Workers begin within a second of `nudge`. */
  request(tx: Tx, jobId: string): Promise<boolean>;
  /** Has this process's runner look again at once; nothing without the worker role. */
  nudge(): void;
}
