import { applyTask, type TaskHandler } from "#core/ports/index.ts";
import { expireRequest, remindDeciders } from "./approvals.contract.ts";
import type { ApprovalRequests } from "./approvals.requests.service.ts";

export function approvalsTasks(requests: ApprovalRequests): TaskHandler[] {
  return [
    applyTask({ task: remindDeciders, apply: async (tx, { payload }) => await requests.remind(tx, payload.id) }),
    applyTask({ task: expireRequest, apply: async (tx, { payload }) => await requests.expire(tx, payload.id) }),
  ];
}
