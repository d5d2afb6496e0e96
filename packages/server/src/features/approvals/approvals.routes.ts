import { bind, type Binding } from "#core/feature.ts";
import type { TopicBinding } from "#core/ports/index.ts";
import * as contract from "./approvals.contract.ts";
import type { DelegationsService } from "./approvals.delegations.service.ts";
import { classOf, concerns, type ListsChange, listsChangeOf } from "./approvals.live.policy.ts";
import { standingOf } from "./approvals.policy.ts";
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
      return await service.decide(call, params.id, { version, verdict: { approve: false, reason: reason.trim() } });
    }),
    bind(contract.withdrawRequest, async (call, { params }) => await service.withdraw(call, params.id)),
  ];
}

/** The lists follow by what an event says; who follows one request is asked again after each change of it. */
export function approvalsTopics(service: ApprovalsService): TopicBinding[] {
  const { approvalChanged, delegationsChanged } = contract;
  return [
    {
      topic: contract.approvalsTopic,
      async authorize(viewer) {
        const who = standingOf(viewer);
        return { class: classOf(who), view: (data) => (concerns(data as ListsChange, who) ? {} : null) };
      },
      project({ type, payload }) {
        if (type === approvalChanged.id) return [{ key: null, data: payload }];
        if (type !== delegationsChanged.id) return [];
        return [{ key: null, data: listsChangeOf(payload as contract.DelegationsChange) }];
      },
    },
    {
      topic: contract.approvalTopic,
      async authorize(viewer, key) {
        const id = /^[1-9]\d{0,14}$/.test(key ?? "") ? Number(key) : 0;
        return id > 0 && (await service.mayRead(viewer, id)) ? { class: "", view: (data) => data } : null;
      },
      project({ type, payload }) {
        if (type !== approvalChanged.id) return [];
        const { id } = payload as contract.ApprovalChange;
        return [{ key: String(id), data: { id } }];
      },
      rechecks: [
        { event: approvalChanged, keysOf: ({ payload }) => [String((payload as contract.ApprovalChange).id)] },
        // What a delegate may read has no other limit than the kinds that were handed over.
        { event: delegationsChanged, keysOf: () => null },
      ],
    },
  ];
}
