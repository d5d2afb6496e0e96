import { defineEvent } from "#core/contract/index.ts";
import { Type } from "typebox";

/** A notification was stored: open browsers of the account show it. */
export const notificationsAdded = defineEvent({
  id: "notifications.added",
  version: 1,
  payload: Type.Object({
    items: Type.Array(
      Type.Object({
        id: Type.Integer(),
        accountId: Type.Integer(),
        /** Null concerns the account, whichever character is chosen. */
        characterId: Type.Union([Type.Integer(), Type.Null()]),
        kind: Type.String(),
        params: Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()])),
        link: Type.Union([Type.String(), Type.Null()]),
        at: Type.Integer(),
      }),
    ),
  }),
});

export const notificationsContract = { events: [notificationsAdded] };
