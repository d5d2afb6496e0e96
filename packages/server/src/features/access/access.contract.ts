import { Type } from "typebox";
import { access, defineEvent, defineOperation, extend, Nullable, OneOf, Version, inWords } from "#core/contract/index.ts";
import { getLimits, limitsHistory, listLimits, putLimits, undoLimits } from "./access.limits.contract.ts";
import {
  createRole,
  deleteRole,
  getRole,
  listRoles,
  previewRole,
  putRole,
  roleHistory,
  roleMatrix,
  undoRole,
} from "./access.roles.contract.ts";
import {
  AccessDecision,
  accessErrors,
  accessPermissions,
  contentErrors,
  exampleDecision,
  exampleGrants,
  exampleLabels,
  exampleRevisions,
  gradeNumber,
  jobName,
  Revisions,
  RoleGrants,
  RowLabels,
  viewing,
} from "./access.shapes.contract.ts";

export * from "./access.limits.contract.ts";
export * from "./access.roles.contract.ts";
export {
  type AccessDecision,
  accessErrors,
  accessPermissions,
  type AccessRevision,
  type JobLimits,
  type RoleDetails,
  type RoleGrant,
  type RoleGrants,
  type RowLabels,
} from "./access.shapes.contract.ts";

/** Every permission with its attributes, in the order in which features declare them. */
export const accessCatalogue = defineOperation({
  id: "access.catalogue",
  method: "GET",
  path: "/api/access/catalogue",
  summary: "Every permission with its attributes",
  access: access.account(),
  rate: "read",
  input: {},
  output: Type.Object({
    permissions: Type.Array(
      Type.Object({
        id: Type.String(),
        feature: Type.String(),
        attributes: Type.Array(
          Type.Object({
            name: Type.String(),
            type: OneOf(["strings", "jobs", "jobGrades", "rank", "data"]),
            /** All possible values, for the types `strings` and `rank`; each rank includes the ones before it. */
            values: Type.Array(Type.String()),
            /** For the type `data`: the rows that are its values, as `access.attributeRows` lists them. */
            source: Type.Optional(Type.String()),
          }),
        ),
      }),
    ),
    /** Suggested grants for a role, by the kind of job. */
    bundles: Type.Array(Type.Object({ name: Type.String(), grants: RoleGrants })),
  }),
  example: {
    output: {
      permissions: [
        { id: "citizens.list", feature: "citizens", attributes: [{ name: "fields", type: "strings", values: ["phone"] }] },
      ],
      bundles: [{ name: "police", grants: exampleGrants }],
    },
  },
});

