import { type BulkOptions, bulkInsert, queries } from "#core/db/index.ts";
import type { TaskLane, WorkerTaskDefinition } from "#core/contract/index.ts";
import type { Database, DeadTask, Ids, NewTask, Tasks, TaskStatus, Tracing, Tx } from "#core/ports/index.ts";
import { idleState, overdue } from "./claim.ts";
import { lockPlaces, moveUpNext } from "./order.ts";
import { deadWorkerTasks, type TaskTables, workerTasks } from "./tasks.schema.ts";

export interface TasksOptions {
  readonly db: Pick<Database, "now">;
  readonly ids: Ids;
  readonly tracing?: Tracing;
  /** Validates payloads; throws `TypeError` with what is wrong. */
  readonly check: (definition: WorkerTaskDefinition, payload: unknown) => void;
}

/** The port, with a callback for tasks that are due at once, so that a runner need not wait for its next look. */
export interface SqlTasks extends Tasks {
  onDue(listener: (lane: TaskLane) => void): void;
}

interface KeyedTask {
  readonly dueAt: number;
  /** It waits for its first attempt. */
  readonly isUntouched: boolean;
}

/** Longer delays are found by the runner's own looks. */
const soonMs = 1000;
const mostKeyCharacters = 150;

/** A task that replaces another one keeps its `id`, which is its place in the order, and its `fence`. */
const onConflict: BulkOptions<typeof workerTasks>["onConflict"] = {
  keys: ["replace_key"],
  update: [
    "task_id",
    "role",
    "lane",
    "state",
    "due_at",
    "first_due_at",
    "order_key",
    "attempts",
    "owner",
    "lease_until",
    "progress_done",
    "progress_total",
    "enqueued_at",
    "trace",
    "payload",
  ],
};

/** The stored form of a key; keys of different definitions do not meet. */
function storedKey(definition: WorkerTaskDefinition, key: string): string {
  if (key.length > mostKeyCharacters) throw new TypeError(`${definition.id}: the key ${key.slice(0, 20)}... is too long`);
  return `${definition.id}:${key}`;
}

/** Of each order key only the first one has to be looked at: the others are stored with it, and end after it. */
function inOrder<R extends { readonly order_key: string | null; readonly state: string }>(rows: readonly R[]): R[] {
  const keys = new Set<string>();
  return rows.map((row) => {
    if (row.order_key === null || !keys.has(row.order_key)) {
      if (row.order_key !== null) keys.add(row.order_key);
      return row;
    }
    return { ...row, state: "behind" };
  });
}

export class TaskQueue implements SqlTasks {
  readonly #options: TasksOptions;
  readonly #listeners: ((lane: TaskLane) => void)[] = [];

  constructor(options: TasksOptions) {
    this.#options = options;
  }

  onDue(listener: (lane: TaskLane) => void): void {
    this.#listeners.push(listener);
  }

  async enqueue<D extends WorkerTaskDefinition>(tx: Tx, definition: D, task: NewTask<D>): Promise<string> {
    const [id] = await this.enqueueAll(tx, definition, [task]);
    return id!;
  }

