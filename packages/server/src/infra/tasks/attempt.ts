import { dialectOf, queries } from "#core/db/index.ts";
import { defaultRetry } from "#core/contract/index.ts";
import {
  type Clock,
  type Database,
  type Log,
  noTracing,
  type OutsideTask,
  type RunningTask,
  type RunningTaskOutside,
  TaskFailedForGood,
  type TaskHandler,
  TaskLost,
  type Tracing,
  TryLater,
  type Tx,
} from "#core/ports/index.ts";
import { storeDead } from "./dead.ts";
import { idleState, owned, releaseTasks } from "./claim.ts";
import type { TaskRow } from "./tasks.schema.ts";
import type { TaskMetrics } from "./metrics.ts";
import { moveUpNext } from "./order.ts";
import { checkPayload } from "./payloads.ts";
import type { TaskTables } from "./tasks.schema.ts";

export interface AttemptOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: TaskMetrics;
  readonly tracing?: Tracing;
  /** Aborted when the process stops. */
  readonly stopping: AbortSignal;
  readonly row: TaskRow;
  readonly handler: TaskHandler;
  /** When the lease of the claim ends, by the monotonic clock. */
  readonly deadline: number;
}

/** `retried` waits for its next attempt; `released` begins again elsewhere; `lost` belongs to another attempt or nobody. */
export type Outcome = "done" | "retried" | "dead" | "released" | "lost";

const minuteMs = 60_000;
const bulkTimeoutMs = 6 * 3_600_000;
/** How long after it was due a task may be told to wait. */
const laterForMs = 24 * 3_600_000;
const progressEveryMs = 1000;
/** How long a handler may take to end after the process begins to stop. */
const graceMs = 10_000;

const textOf = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

/** One attempt of one claimed task. */
export class Attempt {
  readonly #options: AttemptOptions;
  readonly #row: TaskRow;
  readonly #lost = new AbortController();
  #deadline: number;
  #isEnding = false;
  #reportedAt = Number.NEGATIVE_INFINITY;
  #reporting: Promise<unknown> = Promise.resolve();

  constructor(options: AttemptOptions) {
    this.#options = options;
    this.#row = options.row;
    this.#deadline = options.deadline;
  }

  get rowId(): number {
    return this.#row.id;
  }

  get orderKey(): string | null {
    return this.#row.order_key;
  }

  /** Its row is locked by its own transaction: nobody else can have it, and a renewal would wait for the end. */
  get isEnding(): boolean {
    return this.#isEnding;
  }

  /** The leases were renewed: whether this task is still owned, and until when by the monotonic clock. */
  renewed(owned: boolean, deadline: number): void {
    if (owned) this.#deadline = deadline;
    else this.#lost.abort(this.#taken);
  }

  /** Leases could not be renewed: the attempt ends if its own has expired. */
  expire(monotonic: number): void {
    if (!this.#isEnding && monotonic >= this.#deadline) this.#lost.abort(new TaskLost(`the lease of ${this.#row.kind} expired`));
  }

  /** Never rejects. */
  async run(): Promise<Outcome> {
    const { clock, metrics, tracing = noTracing, log } = this.#options;
    const { kind, lane, trace, due_at, lease_until } = this.#row;
    const started = clock.monotonic();
    // The end of the lease is known by both clocks.
    metrics.began(lane, (lease_until ?? due_at) - due_at - (this.#deadline - started));
    let outcome: Outcome;
    try {
      const attributes = { "messaging.operation.name": "process", "messaging.destination.name": kind };
      await tracing.from(
        trace ?? undefined,
        async () =>
          await tracing.span(`run ${kind}`, { kind: "consumer", within: true, attributes }, async () => await this.#work()),
      );
      outcome = "done";
    } catch (error) {
      outcome = await this.#failed(error).catch((failure: unknown): Outcome => {
        log.warn({ err: failure, kind, taskId: this.#row.task_id }, "a failed task was not given back; its lease ends by itself");
        return "lost";
      });
    }
    metrics.ended(kind, outcome, clock.monotonic() - started);
    return outcome;
  }

  async #work(): Promise<void> {
    const { handler } = this.#options;
    const { task_id: id, attempts: attempt, first_due_at: dueAt } = this.#row;
    let payload: unknown;
    try {
      payload = JSON.parse(this.#row.payload);
      checkPayload(handler.task, payload);
    } catch (error) {
      throw new TaskFailedForGood((error as Error).message, { cause: error });
    }
    if (attempt > this.#retry.attempts) throw new TaskFailedForGood(`its worker ended while it ran, ${attempt - 1} times`);
    const task: RunningTask = { id, payload, dueAt, attempt };
    if ("run" in handler) return await this.#workOutside(handler, task);
    // Inside of the transaction, so that one that hangs is rolled back.
    await this.#endWith(async (tx) => await this.#inTime(async () => await handler.apply(tx, task)));
  }

  /** Ends the task in one transaction with its effect. */
  async #endWith(effect: (tx: Tx) => Promise<void>): Promise<void> {
    try {
      await this.#options.db.write(`tasks.${this.#row.kind}`, async (tx) => {
        this.#isEnding = false;
        await this.#end(tx);
        this.#isEnding = true;
        await effect(tx);
      });
    } finally {
      this.#isEnding = false;
    }
  }

  get #retry() {
    return this.#options.handler.task.retry ?? defaultRetry;
  }

  async #workOutside(handler: OutsideTask, task: RunningTask): Promise<void> {
    const outside: RunningTaskOutside = {
      ...task,
      progress: (done, total) => this.#report(done, total),
      guard: async (tx) => await this.#guard(tx),
    };
    const result = await this.#inTime(async (signal) => await handler.run(outside, signal));
    await this.#reporting;
    await this.#endWith(async (tx) => await handler.store?.(tx, task, result));
  }

