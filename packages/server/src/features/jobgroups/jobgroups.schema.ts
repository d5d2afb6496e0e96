import { col, defineTable, type TableOf } from "#core/db/index.ts";
import type { MembershipKind } from "./jobgroups.base.contract.ts";

export const jobgroups = defineTable(
  "jobgroups",
  {
    id: col.id(),
    job: col.key(50),
    name: col.text(48),
    /** Without accents and case. */
    name_key: col.key(200),
    /** 0 while it is not deleted, then its id: a name is free again. */
    deleted_marker: col.int(),
    short: col.text(12),
    colour: col.key(7),
    icon: col.key(129).orNull(),
    description: col.text(500),
    membership: col.key(8),
    position: col.int(),
    version: col.int(),
    deleted_at: col.int().orNull(),
    deleted_by: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { jobgroups_name: ["job", "name_key", "deleted_marker"] },
    indexes: { jobgroups_deleted: ["deleted_at"] },
  },
);

/** One row a job whose groups were changed; it is what all who write about its groups lock first. */
export const jobgroupsTurns = defineTable("jobgroups_turns", { job: col.key(50) }, { primary: ["job"] });

export const jobgroupsRules = defineTable(
  "jobgroups_rules",
  {
    group_id: col.int(),
    place: col.int(),
    job: col.key(50),
    kind: col.key(20),
    ref_id: col.int().orNull(),
    from_grade: col.int().orNull(),
    to_grade: col.int().orNull(),
  },
  { primary: ["group_id", "place"], indexes: { jobgroups_rules_job: ["job"] } },
);

/** Which groups stand in which. */
export const jobgroupsContained = defineTable(
  "jobgroups_contained",
  { group_id: col.int(), child_id: col.int(), job: col.key(50) },
  { primary: ["group_id", "child_id"], indexes: { jobgroups_contained_job: ["job"], jobgroups_contained_child: ["child_id"] } },
);

export const jobgroupsHand = defineTable(
  "jobgroups_hand",
  { group_id: col.int(), citizen_id: col.int(), job: col.key(50), added_by: col.int().orNull(), added_at: col.int() },
  {
    primary: ["group_id", "citizen_id"],
    indexes: { jobgroups_hand_person: ["citizen_id", "job"], jobgroups_hand_by: ["added_by"] },
  },
);

export const jobgroupsLeaders = defineTable(
  "jobgroups_leaders",
  { group_id: col.int(), citizen_id: col.int(), job: col.key(50), added_by: col.int().orNull(), added_at: col.int() },
  {
    primary: ["group_id", "citizen_id"],
    indexes: { jobgroups_leaders_person: ["citizen_id", "job"], jobgroups_leaders_by: ["added_by"] },
  },
);

export const jobgroupsExclusions = defineTable(
  "jobgroups_exclusions",
  {
    group_id: col.int(),
    citizen_id: col.int(),
    job: col.key(50),
    reason: col.text(255),
    /** The first instant after its last day. */
    ends_at: col.int().orNull(),
    added_by: col.int().orNull(),
    added_at: col.int(),
  },
  {
    primary: ["group_id", "citizen_id"],
    indexes: {
      jobgroups_exclusions_person: ["citizen_id", "job"],
      jobgroups_exclusions_end: ["ends_at"],
      jobgroups_exclusions_by: ["added_by"],
    },
  },
);

/** Who is in a group, by whatever reason: what is computed from the tables above and from other features. */
export const jobgroupsMembers = defineTable(
  "jobgroups_members",
  {
    group_id: col.int(),
    citizen_id: col.int(),
    job: col.key(50),
    /** Of the citizen: the order by name. */
    name_key: col.key(220),
  },
  {
    primary: ["group_id", "citizen_id"],
    indexes: {
      jobgroups_members_names: ["group_id", "name_key", "citizen_id"],
      jobgroups_members_person: ["citizen_id", "job", "group_id"],
      jobgroups_members_job: ["job", "group_id"],
    },
  },
);

type Groups = TableOf<typeof jobgroups>;

export interface JobgroupTables {
  jobgroups: Omit<Groups, "membership"> & { membership: MembershipKind };
  jobgroups_turns: TableOf<typeof jobgroupsTurns>;
  jobgroups_rules: TableOf<typeof jobgroupsRules>;
  jobgroups_contained: TableOf<typeof jobgroupsContained>;
  jobgroups_hand: TableOf<typeof jobgroupsHand>;
  jobgroups_leaders: TableOf<typeof jobgroupsLeaders>;
  jobgroups_exclusions: TableOf<typeof jobgroupsExclusions>;
  jobgroups_members: TableOf<typeof jobgroupsMembers>;
}