  async enqueueAll<D extends WorkerTaskDefinition>(tx: Tx, definition: D, tasks: readonly NewTask<D>[]): Promise<string[]> {
    if (tasks.length === 0) return [];
    const now = await this.#options.db.now(tx);
    const rows = inOrder(tasks.map((task) => this.#rowOf(definition, task, now)));
    const keys = definition.orderKey ? rows.flatMap(({ replace_key }) => replace_key ?? []) : [];
    const before = keys.length === 0 ? [] : await lockPlaces(tx, keys);
    await bulkInsert(tx, workerTasks, rows, { onConflict: onConflict! });
    // A task that was replaced may have another order key now.
    for (const place of before) await moveUpNext(tx, place);
    if (rows.some(({ due_at }) => due_at <= now + soonMs)) this.#nudgeAfter(tx, definition.lane);
    return rows.map(({ task_id }) => task_id);
  }

  /** The tasks of these definitions that have their own id as key, by that id. */
  async keyed(tx: Tx, definitions: readonly WorkerTaskDefinition[]): Promise<ReadonlyMap<string, KeyedTask>> {
    const keys = definitions.map((definition) => storedKey(definition, definition.id));
    if (keys.length === 0) return new Map();
    const rows = await queries<TaskTables>(tx)
      .selectFrom("worker_tasks")
      .select(["kind", "state", "due_at", "attempts"])
      .where("replace_key", "in", keys)
      .execute();
    return new Map(
      rows.map(({ kind, state, due_at, attempts }) => [
        kind,
        { dueAt: due_at, isUntouched: state !== "running" && attempts === 0 },
      ]),
    );
  }

  /** Enqueues a task with its definition's id as key, unless there is one already, which may run. */
  async enqueueMissing(tx: Tx, definition: WorkerTaskDefinition, dueAt: number): Promise<void> {
    const row = this.#rowOf(definition, { payload: {}, key: definition.id, dueAt }, await this.#options.db.now(tx));
    await bulkInsert(tx, workerTasks, [row], { onConflict: { keys: ["replace_key"], update: [] } });
    this.#nudgeAfter(tx, definition.lane);
  }

  /** Changes when a waiting task with its definition's id as key is due; not if it has begun or moved meanwhile. */
  async moveDue(tx: Tx, definition: WorkerTaskDefinition, { from, to }: { from: number; to: number }): Promise<void> {
    await queries<TaskTables>(tx)
      .updateTable("worker_tasks")
      .set({ due_at: Math.trunc(to) })
      .where("replace_key", "=", storedKey(definition, definition.id))
      .where("state", "=", "waiting")
      .where("due_at", "=", from)
      .execute();
    this.#nudgeAfter(tx, definition.lane);
  }

  async cancel(tx: Tx, definition: WorkerTaskDefinition, key: string): Promise<boolean> {
    const stored = storedKey(definition, key);
    const places = definition.orderKey ? await lockPlaces(tx, [stored]) : [];
    const { numDeletedRows } = await queries<TaskTables>(tx)
      .deleteFrom("worker_tasks")
      .where("replace_key", "=", stored)
      .executeTakeFirst();
    for (const place of places) await moveUpNext(tx, place);
    return numDeletedRows > 0n;
  }

  async status(tx: Tx, taskId: string): Promise<TaskStatus | null> {
    const q = queries<TaskTables>(tx);
    const row = await q.selectFrom("worker_tasks").selectAll().where("task_id", "=", taskId).executeTakeFirst();
    if (row) {
      const { progress_done: done, progress_total: total, attempts } = row;
      const progress = done === null || total === null ? null : { done, total };
      return { state: row.state === "running" ? "running" : "waiting", attempts, progress, error: null };
    }
    const dead = await q.selectFrom("worker_tasks_dead").selectAll().where("task_id", "=", taskId).executeTakeFirst();
    return dead ? { state: "dead", attempts: dead.attempts, progress: null, error: dead.error } : null;
  }

  async dead(tx: Tx, limit: number, below?: number): Promise<{ items: DeadTask[]; total: number }> {
    const q = queries<TaskTables>(tx);
    let query = q.selectFrom("worker_tasks_dead").selectAll().orderBy("id", "desc").limit(limit);
    if (below !== undefined) query = query.where("id", "<", below);
    const rows = await query.execute();
    const { n } = await q
      .selectFrom("worker_tasks_dead")
      .select((e) => e.fn.countAll<number>().as("n"))
      .executeTakeFirstOrThrow();
    const items = rows.map(({ id, task_id: taskId, kind, attempts, enqueued_at, died_at, error }) => {
      return { id, taskId, kind, attempts, enqueuedAt: enqueued_at, diedAt: died_at, error };
    });
    return { items, total: Number(n) };
  }

  async overdue(tx: Tx, forMs: number) {
    return await overdue(this.#options.db, tx, forMs);
  }

  async resend(tx: Tx, id: number): Promise<boolean> {
    const q = queries<TaskTables>(tx);
    const dead = await q.selectFrom("worker_tasks_dead").selectAll().where("id", "=", id).executeTakeFirst();
    if (!dead || !(await this.discard(tx, id))) return false;
    const now = await this.#options.db.now(tx);
    const { task_id, kind, role, lane, order_key, replace_key, enqueued_at, trace, payload } = dead;
    const kept = { task_id, kind, role, lane, order_key, replace_key, enqueued_at, trace, payload };
    const state = idleState(order_key);
    const row = { ...kept, state, due_at: now, first_due_at: now, attempts: 0, fence: 0 };
    // One that was enqueued with the key meanwhile is newer, and stays.
    await bulkInsert(tx, workerTasks, [row], { onConflict: { keys: ["replace_key"], update: [] } });
    // MariaDB counts a row that is there already as inserted.
    const waits = await q.selectFrom("worker_tasks").select("id").where("task_id", "=", task_id).executeTakeFirst();
    if (!waits) {
      await q.insertInto("worker_tasks_dead").values(dead).execute();
      return false;
    }
    this.#nudgeAfter(tx, lane as TaskLane);
    return true;
  }

  async discard(tx: Tx, id: number): Promise<boolean> {
    const { numDeletedRows } = await queries<TaskTables>(tx)
      .deleteFrom(deadWorkerTasks.name)
      .where("id", "=", id)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  #rowOf<D extends WorkerTaskDefinition>(definition: D, { payload, dueAt, key }: NewTask<D>, now: number) {
    const { id: kind, lane, role = "worker", orderKey } = definition;
    this.#options.check(definition, payload);
    const order_key = orderKey?.(payload) ?? null;
    const due_at = Math.trunc(dueAt ?? now);
    return {
      task_id: this.#options.ids.next(),
      kind,
      role,
      lane,
      state: idleState(order_key),
      due_at,
      first_due_at: due_at,
      order_key,
      replace_key: key === undefined ? null : storedKey(definition, key),
      attempts: 0,
      owner: null,
      fence: 0,
      lease_until: null,
      progress_done: null,
      progress_total: null,
      enqueued_at: now,
      trace: this.#options.tracing?.traceparent() ?? null,
      payload: JSON.stringify(payload ?? null),
    };
  }

  #nudgeAfter(tx: Tx, lane: TaskLane): void {
    if (this.#listeners.length > 0) tx.afterCommit(() => this.#listeners.forEach((listener) => listener(lane)));
  }
}
