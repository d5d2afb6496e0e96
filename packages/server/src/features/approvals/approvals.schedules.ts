import { defineRetention } from "#core/contract/index.ts";
import { bindRetention, type RetentionHandler } from "#core/retention.ts";
import { keptMs } from "./approvals.contract.ts";
import type { ApprovalRequests } from "./approvals.requests.service.ts";

export const purgeApprovals = defineRetention({
  id: "approvals.purge",
  cron: "53 4 * * *",
  jitterMs: 600_000,
  steps: {
    requests: {
      tables: ["approvals_requests", "approvals_deciders", "approvals_decisions"],
      kept: { ms: keptMs },
      atOnce: 200,
      audited: true,
    },
    delegations: { tables: ["approvals_delegations"], kept: { ms: keptMs } },
  },
});

export function approvalsRetention(requests: ApprovalRequests): RetentionHandler {
  return bindRetention(purgeApprovals, requests.prune);
}
