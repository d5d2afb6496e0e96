import { Type } from "typebox";
import { defineErrors } from "#core/contract/index.ts";

export const approvalsErrors = defineErrors("approvals", {
  notFound: { status: 404 },
  stale: { status: 409 },
  approved: { status: 409 },
  refused: { status: 409 },
  withdrawn: { status: 409 },
  expired: { status: 409 },
  ownRequest: { status: 403 },
  notDecider: { status: 403 },
  notRequester: { status: 403 },
  /** `reason`: the key of a text of the kind. */
  impossible: { status: 409, params: ["reason"] },
  kindUnknown: { status: 400, params: ["kind"] },
  delegationNotFound: { status: 404 },
  delegationSpan: { status: 400, params: ["days"] },
  delegateUnknown: { status: 409 },
  delegateSelf: { status: 409 },
  citizensHidden: { status: 403, params: ["permission", "job"] },
  delegationExists: { status: 409 },
  tooManyDelegations: { status: 409, params: ["most"] },
});

export const id = Type.Integer({ minimum: 1 });
export const kind = Type.String({ minLength: 3, maxLength: 100 });
export const byId = Type.Object({ id });
