import { Type, type Static } from "typebox";
import {
  access,
  days,
  defineOperation,
  defineTopic,
  extend,
  Instant,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  textOf,
  Version,
} from "#core/contract/index.ts";
import { approvalsErrors, byId, id, kind } from "./approvals.base.contract.ts";
import {
  createDelegation,
  endDelegation,
  listAllDelegations,
  listDelegations,
  revokeDelegation,
} from "./approvals.delegations.contract.ts";
import {
  approvalChanged,
  approvalsNotifications,
  delegationsChanged,
  expireRequest,
  remindDeciders,
} from "./approvals.live.contract.ts";
import { requestMachine } from "./approvals.machine.ts";

export * from "./approvals.base.contract.ts";
export * from "./approvals.delegations.contract.ts";
export * from "./approvals.live.contract.ts";

/** Decided requests are kept for this time. Milliseconds. */
export const keptMs = days(365);
const Params = Type.Unsafe<Record<string, string | number>>({ type: "object", additionalProperties: true });

export const deciderKinds = ["configAdmins", "jobAdmins", "right", "grade", "citizen"] as const;

export const Approval = Type.Object({
  id,
  version: Version,
  kind,
  /** Of the title and the text of its kind. */
  params: Params,
  /** Path of the page that shows what it is about. */
  link: Nullable(Type.String()),
  state: OneOf(requestMachine.states),
  /** The present step, from 1. */
  step: Type.Integer({ minimum: 1 }),
  steps: Type.Integer({ minimum: 1 }),
  /** Null when the program created it. */
  requester: Nullable(Type.String()),
  /** Of the citizen who made it; null when it concerns an account. */
  requesterId: Nullable(id),
  createdAt: Instant,
  expiresAt: Nullable(Instant),
  decidedAt: Nullable(Instant),
  /** What the caller can do with it now. */
  mayDecide: Type.Boolean(),
  mayWithdraw: Type.Boolean(),
  /** Whose delegation lets the caller decide it; null in the own right. */
  onBehalf: Nullable(Type.String()),
});
export type Approval = Static<typeof Approval>;

export const ApprovalDetail = extend(Approval, {
  /** What those who decide have to know, as it is now; `label` is the key of a text of the kind. */
  facts: Type.Array(Type.Object({ label: Type.String(), values: Type.Array(Type.String()) })),
  chain: Type.Array(
    Type.Object({
      /** Any one of them decides the step. What does not apply to the kind of decider is null. */
      deciders: Type.Array(
        Type.Object({
          by: OneOf(deciderKinds),
          permission: Nullable(Type.String()),
          /** The label of the job; null for a right in any job. */
          job: Nullable(Type.String()),
          grade: Nullable(Type.String()),
          citizen: Nullable(Type.String()),
        }),
      ),
      decision: Nullable(
        Type.Object({
          approved: Type.Boolean(),
          reason: Nullable(Type.String()),
          /** Null for somebody who was removed for good. */
          name: Nullable(Type.String()),
          /** Whose decision it was; null when it was made in the own right. The name is null as above. */
          onBehalf: Nullable(Type.Object({ name: Nullable(Type.String()) })),
          at: Instant,
        }),
      ),
    }),
  ),
});
export type ApprovalDetail = Static<typeof ApprovalDetail>;

const example: Approval = {
  id: 7,
  version: 1,
  kind: "accounts.adminPower",
  params: { account: "mara", power: "config", groups: "admin" },
  link: "/panel/accounts/12",
  state: "open",
  step: 1,
  steps: 1,
  requester: "mara",
  requesterId: null,
  createdAt: 1_790_000_000_000,
  expiresAt: null,
  decidedAt: null,
  mayDecide: true,
  mayWithdraw: false,
  onBehalf: null,
};
const configAdmins = { by: "configAdmins" as const, permission: null, job: null, grade: null, citizen: null };
const exampleDetail: ApprovalDetail = { ...example, facts: [], chain: [{ deciders: [configAdmins], decision: null }] };
const approvedExample: ApprovalDetail = {
  ...exampleDetail,
  version: 2,
  state: "approved",
  decidedAt: 1_790_000_600_000,
  mayDecide: false,
  chain: [
    {
      deciders: [configAdmins],
      decision: { approved: true, reason: null, name: "Ada Person", onBehalf: null, at: 1_790_000_600_000 },
    },
  ],
};