/** To choose from in the editor of a role. */
export const attributeRows = defineOperation({
  id: "access.attributeRows",
  method: "GET",
  path: "/api/access/rows/:source",
  summary: "Rows that an attribute of a permission may name",
  access: access.permissionOrConfigAdmin(accessPermissions.editRoles),
  rate: "search",
  input: {
    params: Type.Object({
      source: Type.String({
        maxLength: 100,
        pattern: "^[a-z]+\\.\\w+$",
        ...inWords("must be the name of a source, such as licences.types"),
      }),
    }),
    query: Type.Object({
      q: Type.Optional(Type.String({ maxLength: 64, description: "Part of the label" })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
    }),
  },
  output: Type.Object({ items: Type.Array(Type.Object({ id: Type.String(), label: Type.String() })) }),
  errors: [accessErrors.sourceUnknown],
  example: {
    params: { source: "licences.types" },
    query: { q: "driv" },
    output: { items: [{ id: "drive", label: "Driving licence" }] },
  },
});

export const AdminPower = Type.Object({
  power: OneOf(["configAdmin", "jobAdmin"]),
  /** Whether config.yaml or the panel names it. */
  source: OneOf(["config", "panel"]),
  by: OneOf(["group", "user"]),
  name: Type.String(),
});

/** What the caller may do, and why. */
export const myRights = defineOperation({
  id: "access.mine",
  method: "GET",
  path: "/api/access/mine",
  summary: "Your own permissions, each with its reason",
  access: access.character(),
  rate: "read",
  input: {},
  output: Type.Object({
    job: Type.String(),
    grade: Type.Integer(),
    decisions: Type.Array(AccessDecision),
    labels: RowLabels,
    powers: Type.Array(AdminPower),
  }),
  example: {
    output: {
      job: "police",
      grade: 3,
      decisions: [exampleDecision],
      labels: exampleLabels,
      powers: [{ power: "jobAdmin", source: "config", by: "group", name: "lead" }],
    },
  },
});

/** Rights of a citizen, or of a grade of a job. Without job admin mode only in the caller's job, up to the caller's grade. */
export const rightsOf = defineOperation({
  id: "access.rightsOf",
  method: "GET",
  path: "/api/access/rights",
  summary: "The permissions of somebody else, each with its reason",
  access: viewing,
  rate: "read",
  input: {
    query: Type.Object({
      citizenId: Type.Optional(Type.Integer({ minimum: 1 })),
      job: Type.Optional(jobName),
      grade: Type.Optional(gradeNumber),
    }),
  },
  output: Type.Object({
    job: Type.String(),
    grade: Type.Integer(),
    citizen: Nullable(Type.Object({ id: Type.Integer(), name: Type.String() })),
    decisions: Type.Array(AccessDecision),
    labels: RowLabels,
  }),
  errors: [accessErrors.personUnknown, accessErrors.jobUnknown],
  example: {
    query: { citizenId: 12 },
    output: {
      job: "police",
      grade: 3,
      citizen: { id: 12, name: "Mara Lind" },
      decisions: [exampleDecision],
      labels: exampleLabels,
    },
  },
});

const NewDefaultRole = Type.Object({ version: Type.Integer({ minimum: 0 }), grants: RoleGrants });
const DefaultRole = extend(NewDefaultRole, { labels: RowLabels });
const exampleDefault = { version: 3, grants: exampleGrants };
const exampleDefaultRole = { ...exampleDefault, labels: exampleLabels };

/** The role that everyone inherits; it may be empty. */
export const getDefaultRole = defineOperation({
  id: "access.getDefault",
  method: "GET",
  path: "/api/access/default",
  summary: "The default role",
  access: access.configAdmin(),
  rate: "read",
  input: {},
  output: DefaultRole,
  example: { output: exampleDefaultRole },
});

export const putDefaultRole = defineOperation({
  id: "access.putDefault",
  method: "PUT",
  path: "/api/access/default",
  summary: "Change the default role",
  access: access.configAdmin(),
  rate: "write",
  bodyLimit: 512 * 1024,
  input: { body: NewDefaultRole },
  output: DefaultRole,
  errors: [...contentErrors, accessErrors.stale],
  example: { body: exampleDefault, output: exampleDefaultRole },
});

export const defaultHistory = defineOperation({
  id: "access.defaultHistory",
  method: "GET",
  path: "/api/access/default/history",
  summary: "The last hundred changes of the default role, newest first",
  access: access.configAdmin(),
  rate: "read",
  input: {},
  output: Revisions,
  example: { output: exampleRevisions },
});

export const undoDefault = defineOperation({
  id: "access.undoDefault",
  method: "POST",
  path: "/api/access/default/history/:version/undo",
  summary: "Undo one change of the default role",
  access: access.configAdmin(),
  rate: "write",
  input: { params: Type.Object({ version: Version }) },
  output: DefaultRole,
  errors: [accessErrors.attributeRowUnknown, accessErrors.revisionUnknown],
  example: { params: { version: 3 }, output: exampleDefaultRole },
});

/** Ids of the first permissions, and how many there are. */
const ChangedPermissions = Type.Object({ first: Type.Array(Type.String()), count: Type.Integer() });

/** Roles or limits of a job changed: every process reloads them and checks its open subscriptions again. */
export const rolesChanged = defineEvent({
  id: "access.rolesChanged",
  version: 1,
  payload: Type.Object({
    job: Type.String(),
    epoch: Type.Integer(),
    /** Grades whose permissions are others in effect; left out by releases that did not know. */
    affected: Type.Optional(
      Type.Array(
        Type.Object({
          from: Type.Integer(),
          to: Nullable(Type.Integer()),
          gained: Type.Optional(ChangedPermissions),
          lost: Type.Optional(ChangedPermissions),
          /** Held before and after, with other values. */
          altered: Type.Optional(ChangedPermissions),
        }),
      ),
    ),
    /** The account that made the change. */
    byAccount: Type.Optional(Nullable(Type.Integer())),
  }),
});

export const accessContract = {
  keptForGood: [{ kind: "revisions", tables: ["access_revisions", "access_limits_revisions"] }],
  permissions: Object.values(accessPermissions),
  operations: [
    accessCatalogue,
    attributeRows,
    myRights,
    rightsOf,
    listRoles,
    roleMatrix,
    getRole,
    createRole,
    previewRole,
    putRole,
    deleteRole,
    roleHistory,
    undoRole,
    getDefaultRole,
    putDefaultRole,
    defaultHistory,
    undoDefault,
    listLimits,
    getLimits,
    putLimits,
    limitsHistory,
    undoLimits,
  ],
  events: [rolesChanged],
  actions: ["access.change"],
  objects: ["role", "limits"],
  errors: accessErrors,
};
