import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { accountsPurged } from "#features/accounts/accounts.contract.ts";
import type { ApprovalRequests } from "./approvals.requests.service.ts";

export function approvalsEvents(requests: ApprovalRequests): EventReaction[] {
  return [
    reactTo({
      consumer: "approvals.purgeAccounts",
      event: accountsPurged,
      handle: async (tx, { payload }) => await requests.purgeAccounts(tx, payload.accountIds),
    }),
  ];
}
