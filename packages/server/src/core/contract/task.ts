import type { Static, TSchema } from "typebox";

/**
 * Groups of worker tasks that do not wait for each other. `prompt`: timers, reminders and notifications, a
 * few statements each; `network`: calls of other systems; `bulk`: what people start and takes minutes, such as
 * exports; `recurring`: schedules and retention.
 */
export const taskLanes = ["prompt", "network", "bulk", "recurring"] as const;
export type TaskLane = (typeof taskLanes)[number];

/** Roles of processes that run worker tasks. */
export const taskRoles = ["worker", "bot"] as const;
export type TaskRole = (typeof taskRoles)[number];

export interface TaskRetry {
  /** How often a task is tried before it is dead. */
  readonly attempts: number;
  /** Delay of the second attempt, in milliseconds; it doubles with each further one. */
  readonly firstMs: number;
  readonly maxMs: number;
}

/** Half a day in twelve attempts: a service that fails in the evening is back in the morning. */
export const defaultRetry: TaskRetry = { attempts: 12, firstMs: 1000, maxMs: 6 * 3_600_000 };

/** Work of a process in the background, enqueued in the transaction of the change that causes it. */
export interface WorkerTaskDefinition<P extends TSchema = TSchema> {
  /** `<feature>.<verb>`, stored with each task: renaming it loses those that wait. */
  readonly id: string;
  readonly payload: P;
  readonly lane: TaskLane;
  /** `worker` by default. */
  readonly role?: TaskRole;
  /** `defaultRetry` by default. */
  readonly retry?: TaskRetry;
  /** After this time an attempt counts as failed; milliseconds. By default one minute, in the lanes `bulk` and `recurring` six hours. */
  readonly timeoutMs?: number;
  /** Tasks of one key, role and lane run one at a time, in the order in which they were enqueued. */
  orderKey?(payload: Static<P>): string;
}

export function defineWorkerTask<P extends TSchema>(definition: WorkerTaskDefinition<P>): WorkerTaskDefinition<P> {
  return definition;
}

export type TaskPayloadOf<D extends WorkerTaskDefinition> = Static<D["payload"]>;
