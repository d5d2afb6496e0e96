import { col, defineTable, type Row, type TableOf } from "#core/db/table.ts";

/**
 * Worker tasks that are not done. `state`: `waiting`; `ordered`, which waits and has an order key;
 * `behind`, which waits for another one of its order key; `running`.
 * `id` is the order of a key, `task_id` the id that other systems see, which is never given to another task,
 * not even after a restore. An attempt owns the row while `owner` and `fence` are its own.
 */
export const workerTasks = defineTable(
  "worker_tasks",
  {
    id: col.id(),
    task_id: col.key(26),
    kind: col.key(100),
    role: col.key(16),
    lane: col.key(16),
    state: col.key(16),
    due_at: col.int(),
    /** When it was due before its first attempt. */
    first_due_at: col.int(),
    order_key: col.key(150).orNull(),
    replace_key: col.key(255).orNull(),
    attempts: col.int(),
    owner: col.key(26).orNull(),
    fence: col.int(),
    lease_until: col.int().orNull(),
    progress_done: col.int().orNull(),
    progress_total: col.int().orNull(),
    enqueued_at: col.int(),
    /** W3C `traceparent` of the change, when it is traced. */
    trace: col.key(55).orNull(),
    payload: col.longText(),
    /** Raised by who decides something because this row is there, so that its end comes before that or after it. */
    touches: col.int().defaultsTo(0),
  },
  {
    primary: ["id"],
    unique: { worker_tasks_task_id: ["task_id"], worker_tasks_replace_key: ["replace_key"] },
    indexes: {
      worker_tasks_next: ["role", "lane", "state", "due_at", "kind"],
      worker_tasks_order: ["role", "lane", "order_key", "id"],
      worker_tasks_lease: ["state", "lease_until"],
    },
  },
);

export type TaskRow = Row<typeof workerTasks>;

/** Tasks that are not tried again. */
export const deadWorkerTasks = defineTable(
  "worker_tasks_dead",
  {
    id: col.id(),
    task_id: col.key(26),
    kind: col.key(100),
    role: col.key(16),
    lane: col.key(16),
    order_key: col.key(150).orNull(),
    replace_key: col.key(255).orNull(),
    attempts: col.int(),
    enqueued_at: col.int(),
    died_at: col.int(),
    error: col.text(1000),
    trace: col.key(55).orNull(),
    payload: col.longText(),
  },
  {
    primary: ["id"],
    unique: { worker_tasks_dead_task_id: ["task_id"] },
    indexes: { worker_tasks_dead_died_at: ["died_at"] },
  },
);

export interface TaskTables {
  worker_tasks: TableOf<typeof workerTasks>;
  worker_tasks_dead: TableOf<typeof deadWorkerTasks>;
}
