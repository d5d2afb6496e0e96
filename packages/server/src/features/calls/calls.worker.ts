import { applyTask, type TaskHandler } from "#core/ports/index.ts";
import { archiveCall, expireCall, replanIdle, touchCall } from "./calls.contract.ts";
import type { CallsService } from "./calls.service.ts";

export function callsTasks(service: CallsService): TaskHandler[] {
  return [
    applyTask({ task: expireCall, apply: async (tx, { payload }) => await service.expire(tx, payload) }),
    applyTask({ task: archiveCall, apply: async (tx, { payload }) => await service.archive(tx, payload) }),
    applyTask({ task: touchCall, apply: async (tx, { payload }) => await service.touch(tx, payload.id) }),
    applyTask({ task: replanIdle, apply: async (tx, { payload }) => await service.replan(tx, payload) }),
  ];
}
