import type { TaskPayloadOf, WorkerTaskDefinition } from "../contract/task.ts";
import type { Tx } from "./database.ts";

export interface NewTask<D extends WorkerTaskDefinition = WorkerTaskDefinition> {
  readonly payload: TaskPayloadOf<D>;
  /** Not before this instant, in milliseconds UTC by the database's clock; at once when left out. */
  readonly dueAt?: number;
  /**
   * At most one task of the definition has this key: a new one replaces it, also while it runs, and takes
   * its place in the order of an order key. The effect of an attempt that was replaced is rolled back. At most
   * 150 characters.
   */
  readonly key?: string;
}

export interface TaskStatus {
  /** `dead`: it failed too often, or in a way that does not end by trying again. */
  readonly state: "waiting" | "running" | "dead";
  readonly attempts: number;
  /** What the handler reported last; null before that. */
  readonly progress: { readonly done: number; readonly total: number } | null;
  /** Why it is dead. */
  readonly error: string | null;
}

export interface DeadTask {
  readonly id: number;
  readonly taskId: string;
  readonly kind: string;
  readonly attempts: number;
  readonly enqueuedAt: number;
  readonly diedAt: number;
  readonly error: string;
}

/** Worker tasks, each a SQL row that is deleted in the transaction of its effect. */
export interface Tasks {
  /** Returns the task's id, which stays the same over all attempts. */
  enqueue<D extends WorkerTaskDefinition>(tx: Tx, definition: D, task: NewTask<D>): Promise<string>;
  /** As `enqueue`, for any number in one statement per 1,000; keys must differ. Returns the ids in the order of the tasks. */
  enqueueAll<D extends WorkerTaskDefinition>(tx: Tx, definition: D, tasks: readonly NewTask<D>[]): Promise<readonly string[]>;
  /** False when no task has the key. The effect of an attempt that is running is rolled back. */
  cancel(tx: Tx, definition: WorkerTaskDefinition, key: string): Promise<boolean>;
  /** Null once it is done, or cancelled. */
  status(tx: Tx, taskId: string): Promise<TaskStatus | null>;
  /** Dead tasks with an id below `below`, newest first, and how many there are. */
  dead(tx: Tx, limit: number, below?: number): Promise<{ readonly items: readonly DeadTask[]; readonly total: number }>;
  /** Tasks that are due for longer than `forMs` and that nobody runs, by kind; the oldest first. */
  overdue(tx: Tx, forMs: number): Promise<readonly { readonly kind: string; readonly count: number; readonly lateMs: number }[]>;
  /** Enqueues a dead task again, with its id and all attempts ahead; false when it is gone or one of its key waits. */
  resend(tx: Tx, id: number): Promise<boolean>;
  /** Forgets a dead task; false when it is gone. */
  discard(tx: Tx, id: number): Promise<boolean>;
}

/** One attempt of a task. */
export interface RunningTask<D extends WorkerTaskDefinition = WorkerTaskDefinition> {
  /** The same in all attempts: an idempotency key for other systems. */
  readonly id: string;
  readonly payload: TaskPayloadOf<D>;
  /** When it was due first, in milliseconds UTC. */
  readonly dueAt: number;
  /** 1 at the first. */
  readonly attempt: number;
}

/** A task that does something outside of the database. */
export interface RunningTaskOutside<D extends WorkerTaskDefinition = WorkerTaskDefinition> extends RunningTask<D> {
  /** Shown to who waits for the task; stored at most once a second. */
  progress(done: number, total: number): void;
  /** Locks the task in `tx` and throws `TaskLost` unless this attempt still owns it. */
  guard(tx: Tx): Promise<void>;
}

/**
 * `apply` has its effect in SQL: the task ends in the same transaction, so the effect happens exactly once.
 * It may be repeated like every unit of work.
 */
export interface AppliedTask<D extends WorkerTaskDefinition = WorkerTaskDefinition> {
  readonly task: D;
  apply(tx: Tx, task: RunningTask<D>): Promise<void>;
}

/**
 * `run` works outside of the database and happens at least once; other systems recognise a repetition by the
 * task's id. `signal` is aborted when the attempt is lost or takes too long, and when the process stops.
 * `store` writes its result in the transaction that ends the task.
 */
export interface OutsideTask<D extends WorkerTaskDefinition = WorkerTaskDefinition, R = unknown> {
  readonly task: D;
  run(task: RunningTaskOutside<D>, signal: AbortSignal): Promise<R>;
  store?(tx: Tx, task: RunningTask<D>, result: R): Promise<void>;
}

export type TaskHandler = AppliedTask | OutsideTask;

export function applyTask<D extends WorkerTaskDefinition>(handler: AppliedTask<D>): TaskHandler {
  return handler;
}

export function runTask<D extends WorkerTaskDefinition, R>(handler: OutsideTask<D, R>): TaskHandler {
  return handler;
}

/** The attempt does not own its task any more: it took too long, or the task was replaced or cancelled. */
export class TaskLost extends Error {
  override name = "TaskLost";
}

/** Thrown by a handler: another attempt would fail too. The task is dead at once. */
export class TaskFailedForGood extends Error {
  override name = "TaskFailedForGood";
}

/** Thrown by a handler that knows when another attempt can succeed, for example from a rate limit. */
export class TryLater extends Error {
  override name = "TryLater";
  readonly afterMs: number;
  constructor(afterMs: number, message: string, options?: ErrorOptions) {
    super(message, options);
    this.afterMs = afterMs;
  }
}
