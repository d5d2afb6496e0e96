import { bind, type Binding } from "#core/feature.ts";
import * as contract from "./approvals.contract.ts";
import type { DelegationsService } from "./approvals.delegations.service.ts";
import type { ApprovalsService } from "./approvals.service.ts";

export function approvalsRoutes(service: ApprovalsService, delegations: DelegationsService): Binding[] {
  return [
    bind(contract.listApprovals, async (call, { query }) => await service.list(call, query)),
    bind(contract.listDelegations, async (call) => await delegations.list(call)),
    bind(contract.createDelegation, async (call, { body }) => await delegations.create(call, body)),
    bind(contract.revokeDelegation, async (call, { params }) => await delegations.revoke(call, params.id)),
    bind(contract.listAllDelegations, async () => await delegations.listAll()),
    bind(contract.endDelegation, async (call, { params }) => await delegations.endAny(call, params.id)),
    bind(contract.getApproval, async (call, { params }) => await service.get(call, params.id)),
    bind(contract.approveRequest, async (call, { params, body }) => {
      return await service.decide(call, params.id, { version: body.version, verdict: { approve: true } });
    }),
    bind(contract.refuseRequest, async (call, { params, body: { version, reason } }) => {
      return await service.decide(call, params.id, { version, verdict: { approve: false, reason } });
    }),
    bind(contract.withdrawRequest, async (call, { params }) => await service.withdraw(call, params.id)),
  ];
}
