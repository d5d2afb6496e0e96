import { Type } from "typebox";
import { access, defineOperation, Version } from "#core/contract/index.ts";
import { CallDetail, callsErrors, id, refusals } from "./calls.base.contract.ts";
import { exampleDetail } from "./calls.examples.contract.ts";

const byId = Type.Object({ id });

/** The older one stays. */
export const mergeCalls = defineOperation({
  id: "calls.merge",
  method: "POST",
  path: "/api/calls/:id/merge",
  summary: "Merge two open calls about the same: the older one stays, with the units, callers and timelines of both",
  access: access.character(),
  rate: "write",
  input: {
    params: byId,
    body: Type.Object({
      version: Version,
      other: Type.Object({ id, version: Version }),
      /** The call that stays gets the jobs of both. */
      uniteJobs: Type.Optional(Type.Boolean()),
    }),
  },
  output: CallDetail,
  errors: [
    ...refusals,
    callsErrors.notAllJobs,
    callsErrors.timelineFull,
    callsErrors.mergedFull,
    callsErrors.unitsFull,
    callsErrors.stale,
  ],
  example: {
    params: { id: 13 },
    body: { version: 1, other: { id: 12, version: 1 }, uniteJobs: false },
    output: {
      ...exampleDetail,
      version: 2,
      merged: [{ id: 13, version: 2, message: "Shots at the bank", createdAt: 1_795_000_020_000 }],
    },
  },
});

export const undoMerge = defineOperation({
  id: "calls.undoMerge",
  method: "POST",
  path: "/api/calls/:id/merge/undo",
  summary: "Take a merged call out of the other one again, with the units that have not gone on since",
  access: access.character(),
  rate: "write",
  input: { params: byId, body: Type.Object({ version: Version }) },
  output: CallDetail,
  errors: [...refusals, callsErrors.notMerged, callsErrors.survivorEnded, callsErrors.notAllJobs, callsErrors.stale],
  example: { params: { id: 13 }, body: { version: 2 }, output: { ...exampleDetail, id: 13, version: 3 } },
});
