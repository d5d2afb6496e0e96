import { Type, type Static } from "typebox";
import { access, defineOperation, Version } from "#core/contract/index.ts";
import { AccessEntry, accesslistsErrors, mostEntries } from "#features/accesslists/accesslists.contract.ts";
import { exampleUnit, id, Unit, unitsErrors, unitsPermissions } from "./units.base.contract.ts";

/** The one level of a unit's access list: to join it. */
export const unitLevels = ["join"] as const;

const { manage } = unitsPermissions;
const byId = Type.Object({ id });
const exampleEntry: Static<typeof AccessEntry> = {
  subject: "job",
  job: "police",
  minGrade: 3,
  id: 0,
  level: "join",
  required: null,
};
const entries = Type.Array(AccessEntry, {
  maxItems: mostEntries,
  description: "Who may join; without any, everybody of the job",
});

export const getUnitAccess = defineOperation({
  id: "units.getAccess",
  method: "GET",
  path: "/api/units/all/:id/access",
  summary: "Who may join a unit of your job",
  access: access.permission(manage),
  rate: "read",
  input: { params: byId },
  output: Type.Object({ version: Version, entries }),
  errors: [unitsErrors.notFound, unitsErrors.otherJob],
  example: { params: { id: 7 }, output: { version: 1, entries: [exampleEntry] } },
});

export const putUnitAccess = defineOperation({
  id: "units.putAccess",
  method: "PUT",
  path: "/api/units/all/:id/access",
  summary: "Say who may join a unit; its crew stays, and who may assign people is not bound by it",
  access: access.permission(manage),
  rate: "write",
  input: { params: byId, body: Type.Object({ version: Version, entries }) },
  output: Unit,
  errors: [
    unitsErrors.notFound,
    unitsErrors.otherJob,
    unitsErrors.stale,
    accesslistsErrors.citizensHidden,
    ...Object.values(accesslistsErrors).filter(({ status }) => status === 400),
  ],
  example: { params: { id: 7 }, body: { version: 1, entries: [exampleEntry] }, output: { ...exampleUnit, version: 2 } },
});
