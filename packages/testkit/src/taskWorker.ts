import { type Commanded, startCommanded } from "./commanded.ts";
import type { TaskWorkerEvent, TaskWorkerOrder } from "./taskWorker.fixture.ts";

export type TaskWorker = Commanded<TaskWorkerEvent>;

/** `env` is added to that of this process. */
export function startTaskWorker(order: TaskWorkerOrder, env: Readonly<Record<string, string>> = {}): TaskWorker {
  return startCommanded("taskWorker.fixture.ts", order, env);
}