  /**
   * Rejects after the time limit or when the lease is lost, also if `work` ignores its signal. The signal is of a
   * controller of its own: `AbortSignal.any` with a listener that nobody removes is kept as long as one of its
   * sources, and that of the process never ends.
   */
  async #inTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, handler, stopping } = this.#options;
    const { lane, timeoutMs = lane === "bulk" || lane === "recurring" ? bulkTimeoutMs : minuteMs } = handler.task;
    const given = new AbortController();
    const aborted = Promise.withResolvers<never>();
    const end = (reason: unknown) => {
      given.abort(reason);
      aborted.reject(reason);
    };
    const timer = clock.setTimeout(() => end(new Error(`it took longer than ${timeoutMs / 1000} s`)), timeoutMs);
    let grace: { cancel(): void } | null = null;
    const onStop = () => {
      given.abort(stopping.reason);
      grace = clock.setTimeout(() => aborted.reject(stopping.reason), graceMs);
    };
    const onLost = () => end(this.#lost.signal.reason);
    const heard = [[stopping, onStop] as const, [this.#lost.signal, onLost] as const];
    for (const [signal, listener] of heard) {
      if (signal.aborted) listener();
      else signal.addEventListener("abort", listener);
    }
    try {
      return await Promise.race([work(given.signal), aborted.promise]);
    } finally {
      timer.cancel();
      for (const [signal, listener] of heard) signal.removeEventListener("abort", listener);
      (grace as { cancel(): void } | null)?.cancel();
    }
  }

  get #taken(): TaskLost {
    return new TaskLost(`${this.#row.kind} was replaced, cancelled or claimed by another worker`);
  }

  /** Ends the task in the transaction of its effect. */
  async #end(tx: Tx): Promise<void> {
    const { numDeletedRows } = await queries<TaskTables>(tx)
      .deleteFrom("worker_tasks")
      .where(owned(this.#row))
      .executeTakeFirst();
    if (numDeletedRows !== 1n) throw this.#taken;
    await moveUpNext(tx, this.#row);
  }

  async #guard(tx: Tx): Promise<void> {
    const query = queries<TaskTables>(tx).selectFrom("worker_tasks").select("id").where(owned(this.#row));
    if (!(await dialectOf(tx).lock(query).executeTakeFirst())) throw this.#taken;
  }

  #report(done: number, total: number): void {
    const { clock, db, log } = this.#options;
    if (clock.monotonic() - this.#reportedAt < progressEveryMs) return;
    this.#reportedAt = clock.monotonic();
    const progress = { progress_done: Math.round(done), progress_total: Math.round(total) };
    this.#reporting = db
      .write(
        "tasks.progress",
        async (tx) => await queries<TaskTables>(tx).updateTable("worker_tasks").set(progress).where(owned(this.#row)).execute(),
      )
      .catch((error: unknown) => log.debug({ err: error }, "progress was not stored"));
  }

  async #failed(error: unknown): Promise<Outcome> {
    const { db, log, handler, stopping } = this.#options;
    const { kind, task_id: taskId, attempts } = this.#row;
    if (error instanceof TaskLost) {
      log.info({ kind, taskId, reason: error.message }, "an attempt of a task was given up");
      return "lost";
    }
    if (stopping.aborted && "run" in handler) {
      await db.write("tasks.release", async (tx) => await releaseTasks(tx, [this.#row]));
      return "released";
    }
    const isLater = error instanceof TryLater && (await this.#ageMs()) < laterForMs;
    if (error instanceof TaskFailedForGood || (!isLater && attempts >= this.#retry.attempts)) {
      log.error(
        { err: error, kind, taskId, attempts },
        "a task failed for good: see the failed tasks in the control panel under Schedules",
      );
      return await this.#die(textOf(error instanceof TaskFailedForGood && error.cause ? error.cause : error));
    }
    log.warn({ err: error, kind, taskId, attempts }, "a task failed and will be tried again");
    return await this.#postpone(error, isLater);
  }

  /** Since it was due for the first time. */
  async #ageMs(): Promise<number> {
    const { db } = this.#options;
    return (await db.read("tasks.age", async (tx) => await db.now(tx))) - this.#row.first_due_at;
  }

  async #die(reason: string): Promise<Outcome> {
    const { db } = this.#options;
    return await db.write("tasks.die", async (tx) => {
      try {
        await this.#end(tx);
      } catch (error) {
        if (error instanceof TaskLost) return "lost";
        throw error;
      }
      await storeDead(db, tx, this.#row, reason);
      return "dead";
    });
  }

  /** An attempt that only learnt that it has to be later (`isLater`) does not count. */
  async #postpone(error: unknown, isLater: boolean): Promise<Outcome> {
    const { db } = this.#options;
    const { firstMs, maxMs } = this.#retry;
    const { attempts, order_key } = this.#row;
    const delayMs = error instanceof TryLater ? error.afterMs : Math.min(maxMs, firstMs * 2 ** (attempts - 1));
    return await db.write("tasks.postpone", async (tx) => {
      const due_at = (await db.now(tx)) + Math.round(delayMs);
      const { numUpdatedRows } = await queries<TaskTables>(tx)
        .updateTable("worker_tasks")
        .set({
          state: idleState(order_key),
          due_at,
          owner: null,
          lease_until: null,
          attempts: isLater ? attempts - 1 : attempts,
        })
        .where(owned(this.#row))
        .executeTakeFirst();
      return numUpdatedRows === 1n ? "retried" : "lost";
    });
  }
}
