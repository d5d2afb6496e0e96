import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** Entries of the access lists of all kinds of objects, as people set them. The rules (creator, public) are in the row of the object. */
export const accesslistsEntries = defineTable(
  "accesslists_entries",
  {
    object_kind: col.key(32),
    object_id: col.int(),
    subject_kind: col.key(16),
    /** For a job entry, else empty. */
    job: col.key(50),
    min_grade: col.int(),
    /** Id of the citizen, group or qualification, else 0. */
    subject_id: col.int(),
    /** 0 blocks; else the number of the level, from 1. */
    level: col.int(),
    /** Lowest level that a template requires; 0 for an entry without a template. */
    required_level: col.int(),
  },
  {
    primary: ["object_kind", "object_id", "subject_kind", "job", "min_grade", "subject_id"],
    indexes: {
      accesslists_entries_job: ["object_kind", "subject_kind", "job", "min_grade", "object_id", "level"],
      accesslists_entries_person: ["object_kind", "subject_kind", "subject_id", "object_id", "level"],
    },
  },
);

/**
 * What entries and rules grant, by which lists are read: written with them, in the same transaction. The primary index
 * answers whether one object is visible, the other one which objects a person reaches.
 */
export const accesslistsGrants = defineTable(
  "accesslists_grants",
  {
    object_kind: col.key(32),
    object_id: col.int(),
    principal: col.key(80),
    /** 0 blocks; else the number of the level, from 1. */
    level: col.int(),
  },
  {
    primary: ["object_kind", "object_id", "principal"],
    indexes: { accesslists_grants_principal: ["object_kind", "principal", "level", "object_id"] },
  },
);

/** Read only by programs of the release before the grants, which may still run beside this one. */
export const accesslistsGrades = defineTable(
  "accesslists_grades",
  { object_kind: col.key(32), job: col.key(50), min_grade: col.int() },
  { primary: ["object_kind", "job", "min_grade"] },
);

export interface AccesslistTables {
  accesslists_grants: TableOf<typeof accesslistsGrants>;
  accesslists_grades: TableOf<typeof accesslistsGrades>;
  accesslists_entries: TableOf<typeof accesslistsEntries>;
}
