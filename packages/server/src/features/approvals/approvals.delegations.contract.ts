import { Type, type Static } from "typebox";
import { access, defineOperation, Instant } from "#core/contract/index.ts";
import { approvalsErrors, byId, id, kind } from "./approvals.base.contract.ts";

/** The longest time of a delegation, in days. */
export const longestDelegation = 92;
/** The most delegations that somebody has given, or has got, at once. */
export const mostDelegations = 20;

export const Delegation = Type.Object({
  id,
  /** Who handed the decisions over. */
  by: Type.String(),
  to: Type.String(),
  /** Given by the caller, who can revoke it; otherwise got. */
  given: Type.Boolean(),
  kinds: Type.Array(kind),
  from: Instant,
  until: Instant,
  createdAt: Instant,
});
export type Delegation = Static<typeof Delegation>;

const exampleDelegation: Delegation = {
  id: 3,
  by: "Mara Lind",
  to: "Ada Person",
  given: true,
  kinds: ["accounts.adminPower"],
  from: 1_790_000_000_000,
  until: 1_790_600_000_000,
  createdAt: 1_790_000_000_000,
};

const { given: _given, ...exampleOfOthers } = exampleDelegation;

/** Those that ended or were revoked are in the audit log. */
export const listDelegations = defineOperation({
  id: "approvals.delegations",
  method: "GET",
  path: "/api/approvals/delegations",
  summary: "Delegations that the caller gave and got, and the kinds of requests that there are",
  access: access.character(),
  rate: "read",
  input: {},
  output: Type.Object({ items: Type.Array(Delegation), kinds: Type.Array(kind) }),
  example: { output: { items: [exampleDelegation], kinds: ["accounts.adminPower"] } },
});

/**
 * Another character decides requests of these kinds, where the caller may, for a time. It counts only while the
 * caller still may; what a delegate got is not handed on.
 */
export const createDelegation = defineOperation({
  id: "approvals.delegate",
  method: "POST",
  path: "/api/approvals/delegations",
  summary: "Hand decisions to another character for a time",
  access: access.character(),
  rate: "write",
  input: {
    body: Type.Object({
      citizenId: id,
      kinds: Type.Array(kind, { minItems: 1, maxItems: 50, uniqueItems: true }),
      from: Instant,
      until: Instant,
    }),
  },
  output: Delegation,
  errors: [
    approvalsErrors.kindUnknown,
    approvalsErrors.delegationSpan,
    approvalsErrors.delegateUnknown,
    approvalsErrors.delegateSelf,
    approvalsErrors.citizensHidden,
    approvalsErrors.delegationExists,
    approvalsErrors.tooManyDelegations,
  ],
  example: {
    body: { citizenId: 12, kinds: ["accounts.adminPower"], from: 1_790_000_000_000, until: 1_790_600_000_000 },
    output: exampleDelegation,
  },
});

export const revokeDelegation = defineOperation({
  id: "approvals.revokeDelegation",
  method: "DELETE",
  path: "/api/approvals/delegations/:id",
  summary: "End a delegation that the caller gave or got",
  access: access.character(),
  rate: "write",
  input: { params: byId },
  output: null,
  errors: [approvalsErrors.delegationNotFound],
  example: { params: { id: 3 } },
});

/** Those that did not end, of everybody; the newest first, at most 500. */
export const listAllDelegations = defineOperation({
  id: "approvals.allDelegations",
  method: "GET",
  path: "/api/approvals/delegations/all",
  summary: "Delegations of everybody",
  access: access.configAdmin(),
  rate: "read",
  input: {},
  output: Type.Object({ items: Type.Array(Type.Omit(Delegation, ["given"])) }),
  example: { output: { items: [exampleOfOthers] } },
});

export const endDelegation = defineOperation({
  id: "approvals.endDelegation",
  method: "DELETE",
  path: "/api/approvals/delegations/all/:id",
  summary: "End a delegation of anybody",
  access: access.configAdmin(),
  rate: "write",
  input: { params: byId },
  output: null,
  errors: [approvalsErrors.delegationNotFound],
  example: { params: { id: 3 } },
});
