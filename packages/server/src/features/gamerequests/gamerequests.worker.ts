import { applyTask, type TaskHandler } from "#core/ports/index.ts";
import { expireRequest } from "./gamerequests.contract.ts";
import type { GameRequestsService } from "./gamerequests.service.ts";

export function gamerequestsTasks(service: GameRequestsService): TaskHandler[] {
  return [applyTask({ task: expireRequest, apply: async (tx, { payload }) => await service.expire(tx, payload.id) })];
}
