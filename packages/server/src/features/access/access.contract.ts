import { Type } from "typebox";
import { defineErrors, defineEvent } from "#core/contract/index.ts";

export const accessErrors = defineErrors("access", {
  permissionUnknown: { status: 400, params: ["permission"] },
  attributeUnknown: { status: 400, params: ["permission", "attribute"] },
  attributeValueInvalid: { status: 400, params: ["permission", "attribute", "value"] },
  gradeTooLow: { status: 400, params: ["grade", "minimum"] },
});

/** Roles changed: every process reads them again and open subscriptions are asked anew. */
export const rolesChanged = defineEvent({
  id: "access.rolesChanged",
  version: 1,
  payload: Type.Object({ job: Type.String(), epoch: Type.Integer() }),
});

export const accessContract = { events: [rolesChanged], errors: accessErrors };
