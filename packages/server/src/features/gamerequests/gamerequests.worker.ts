import { applyTask, type TaskHandler } from "#core/ports/index.ts";
import { endRequest, expireRequest } from "./gamerequests.contract.ts";
import type { GameRequestsService } from "./gamerequests.service.ts";

export function gamerequestsTasks(service: GameRequestsService): TaskHandler[] {
  return [
    applyTask({ task: expireRequest, apply: async (tx, { payload }) => await service.expire(tx, payload.id) }),
    applyTask({ task: endRequest, apply: async (tx, { payload }) => await service.runEnd(tx, payload.id, payload.state) }),
  ];
}
