import type { TaskLane, TaskRole } from "#core/contract/index.ts";

/** The tasks of one role in one lane. */
export interface Queue {
  readonly role: TaskRole;
  readonly lane: TaskLane;
  /** Kinds that have a handler here: a worker of an earlier version leaves new kinds alone. */
  readonly kinds: readonly string[];
}
