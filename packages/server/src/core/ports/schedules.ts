import type { Recurrence } from "../contract/schedule.ts";
import type { Tx } from "./database.ts";

export interface Removed {
  readonly kind: string;
  readonly count: number;
}

export interface ScheduleRun {
  readonly id: number;
  /** `requested` waits for a worker; `waiting` marks when the schedule was first seen, `skipped` a run missed without a worker, `held` one that would have deleted by a clock that is not trusted. */
  readonly outcome: "requested" | "waiting" | "running" | "done" | "failed" | "stopped" | "lost" | "skipped" | "held";
  readonly startedAt: number;
  readonly finishedAt: number | null;
  /** The process that ran it. */
  readonly owner: string;
  readonly message: string | null;
  /** Deleted rows by kind, in the order of the schedule's steps; empty for a schedule that deletes nothing. */
  readonly removed: readonly Removed[];
}

/** Why nothing is deleted by the clock of this process. */
export interface HeldRetention {
  /** `database`: its clock shows another time; `ahead`, `behind`: of when this installation last ran. */
  readonly why: "database" | "ahead" | "behind";
  /** What this clock shows, and what the other one shows or was seen last. Milliseconds UTC. */
  readonly now: number;
  readonly other: number;
}

/** Runs of schedules, for the page that shows and starts them. */
export interface Schedules {
  /** The newest runs of every recorded schedule, newest first, at most `each` per schedule. */
  runs(tx: Tx, each: number): Promise<ReadonlyMap<string, readonly ScheduleRun[]>>;
  /** Instant of the next run after one that began at `after` (milliseconds UTC); null for a schedule without one. */
  next(schedule: Recurrence, after: number): number | null;
  /** Null while the clock is trusted. A run that was requested by hand trusts it again, unless the database shows another time. */
  held(tx: Tx): Promise<HeldRetention | null>;
  /** The start of the newest run that lies ahead of the clock; null when there is none. */
  aheadRun(tx: Tx): Promise<number | null>;
  /** Requests a run now; false when one is running or requested already. Workers begin after the commit. */
  request(tx: Tx, id: string): Promise<boolean>;
}
