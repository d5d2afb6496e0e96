import { applyTask, type TaskHandler } from "#core/ports/index.ts";
import { archiveCall, expireCall, handOverUnanswered, replanIdle, touchCall } from "./calls.contract.ts";
import type { HandOverService } from "./calls.handover.service.ts";
import type { CallsService } from "./calls.service.ts";

export function callsTasks(service: CallsService, handover: HandOverService): TaskHandler[] {
  return [
    applyTask({ task: expireCall, apply: async (tx, { payload }) => await service.expire(tx, payload) }),
    applyTask({ task: archiveCall, apply: async (tx, { payload }) => await service.archive(tx, payload) }),
    applyTask({ task: touchCall, apply: async (tx, { payload }) => await service.touch(tx, payload.id) }),
    applyTask({ task: handOverUnanswered, apply: async (tx, { payload }) => await handover.unanswered(tx, payload) }),
    applyTask({ task: replanIdle, apply: async (tx, { payload }) => await service.replan(tx, payload) }),
  ];
}
