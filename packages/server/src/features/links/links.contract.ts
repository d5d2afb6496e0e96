import { Type } from "typebox";
import { defineEvent } from "#core/contract/index.ts";

/** Links were revoked or used up; every process closes their connections. */
export const linksEnded = defineEvent({
  id: "links.ended",
  version: 1,
  payload: Type.Object({ linkIds: Type.Array(Type.Integer()) }),
});

export const linksContract = { events: [linksEnded] };
