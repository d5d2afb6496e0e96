import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("worker_tasks", "touches", col.int().defaultsTo(0));
  await steps.addIndex("worker_tasks", "worker_tasks_next", ["role", "lane", "state", "due_at", "kind"]);
  await steps.dropIndex("worker_tasks", "worker_tasks_due");
});
