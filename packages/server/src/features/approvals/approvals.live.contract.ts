import { type Static, Type } from "typebox";
import { access, defineEvent, defineTopic } from "#core/contract/index.ts";

const id = Type.Integer({ minimum: 1 });
const accountIds = Type.Array(id);

/** Who may decide a step, as `Decider` of the port. */
const Decider = Type.Union([
  Type.Object({ by: Type.Literal("configAdmins") }),
  Type.Object({ by: Type.Literal("right"), permission: Type.String(), job: Type.Optional(Type.String()) }),
  Type.Object({ by: Type.Literal("grade"), job: Type.String(), minGrade: Type.Integer() }),
  Type.Object({ by: Type.Literal("citizen"), id }),
]);

/** A request was made, went on to its next step, or ended. It names whom that concerns, so that topics need no query. */
export const approvalChanged = defineEvent({
  id: "approvals.changed",
  version: 1,
  payload: Type.Object({
    id,
    kind: Type.String(),
    /** Of the steps that it has reached. */
    deciders: Type.Array(Decider),
    /** The requester, and who decided a step or in whose name one was decided. */
    accountIds,
    /** Accounts to which decisions about its kind are handed over at present. */
    delegateIds: accountIds,
  }),
});
export type ApprovalChange = Static<typeof approvalChanged.payload>;

/** A delegation was given or ended; of its giver and its delegate. */
export const delegationsChanged = defineEvent({
  id: "approvals.delegationsChanged",
  version: 1,
  payload: Type.Object({ accountIds }),
});
export type DelegationsChange = Static<typeof delegationsChanged.payload>;

/** What the viewer may decide, asked for or decided has changed. It says no more: the lists are read again. */
export const approvalsTopic = defineTopic({
  name: "approvals",
  kind: "event",
  access: access.character(),
  message: Type.Object({}),
  example: {},
});

/** One request changed. For those who may read it. */
export const approvalTopic = defineTopic({
  name: "approvals/:id",
  kind: "event",
  access: access.character(),
  message: Type.Object({ id }),
  example: { id: 7 },
});
