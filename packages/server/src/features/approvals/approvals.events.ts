import { type EventReaction, reactTo } from "#core/ports/index.ts";
import { accountsChanged, accountsPurged } from "#features/accounts/accounts.contract.ts";
import { citizensPurged } from "#features/citizens/citizens.contract.ts";
import type { DelegationsService } from "./approvals.delegations.service.ts";
import type { ApprovalRequests } from "./approvals.requests.service.ts";

export function approvalsEvents(requests: ApprovalRequests, delegations: DelegationsService): EventReaction[] {
  return [
    reactTo({
      consumer: "approvals.purgeAccounts",
      event: accountsPurged,
      handle: async (tx, { payload }) => await requests.purgeAccounts(tx, payload.accountIds),
    }),
    reactTo({
      consumer: "approvals.endDelegations",
      event: accountsChanged,
      async handle(tx, { payload: { accountIds, changed = [], endSessions }, at }) {
        // Enabling and restoring change the same parts, but end no session.
        const closed = changed.includes("enabled") || changed.includes("deleted_at");
        if (endSessions && closed) await delegations.endGivenBy(tx, accountIds, at);
      },
    }),
    reactTo({
      consumer: "approvals.purgeCitizens",
      event: citizensPurged,
      handle: async (tx, { payload }) => await requests.purgeCitizens(tx, payload.citizenIds),
    }),
  ];
}
