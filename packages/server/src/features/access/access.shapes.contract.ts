import { Type, type Static, type TSchema } from "typebox";
import {
  access,
  type AttributeValue,
  defineErrors,
  definePermission,
  Instant,
  Nullable,
  OneOf,
  Version,
  inWords,
} from "#core/contract/index.ts";

export const accessPermissions = {
  viewRoles: definePermission("access.viewRoles"),
  editRoles: definePermission("access.editRoles"),
};

export const accessErrors = defineErrors("access", {
  permissionUnknown: { status: 400, params: ["permission"] },
  attributeUnknown: { status: 400, params: ["permission", "attribute"] },
  attributeValueInvalid: { status: 400, params: ["permission", "attribute", "value"] },
  attributeRowUnknown: { status: 400, params: ["permission", "attribute", "value"] },
  sourceUnknown: { status: 404, params: ["source"] },
  gradeTooLow: { status: 400, params: ["grade", "minimum"] },
  gradeUnknown: { status: 404, params: ["job", "grade"] },
  roleUnknown: { status: 404, params: ["job", "grade"] },
  roleExists: { status: 409, params: ["grade"] },
  gradeNotBelow: { status: 403, params: ["grade", "own"] },
  beyondYourRights: { status: 403, params: ["permission"] },
  takesFromYourself: { status: 409, params: ["permission"] },
  stale: { status: 409 },
  revisionUnknown: { status: 404, params: ["version"] },
  limitChangedSince: { status: 409, params: ["permission"] },
  limitsChangedSince: { status: 409 },
  jobUnknown: { status: 404, params: ["job"] },
  personUnknown: { status: 404 },
});

/** As the game sends it. Without blanks at its ends, because databases compare such names differently. */
export const jobName = Type.String({
  minLength: 1,
  maxLength: 50,
  pattern: "^\\S(?:.*\\S)?$",
  ...inWords("must have no blank at its beginning or end"),
});
export const gradeNumber = Type.Integer({ minimum: 0, maximum: 1000 });
export const ofJob = Type.Object({ job: jobName });
export const ofRole = Type.Object({ job: jobName, grade: gradeNumber });
export const ofRevision = Type.Object({ job: jobName, grade: gradeNumber, version: Version });
export const ofLimitsRevision = Type.Object({ job: jobName, version: Version });

/** A list of strings, jobs or ids of rows; or by job the highest grade, or exactly these grades. */
const Value = Type.Unsafe<AttributeValue>({
  anyOf: [
    { type: "array", items: { type: "string", maxLength: 100 }, maxItems: 500 },
    {
      type: "object",
      maxProperties: 500,
      additionalProperties: {
        anyOf: [
          { type: "integer", minimum: 0, maximum: 1000 },
          { type: "array", items: { type: "integer", minimum: 0, maximum: 1000 }, maxItems: 200 },
        ],
      },
    },
  ],
});

/** An object with any names, as plain JSON Schema. */
function mapOf<T extends TSchema>(schema: T) {
  return Type.Unsafe<Record<string, Static<T>>>({ type: "object", maxProperties: 1000, additionalProperties: schema });
}
/** Values of one permission, by attribute. */
export const LimitValues = mapOf(Value);

export const RoleGrant = Type.Object({ allow: Type.Boolean(), attributes: LimitValues });
export type RoleGrant = Static<typeof RoleGrant>;

/** By permission; one that is left out is inherited. */
export const RoleGrants = mapOf(RoleGrant);
export type RoleGrants = Static<typeof RoleGrants>;

const RoleName = Type.Object({ job: Type.String(), grade: Type.Integer() });

export const AccessDecision = Type.Object({
  permission: Type.String(),
  held: Type.Boolean(),
  /**
   * `role`: a role of the job decided, `default`: the default role, `none`: no role mentions it,
   * `ownGrade`: the grade would hold it, but the viewer who sees the panel as this grade does not.
   */
  reason: OneOf(["jobAdmin", "role", "default", "none", "ownGrade"]),
  from: Nullable(RoleName),
  /** The nearest role whose grant the limits of the job cancelled. */
  clipped: Nullable(RoleName),
  attributes: Type.Array(
    Type.Object({
      name: Type.String(),
      value: Value,
      from: Nullable(RoleName),
      /** The value of the role, when the limits of the job made it smaller. */
      unclipped: Type.Optional(Value),
    }),
  ),
});
export type AccessDecision = Static<typeof AccessDecision>;

/** By source, then by id: labels of the rows that attributes name; null for one that was deleted. */
export const RowLabels = mapOf(mapOf(Nullable(Type.String())));
export type RowLabels = Static<typeof RowLabels>;

/** What a job may hand out: only these permissions; an attribute that is left out may have any value. */
export const JobLimits = mapOf(LimitValues);
export type JobLimits = Static<typeof JobLimits>;

export const RoleDetails = Type.Object({
  job: Type.String(),
  grade: Type.Integer(),
  /** 0 while there is no role for this grade. */
  version: Type.Integer({ minimum: 0 }),
  grants: RoleGrants,
  /** What holds at this grade, with the reason. */
  decisions: Type.Array(AccessDecision),
  /** What would hold without this role, with the reason. */
  inherited: Type.Array(AccessDecision),
  limits: Nullable(JobLimits),
  labels: RowLabels,
  mayEdit: Type.Boolean(),
});
export type RoleDetails = Static<typeof RoleDetails>;

export const AccessRevision = Type.Object({
  version: Version,
  at: Instant,
  by: Type.String(),
  changes: Type.Array(
    Type.Object({
      permission: Type.String(),
      before: Nullable(RoleGrant),
      after: Nullable(RoleGrant),
    }),
  ),
});
export type AccessRevision = Static<typeof AccessRevision>;
export const Revisions = Type.Object({ revisions: Type.Array(AccessRevision), labels: RowLabels });

export const exampleGrants = { "citizens.list": { allow: true, attributes: { fields: ["phone"] } } };
export const exampleLabels = { "licences.types": { drive: "Driving licence" } };
export const exampleDecision = {
  permission: "citizens.list",
  held: true,
  reason: "role" as const,
  from: { job: "police", grade: 2 },
  clipped: null,
  attributes: [{ name: "fields", value: ["phone"], from: { job: "police", grade: 2 } }],
};
export const exampleRole = {
  job: "police",
  grade: 2,
  version: 3,
  grants: exampleGrants,
  decisions: [exampleDecision],
  inherited: [],
  limits: null,
  labels: exampleLabels,
  mayEdit: true,
};
export const roleParams = { job: "police", grade: 2 };
export const exampleRevisions = {
  revisions: [
    {
      version: 3,
      at: 1_790_000_000_000,
      by: "mara",
      changes: [{ permission: "citizens.view", before: null, after: { allow: true, attributes: {} } }],
    },
  ],
  labels: exampleLabels,
};
/** How many people have other permissions since. */
export const Affected = { affected: Type.Integer({ minimum: 0 }) };

export const viewing = access.permission(accessPermissions.viewRoles, accessPermissions.editRoles);
export const editing = access.permission(accessPermissions.editRoles);

export const contentErrors = [
  accessErrors.permissionUnknown,
  accessErrors.attributeUnknown,
  accessErrors.attributeValueInvalid,
  accessErrors.attributeRowUnknown,
  accessErrors.gradeTooLow,
];
