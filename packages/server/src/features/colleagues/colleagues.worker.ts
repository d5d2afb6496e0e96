import { applyTask, type TaskHandler } from "#core/ports/index.ts";
import { fillColleagues } from "./colleagues.contract.ts";
import type { FollowService } from "./colleagues.follow.service.ts";

export function colleaguesTasks(service: FollowService): TaskHandler[] {
  return [applyTask({ task: fillColleagues, apply: async (tx) => await service.fill(tx) })];
}
