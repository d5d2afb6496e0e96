import { applyTask, type TaskHandler } from "#core/ports/index.ts";
import { expireOffer } from "./assignments.contract.ts";
import type { WorkFollow } from "./assignments.follow.service.ts";

export function assignmentsTasks(follow: WorkFollow): TaskHandler[] {
  return [applyTask({ task: expireOffer, apply: async (tx, { payload }) => await follow.expire(tx, payload) })];
}
