import { Type } from "typebox";
import { access, defineOperation, extend, Version } from "#core/contract/index.ts";
import { CallDetail, CallMessage, callsErrors, id, refusals } from "./calls.base.contract.ts";
import { exampleDetail } from "./calls.examples.contract.ts";

const byId = Type.Object({ id });
const linked = { id: 12, state: "open", message: "Robbery in progress", createdAt: 1_795_000_000_000 } as const;

/** Units and notes that come along at once. */
export const mostSplitUnits = 40;
export const mostSplitNotes = 100;

export const splitCall = defineOperation({
  id: "calls.split",
  method: "POST",
  path: "/api/calls/:id/split",
  summary: "Open another call from a part of this one: these units go on there, these notes are copied, and the two are linked",
  access: access.character(),
  rate: "write",
  input: {
    params: byId,
    body: Type.Object({
      version: Version,
      message: CallMessage,
      unitIds: Type.Array(id, { maxItems: mostSplitUnits, uniqueItems: true }),
      /** Of the timeline: notes, and citizens and vehicles that were attached. */
      noteIds: Type.Array(id, { maxItems: mostSplitNotes, uniqueItems: true }),
    }),
  },
  /** The call that was split, and the number of the new one. */
  output: extend(CallDetail, { made: id }),
  errors: [
    ...refusals,
    callsErrors.timelineFull,
    callsErrors.unitNotThere,
    callsErrors.noteNotFound,
    callsErrors.linksFull,
    callsErrors.stale,
  ],
  example: {
    params: { id: 12 },
    body: { version: 1, message: "The getaway car has crashed", unitIds: [7], noteIds: [] },
    output: {
      ...exampleDetail,
      ...{ version: 2, made: 14, links: [{ ...linked, id: 14, message: "The getaway car has crashed" }] },
    },
  },
});

export const linkCalls = defineOperation({
  id: "calls.link",
  method: "POST",
  path: "/api/calls/:id/links",
  summary: "Link a call with another one that you see; both show it to those who see the other one",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: Type.Object({ otherId: id }) },
  output: CallDetail,
  errors: [...refusals, callsErrors.timelineFull, callsErrors.linksFull],
  example: { params: { id: 14 }, body: { otherId: 12 }, output: { ...exampleDetail, id: 14, links: [linked] } },
});

export const unlinkCalls = defineOperation({
  id: "calls.unlink",
  method: "DELETE",
  path: "/api/calls/:id/links/:otherId",
  summary: "Remove the link between two calls",
  access: access.character(),
  rate: "write",
  input: { params: Type.Object({ id, otherId: id }) },
  output: CallDetail,
  errors: refusals,
  example: { params: { id: 14, otherId: 12 }, output: { ...exampleDetail, id: 14 } },
});