export const approvalLists = ["waiting", "own", "decided"] as const;
/** Which one of a list comes first. */
export const approvalOrders = ["newest", "oldest"] as const;

export const listApprovals = defineOperation({
  id: "approvals.list",
  method: "GET",
  path: "/api/approvals/requests",
  summary: "Requests that wait for the caller, the caller's own, or those that the caller decided; by default the newest first",
  access: access.character(),
  rate: "read",
  input: {
    query: Type.Object({
      list: Type.Optional(OneOf(approvalLists, { default: "waiting" })),
      first: Type.Optional(OneOf(approvalOrders, { default: "newest" })),
      ...pageQuery,
    }),
  },
  output: PageOf(Approval),
  example: { query: { list: "waiting" }, output: { items: [example], next: null, total: 1, totalCapped: false } },
});

export const getApproval = defineOperation({
  id: "approvals.get",
  method: "GET",
  path: "/api/approvals/requests/:id",
  summary: "One request with its steps",
  access: access.character(),
  rate: "read",
  input: { params: byId },
  output: ApprovalDetail,
  errors: [approvalsErrors.notFound],
  example: { params: { id: 7 }, output: exampleDetail },
});

const closed = [approvalsErrors.approved, approvalsErrors.refused, approvalsErrors.withdrawn, approvalsErrors.expired];
const decisionErrors = [
  approvalsErrors.notFound,
  approvalsErrors.stale,
  ...closed,
  approvalsErrors.ownRequest,
  approvalsErrors.notDecider,
];

/** Approves the present step; the last one approves the request. */
export const approveRequest = defineOperation({
  id: "approvals.approve",
  method: "PUT",
  path: "/api/approvals/requests/:id/approval",
  summary: "Approve a request",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: Type.Object({ version: Version }) },
  output: ApprovalDetail,
  errors: [...decisionErrors, approvalsErrors.impossible],
  example: { params: { id: 7 }, body: { version: 1 }, output: approvedExample },
});

/** Ends the request, whatever its step. */
export const refuseRequest = defineOperation({
  id: "approvals.refuse",
  method: "PUT",
  path: "/api/approvals/requests/:id/refusal",
  summary: "Refuse a request, with a reason that the requester reads",
  access: access.character(),
  rate: "write",
  input: {
    params: byId,
    body: Type.Object({ version: Version, reason: textOf(500, 3) }),
  },
  output: ApprovalDetail,
  errors: [...decisionErrors, approvalsErrors.impossible],
  example: {
    params: { id: 7 },
    body: { version: 1, reason: "Not a member of the team" },
    output: { ...approvedExample, state: "refused" },
  },
});

export const withdrawRequest = defineOperation({
  id: "approvals.withdraw",
  method: "POST",
  path: "/api/approvals/requests/:id/withdrawal",
  summary: "Withdraw one of your requests",
  access: access.character(),
  rate: "write",
  input: { params: byId },
  output: ApprovalDetail,
  errors: [approvalsErrors.notFound, approvalsErrors.notRequester, ...closed],
  example: { params: { id: 7 }, output: { ...exampleDetail, state: "withdrawn", mayDecide: false } },
});

/** What the viewer may decide, asked for or decided has changed. It says no more: the lists are read again. */
export const approvalsTopic = defineTopic({
  name: "approvals",
  kind: "event",
  access: access.character(),
  message: Type.Object({}),
  invalidates: { answers: [listApprovals, listDelegations, listAllDelegations] },
  example: {},
});

/** One request changed. For those who may read it. */
export const approvalTopic = defineTopic({
  name: "approvals/:id",
  kind: "event",
  access: access.character(),
  message: Type.Object({ id }),
  invalidates: { answers: [getApproval] },
  example: { id: 7 },
});

export const approvalsContract = {
  operations: [
    listApprovals,
    listDelegations,
    createDelegation,
    revokeDelegation,
    listAllDelegations,
    endDelegation,
    getApproval,
    approveRequest,
    refuseRequest,
    withdrawRequest,
  ],
  events: [approvalChanged, delegationsChanged],
  topics: [approvalsTopic, approvalTopic],
  tasks: [remindDeciders, expireRequest],
  errors: approvalsErrors,
  notifications: approvalsNotifications,
  machines: [requestMachine],
  actions: ["approvals.request", "approvals.widen", "approvals.replace", "approvals.expire"],
  objects: ["approvals.request", "approvals.delegation"],
};
