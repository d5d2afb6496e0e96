import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** A role: what a job grants from a grade upwards. The default role has the empty job. */
export const accessRoles = defineTable(
  "access_roles",
  {
    id: col.id(),
    job: col.key(50),
    grade: col.int(),
    version: col.int(),
    created_at: col.int(),
    updated_at: col.int(),
  },
  { primary: ["id"], unique: { access_roles_job_grade: ["job", "grade"] } },
);

/** What a role says about a permission; a permission without a row is inherited. */
export const accessGrants = defineTable(
  "access_grants",
  {
    role_id: col.int(),
    permission: col.key(100),
    allow: col.flag(),
    /** JSON object: attribute name to value; attributes left out are inherited. */
    attributes: col.longText(),
  },
  { primary: ["role_id", "permission"] },
);

/** One row. The epoch grows with every change of a role or of limits, so that processes know when to reload. */
export const accessEpochs = defineTable("access_epochs", { id: col.int(), epoch: col.int() }, { primary: ["id"] });

/** What a job may hand out. After limits were lifted, the row stays for its version. */
export const accessLimits = defineTable(
  "access_limits",
  {
    job: col.key(50),
    version: col.int(),
    /** JSON object: permission to maxima of its attributes. Null: everything. */
    limits: col.longText().orNull(),
    updated_at: col.int(),
  },
  { primary: ["job"] },
);

/** Every change of a role, also of deleted ones. The default role has the empty job and grade 0. */
export const accessRevisions = defineTable(
  "access_revisions",
  {
    job: col.key(50),
    grade: col.int(),
    version: col.int(),
    at: col.int(),
    /** User name, operating-system user or schedule. */
    changed_by: col.text(100),
    /** JSON of the grants; null where there was no role. */
    was: col.longText().orNull(),
    became: col.longText().orNull(),
  },
  { primary: ["job", "grade", "version"] },
);

/** Every change of a job's limits. */
export const accessLimitsRevisions = defineTable(
  "access_limits_revisions",
  {
    job: col.key(50),
    version: col.int(),
    at: col.int(),
    changed_by: col.text(100),
    /** JSON of the limits; null where there were none. */
    was: col.longText().orNull(),
    became: col.longText().orNull(),
  },
  { primary: ["job", "version"] },
);

export interface AccessTables {
  access_limits_revisions: TableOf<typeof accessLimitsRevisions>;
  access_limits: TableOf<typeof accessLimits>;
  access_revisions: TableOf<typeof accessRevisions>;
  access_roles: TableOf<typeof accessRoles>;
  access_grants: TableOf<typeof accessGrants>;
  access_epochs: TableOf<typeof accessEpochs>;
}
