import type { TaskRole } from "#core/contract/index.ts";
import { taskLanes } from "#core/contract/index.ts";
import type { Clock, Database, Ids, Log, Metrics, TaskHandler, Tracing } from "#core/ports/index.ts";
import { leaveUnitOfWork } from "#core/db/unit-of-work.ts";
import { Attempt, type AttemptOptions } from "./attempt.ts";
import { pruneDead, pruneEveryMs } from "./dead.ts";
import { type Claimant, claimTasks, freeExpired, releaseTasks, relocate, renewTasks } from "./claim.ts";
import type { Queue } from "./queue.ts";
import type { TaskRow } from "./tasks.schema.ts";
import { lookAhead, queueName } from "./look.ts";
import { TaskMetrics } from "./metrics.ts";
import { moveUpAll } from "./order.ts";

export interface TaskRunnerOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly tracing?: Tracing;
  readonly roles: readonly TaskRole[];
  readonly handlers: readonly TaskHandler[];
}

/** `batch`: tasks held at most, running or next; tasks of minutes are not held, because another worker could begin them. */
const laneSizes = {
  prompt: { slots: 8, batch: 50 },
  network: { slots: 16, batch: 16 },
  bulk: { slots: 2, batch: 2 },
  recurring: { slots: 2, batch: 2 },
} as const;

const leaseMs = 10_000;
const renewEveryMs = 3000;
/** Longest time until a task is found that another process enqueued while the broker was down. */
const pollMs = 1000;

interface Claimed {
  readonly row: TaskRow;
  /** When the lease ends, by the monotonic clock. */
  readonly deadline: number;
}

/** A queue as this process works on it. */
class Worked {
  readonly queue: Queue;
  readonly slots: number;
  readonly batch: number;
  readonly running = new Set<Attempt>();
  next: Claimed[] = [];
  /** More may be due than was claimed. */
  full = false;

  constructor(queue: Queue) {
    this.queue = queue;
    ({ slots: this.slots, batch: this.batch } = laneSizes[queue.lane]);
  }

  get held(): number {
    return this.running.size + this.next.length;
  }
}

function queuesOf(roles: readonly TaskRole[], handlers: readonly TaskHandler[]): Worked[] {
  return roles.flatMap((role) =>
    taskLanes.flatMap((lane) => {
      const kinds = handlers
        .filter(({ task }) => task.lane === lane && (task.role ?? "worker") === role)
        .map(({ task }) => task.id);
      return kinds.length === 0 ? [] : [new Worked({ role, lane, kinds })];
    }),
  );
}

/**
 * Runs worker tasks. Any number of processes may run one: a task is claimed under a lease that is renewed
 * while it runs, and only the attempt that holds it can end it. All instants are of the database's clock.
 */
export class TaskRunner {
  readonly #options: TaskRunnerOptions;
  readonly #attempts: Omit<AttemptOptions, "row" | "handler" | "deadline">;
  readonly #claimant: Claimant;
  readonly #worked: readonly Worked[];
  readonly #handlers: ReadonlyMap<string, TaskHandler>;
  readonly #metrics: TaskMetrics;
  readonly #stopping = new AbortController();
  #wait: { cancel(): void } | null = null;
  #renewal: { cancel(): void } | null = null;
  #looking: Promise<void> | null = null;
  #again = false;
  #started = false;
  #failing = false;
  #prunedAt = Number.NEGATIVE_INFINITY;
  readonly #open = new Set<Promise<void>>();

