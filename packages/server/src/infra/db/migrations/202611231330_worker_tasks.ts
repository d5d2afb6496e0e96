import { col, defineTable, migration } from "./kit.ts";

const workerTasks = defineTable(
  "worker_tasks",
  {
    id: col.id(),
    task_id: col.key(26),
    kind: col.key(100),
    role: col.key(16),
    lane: col.key(16),
    state: col.key(16),
    due_at: col.int(),
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
    trace: col.key(55).orNull(),
    payload: col.longText(),
  },
  {
    primary: ["id"],
    unique: { worker_tasks_task_id: ["task_id"], worker_tasks_replace_key: ["replace_key"] },
    indexes: {
      worker_tasks_due: ["role", "lane", "state", "due_at"],
      worker_tasks_order: ["role", "lane", "order_key", "id"],
      worker_tasks_lease: ["state", "lease_until"],
    },
  },
);

const deadWorkerTasks = defineTable(
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

export default migration(async (steps) => {
  await steps.createTable(workerTasks);
  await steps.createTable(deadWorkerTasks);
});
