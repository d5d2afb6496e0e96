import { Type } from "typebox";
import { defineOperation, Instant, Nullable, Version } from "#core/contract/index.ts";
import {
  accessErrors,
  contentErrors,
  editing,
  exampleGrants,
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
  viewing,
} from "./access.shapes.contract.ts";

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
    grades: Type.Array(
      Type.Object({
        grade: Type.Integer(),
        label: Type.String(),
        /** Null while there is no role for this grade. */
        role: Nullable(Type.Object({ version: Version, updatedAt: Instant, allowed: Type.Integer(), denied: Type.Integer() })),
        mayEdit: Type.Boolean(),
        mayDelete: Type.Boolean(),
      }),
    ),
  }),
  errors: [accessErrors.jobUnknown],
  example: {
    params: { job: "police" },
    output: {
      job: "police",
      label: "Police",
      limited: false,
      grades: [
        {
          grade: 2,
          label: "Sergeant",
          role: { version: 3, updatedAt: 1_790_000_000_000, allowed: 4, denied: 1 },
          mayEdit: true,
          mayDelete: true,
        },
      ],
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

const RoleBody = Type.Object({ version: Version, grants: RoleGrants });

/**
 * Replaces the grants of a role. Without job admin, editors cannot give a grade what they do not hold
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
  output: RoleDetails,
  errors: [...changeErrors, ...contentErrors, accessErrors.stale],
  example: { params: roleParams, body: { version: 3, grants: exampleGrants }, output: exampleRole },
});

export const deleteRole = defineOperation({
  id: "access.deleteRole",
  method: "DELETE",
  path: "/api/access/jobs/:job/roles/:grade",
  summary: "Delete a role; its grade inherits from the grades below",
  access: editing,
  rate: "write",
  input: { params: ofRole },
  output: null,
  errors: changeErrors,
  example: { params: roleParams },
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
  output: RoleDetails,
  errors: [...changeErrors, accessErrors.attributeRowUnknown, accessErrors.revisionUnknown],
  example: { params: { ...roleParams, version: 3 }, output: exampleRole },
});