  /** Throws when two handlers have the same kind. */
  constructor(options: TaskRunnerOptions) {
    this.#options = options;
    this.#claimant = { owner: options.ids.next(), leaseMs };
    this.#handlers = new Map(options.handlers.map((handler) => [handler.task.id, handler]));
    if (this.#handlers.size !== options.handlers.length) throw new Error("two handlers have the same kind of task");
    this.#worked = queuesOf(options.roles, options.handlers);
    this.#metrics = new TaskMetrics(options.metrics);
    this.#attempts = { ...options, metrics: this.#metrics, stopping: this.#stopping.signal };
  }

  start(): void {
    if (this.#worked.length === 0) return;
    this.#started = true;
    this.#keepLeases();
    this.nudge();
  }

  /** Looks for due tasks now instead of at the next poll. */
  nudge(): void {
    if (!this.#started) return;
    this.#again = true;
    this.#wait?.cancel();
    // What a caller is inside of must not be seen as the runner's own unit of work.
    leaveUnitOfWork(() => {
      this.#looking ??= this.#look().finally(() => {
        this.#looking = null;
        if (this.#again) this.nudge();
      });
    });
  }

  /** Aborts what runs outside of the database, waits for the rest, and gives back what has not begun. */
  async close(): Promise<void> {
    this.#started = false;
    this.#wait?.cancel();
    this.#stopping.abort(new Error("the program stops"));
    await this.#looking;
    const unbegun = this.#worked.flatMap((one) => one.next.splice(0)).map(({ row }) => row);
    if (unbegun.length > 0)
      await this.#options.db
        .write("tasks.release", async (tx) => await releaseTasks(tx, unbegun))
        .catch((error: unknown) => this.#options.log.warn({ err: error }, "tasks that had not begun were not given back"));
    await Promise.all(this.#open);
    this.#renewal?.cancel();
  }

  async #look(): Promise<void> {
    const { db, clock, log } = this.#options;
    let waitMs = pollMs;
    do {
      this.#again = false;
      try {
        waitMs = await this.#round();
        this.#failing = false;
      } catch (error) {
        if (!this.#failing) log.warn({ err: error }, "tasks cannot be read; retrying");
        this.#failing = true;
        waitMs = pollMs;
      }
    } while (this.#again && this.#started);
    if (this.#started && clock.monotonic() - this.#prunedAt > pruneEveryMs) {
      this.#prunedAt = clock.monotonic();
      await pruneDead(db).catch((error: unknown) => log.warn({ err: error }, "old dead tasks were not deleted"));
      await this.#relocate().catch((error: unknown) => log.warn({ err: error }, "tasks of another lane were not moved"));
    }
    if (this.#started) this.#wait = clock.setTimeout(() => this.nudge(), this.#again ? 0 : waitMs);
  }

  /** A task is stored with its lane and role, which another version of the program may have declared differently. */
  async #relocate(): Promise<void> {
    const { db } = this.#options;
    const queues = this.#worked.map(({ queue }) => queue);
    const moved = await db.write("tasks.relocate", async (tx) => {
      await moveUpAll(tx);
      return await relocate(tx, queues);
    });
    if (moved > 0) this.#again = true;
  }

  /** Claims what is due; returns the milliseconds until there may be more. */
  async #round(): Promise<number> {
    const { db } = this.#options;
    const queues = this.#worked.map(({ queue }) => queue);
    const look = await db.read("tasks.look", async (tx) => await lookAhead(tx, queues));
    if (look.leaseUntil !== null && look.leaseUntil <= look.now) {
      const freed = await db.write("tasks.free", async (tx) => await freeExpired(db, tx));
      this.#metrics.lost(freed);
      if (freed > 0) this.#again = true;
    }
    let waitMs = look.leaseUntil === null ? pollMs : Math.max(1, look.leaseUntil - look.now);
    for (const worked of this.#worked) {
      const due = look.due.get(queueName(worked.queue));
      if (due === undefined) continue;
      if (due > look.now) waitMs = Math.min(waitMs, due - look.now);
      else await this.#claim(worked);
    }
    return Math.min(pollMs, waitMs);
  }

  async #claim(worked: Worked): Promise<void> {
    const { db, clock } = this.#options;
    const limit = worked.batch - worked.held;
    worked.full = limit <= 0;
    if (worked.full || this.#stopping.signal.aborted) return;
    const deadline = clock.monotonic() + leaseMs;
    const { rows, more } = await db.write(
      "tasks.claim",
      async (tx) => await claimTasks(db, tx, this.#claimant, { queue: worked.queue, limit }),
    );
    worked.full = rows.length === limit;
    if (more) this.#again = true;
    worked.next.push(...rows.map((row) => ({ row, deadline })));
    this.#fill(worked);
  }

  /** Begins what is claimed while there are slots; the tasks of one order key run one after the other. */
  #fill(worked: Worked): void {
    const busy = new Set([...worked.running].map(({ orderKey }) => orderKey));
    for (let at = 0; at < worked.next.length && worked.running.size < worked.slots && this.#started;) {
      const claimed = worked.next[at]!;
      const { row } = claimed;
      if (row.order_key !== null && busy.has(row.order_key)) {
        at += 1;
        continue;
      }
      worked.next.splice(at, 1);
      busy.add(row.order_key);
      this.#begin(worked, claimed);
    }
  }

  #begin(worked: Worked, { row, deadline }: Claimed): void {
    const attempt = new Attempt({ ...this.#attempts, row, deadline, handler: this.#handlers.get(row.kind)! });
    worked.running.add(attempt);
    const ended = attempt.run().then(async (outcome) => {
      worked.running.delete(attempt);
      if (outcome !== "done" && row.order_key !== null) await this.#releaseFollowers(worked, row.order_key);
      this.#open.delete(ended);
      this.#fill(worked);
      // There may be more than was claimed, or the next one of an order key has become the first.
      if (worked.next.length < worked.slots && (worked.full || row.order_key !== null)) this.nudge();
    });
    this.#open.add(ended);
  }

  /** The task before them did not end, and keeps its place. */
  async #releaseFollowers(worked: Worked, orderKey: string): Promise<void> {
    const rows = worked.next.map(({ row }) => row).filter(({ order_key }) => order_key === orderKey);
    worked.next = worked.next.filter(({ row }) => row.order_key !== orderKey);
    if (rows.length === 0) return;
    await this.#options.db
      .write("tasks.release", async (tx) => await releaseTasks(tx, rows))
      .catch((error: unknown) => this.#options.log.warn({ err: error }, "tasks were not given back; their lease ends by itself"));
  }

  #keepLeases(): void {
    const { clock } = this.#options;
    this.#renewal = clock.setTimeout(() => {
      const done = () => {
        if (this.#started || this.#open.size > 0) this.#keepLeases();
      };
      void this.#renew().finally(done);
    }, renewEveryMs);
  }

  async #renew(): Promise<void> {
    const { db, clock, log } = this.#options;
    const running = this.#worked.flatMap((one) => [...one.running]).filter((attempt) => !attempt.isEnding);
    const next = new Set(this.#worked.flatMap((one) => one.next));
    const held = [...running.map(({ rowId }) => rowId), ...[...next].map(({ row }) => row.id)];
    if (held.length === 0) return;
    const asked = clock.monotonic();
    try {
      const owned = await db.write("tasks.renew", async (tx) => await renewTasks(db, tx, this.#claimant, held));
      for (const attempt of running)
        if (owned.get(attempt.rowId) !== false) attempt.renewed(owned.has(attempt.rowId), asked + leaseMs);
      // What was claimed meanwhile was not asked for.
      for (const worked of this.#worked) worked.next = worked.next.filter((one) => !next.has(one) || owned.has(one.row.id));
    } catch (error) {
      log.warn({ err: error }, "the leases of tasks could not be renewed yet");
      for (const worked of this.#worked) for (const attempt of worked.running) attempt.expire(clock.monotonic());
    }
  }
}
