import { Type } from "typebox";
import { defineOperation, extend, Instant, Nullable, Version } from "#core/contract/index.ts";
import {
  AccessDecision,
  accessErrors,
  Affected,
  contentErrors,
  editing,
  exampleDecision,
  exampleGrants,
  exampleLabels,
  exampleRevisions,
  exampleRole,
  gradeNumber,
  ofJob,
  ofRevision,
  ofRole,
  Revisions,
  RoleDetails,
  RoleGrants,
  roleParams,
  RowLabels,
  viewing,
} from "./access.shapes.contract.ts";

const ListedGrade = Type.Object({
  grade: Type.Integer(),
  label: Type.String(),
  /** Null while there is no role for this grade. */
  role: Nullable(Type.Object({ version: Version, updatedAt: Instant, allowed: Type.Integer(), denied: Type.Integer() })),
  /** Permissions that the grade holds in effect. */
  held: Type.Integer({ minimum: 0 }),
  /** Citizens who have this as their first job and grade. */
  people: Type.Integer({ minimum: 0 }),
  mayEdit: Type.Boolean(),
  mayDelete: Type.Boolean(),
});

const exampleGrade = {
  grade: 2,
  label: "Sergeant",
  role: { version: 3, updatedAt: 1_790_000_000_000, allowed: 4, denied: 1 },
  held: 9,
  people: 4,
  mayEdit: true,
  mayDelete: true,
};

/** Grades of a job with the version of their role; without job admin, grades of the own job up to the own grade. */
export const listRoles = defineOperation({
  id: "access.listRoles",
  method: "GET",
  path: "/api/access/jobs/:job/roles",
  summary: "Grades of a job and their roles",
  access: viewing,
  rate: "read",
  input: { params: ofJob },
  output: Type.Object({
    job: Type.String(),
    label: Type.String(),
    limited: Type.Boolean(),
    grades: Type.Array(ListedGrade),
  }),
  errors: [accessErrors.jobUnknown],
  example: {
    params: { job: "police" },
    output: {
      job: "police",
      label: "Police",
      limited: false,
      grades: [exampleGrade],
    },
  },
});

/** What every grade holds, and what its own role says, to see all roles of a job at once. */
export const roleMatrix = defineOperation({
  id: "access.matrix",
  method: "GET",
  path: "/api/access/jobs/:job/matrix",
  summary: "The permissions of every grade of a job",
  access: viewing,
  rate: "read",
  input: { params: ofJob },
  output: Type.Object({
    job: Type.String(),
    label: Type.String(),
    grades: Type.Array(extend(ListedGrade, { grants: RoleGrants, decisions: Type.Array(AccessDecision) })),
    labels: RowLabels,
  }),
  errors: [accessErrors.jobUnknown],
  example: {
    params: { job: "police" },
    output: {
      job: "police",
      label: "Police",
      grades: [{ ...exampleGrade, grants: exampleGrants, decisions: [exampleDecision] }],
      labels: exampleLabels,
    },
  },
});

export const getRole = defineOperation({
  id: "access.getRole",
  method: "GET",
  path: "/api/access/jobs/:job/roles/:grade",
  summary: "The role of a grade: what it says and what holds",
  access: viewing,
  rate: "read",
  input: { params: ofRole },
  output: RoleDetails,
  errors: [accessErrors.roleUnknown],
  example: { params: roleParams, output: exampleRole },
});

const changeErrors = [
  accessErrors.roleUnknown,
  accessErrors.gradeNotBelow,
  accessErrors.beyondYourRights,
  accessErrors.takesFromYourself,
];
export const createRole = defineOperation({
  id: "access.createRole",
  method: "POST",
  path: "/api/access/jobs/:job/roles",
  summary: "Create an empty role for a grade",
  access: editing,
  rate: "write",
  input: { params: ofJob, body: Type.Object({ grade: gradeNumber }) },
  output: RoleDetails,
  errors: [...changeErrors, accessErrors.gradeTooLow, accessErrors.gradeUnknown, accessErrors.roleExists],
  example: { params: { job: "police" }, body: { grade: 2 }, output: exampleRole },
});

const SavedRole = extend(RoleDetails, Affected);
const exampleSaved = { ...exampleRole, affected: 4 };

/**
 * What saving these grants would do, or deleting the role where they are null, and whom it would affect. Names only
 * people whom the viewer may see.
 */
export const previewRole = defineOperation({
  id: "access.previewRole",
  method: "POST",
  path: "/api/access/jobs/:job/roles/:grade/preview",
  summary: "Whom a change of a role would affect",
  access: editing,
  rate: "search",
  bodyLimit: 512 * 1024,
  input: { params: ofRole, body: Type.Object({ grants: Nullable(RoleGrants) }) },
  output: Type.Object({
    people: Type.Integer({ minimum: 0 }),
    /** The first of them, those of the highest grade first. */
    names: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
    /** Permissions that some of them lose, gain, or keep with other values. */
    lost: Type.Array(Type.String()),
    gained: Type.Array(Type.String()),
    altered: Type.Array(Type.String()),
  }),
  errors: [...changeErrors.slice(0, 2), ...contentErrors],
  example: {
    params: roleParams,
    body: { grants: null },
    output: { people: 4, names: [{ id: 12, name: "Mara Lind" }], lost: ["citizens.list"], gained: [], altered: [] },
  },
});

const RoleBody = Type.Object({
  version: Type.Integer({ minimum: 0, description: "0 creates the role of a grade that has none" }),
  grants: RoleGrants,
});

/**
 * Replaces the grants of a role, or creates it. Without job admin, editors cannot give a grade what they do not hold
 * themselves, neither by a grant nor by removing a refusal.
 */
export const putRole = defineOperation({
  id: "access.putRole",
  method: "PUT",
  path: "/api/access/jobs/:job/roles/:grade",
  summary: "Change a role",
  access: editing,
  rate: "write",
  bodyLimit: 512 * 1024,
  input: { params: ofRole, body: RoleBody },
  output: SavedRole,
  errors: [...changeErrors, ...contentErrors, accessErrors.gradeUnknown, accessErrors.stale],
  example: { params: roleParams, body: { version: 3, grants: exampleGrants }, output: exampleSaved },
});

export const deleteRole = defineOperation({
  id: "access.deleteRole",
  method: "DELETE",
  path: "/api/access/jobs/:job/roles/:grade",
  summary: "Delete a role; its grade inherits from the grades below",
  access: editing,
  rate: "write",
  input: { params: ofRole },
  output: extend(Type.Object({ version: Type.Integer({ description: "Undoing this version brings the role back" }) }), Affected),
  errors: changeErrors,
  example: { params: roleParams, output: { version: 4, affected: 4 } },
});

export const roleHistory = defineOperation({
  id: "access.roleHistory",
  method: "GET",
  path: "/api/access/jobs/:job/roles/:grade/history",
  summary: "The last hundred changes of a role, newest first",
  access: viewing,
  rate: "read",
  input: { params: ofRole },
  output: Revisions,
  errors: [accessErrors.roleUnknown],
  example: { params: roleParams, output: exampleRevisions },
});

/** Undoes one change by a new one; later changes stay. */
export const undoRole = defineOperation({
  id: "access.undoRole",
  method: "POST",
  path: "/api/access/jobs/:job/roles/:grade/history/:version/undo",
  summary: "Undo one change of a role",
  access: editing,
  rate: "write",
  input: { params: ofRevision },
  output: SavedRole,
  errors: [...changeErrors, accessErrors.attributeRowUnknown, accessErrors.revisionUnknown],
  example: { params: { ...roleParams, version: 3 }, output: exampleSaved },
});
