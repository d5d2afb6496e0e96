import { type Commanded, startCommanded } from "./commanded.ts";
import type { TaskWorkerEvent, TaskWorkerOrder } from "./taskWorker.fixture.ts";

export type TaskWorker = Commanded<TaskWorkerEvent>;

export function startTaskWorker(order: TaskWorkerOrder): TaskWorker {
  return startCommanded("taskWorker.fixture.ts", order);
}
