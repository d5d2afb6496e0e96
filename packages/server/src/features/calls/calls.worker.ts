import { applyTask, type TaskHandler } from "#core/ports/index.ts";
import { archiveCall, expireCall, handOverUnanswered, replanIdle, touchCall } from "./calls.contract.ts";
import type { HandOverService } from "./calls.handover.service.ts";
import type { StormAlerts } from "./calls.storm.alerts.service.ts";
import { endStorm, touchStorm } from "./calls.storm.contract.ts";
import type { CallsService } from "./calls.service.ts";

export function callsTasks(service: CallsService, handover: HandOverService, alerts: StormAlerts): TaskHandler[] {
  return [
    applyTask({ task: expireCall, apply: async (tx, { payload }) => await service.expire(tx, payload) }),
    applyTask({ task: archiveCall, apply: async (tx, { payload }) => await service.archive(tx, payload) }),
    applyTask({ task: touchCall, apply: async (tx, { payload }) => await service.touch(tx, payload.id) }),
    applyTask({ task: handOverUnanswered, apply: async (tx, { payload }) => await handover.unanswered(tx, payload) }),
    applyTask({ task: replanIdle, apply: async (tx, { payload }) => await service.replan(tx, payload) }),
    applyTask({ task: touchStorm, apply: async (tx, { payload }) => await alerts.touch(tx, payload.id) }),
    applyTask({ task: endStorm, apply: async (tx, { payload }) => await alerts.end(tx, payload.id) }),
  ];
}
