import { col, defineTable, type TableOf } from "#core/db/index.ts";

export const units = defineTable(
  "units",
  {
    id: col.id(),
    job: col.key(50),
    name: col.text(24),
    /** Without accents and case. */
    name_key: col.key(100),
    /** 0 while it is not removed, then its id: a name is free again. */
    deleted_marker: col.int(),
    callsign: col.text(12).orNull(),
    initials: col.text(4),
    colour: col.key(7),
    icon: col.key(129).orNull(),
    home_postal: col.text(48).orNull(),
    /** JSON, an array of texts; so are roles. */
    tags: col.longText(),
    roles: col.longText(),
    min_crew: col.int(),
    max_crew: col.int(),
    is_static: col.flag(),
    radio: col.text(12).orNull(),
    temporary: col.flag(),
    /** It has an access list. */
    restricted: col.flag().defaultsTo(0),
    position: col.int(),
    base: col.key(11),
    status_id: col.int().orNull(),
    status_at: col.int(),
    has_work: col.flag(),
    /** The status before the open work; null without any. */
    former_base: col.key(11).orNull(),
    former_status_id: col.int().orNull(),
    /** Since when nobody is in it; null while somebody is. */
    empty_since: col.int().orNull(),
    version: col.int(),
    created_at: col.int(),
    created_by: col.int().orNull(),
    deleted_at: col.int().orNull(),
    deleted_by: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { units_name: ["job", "name_key", "deleted_marker"] },
    indexes: { units_deleted: ["deleted_at"], units_status: ["status_id"] },
  },
);

/** The primary key is the person: nobody is in two units. */
export const unitsMembers = defineTable(
  "units_members",
  { citizen_id: col.int(), unit_id: col.int(), role: col.text(24).orNull(), joined_at: col.int() },
  { primary: ["citizen_id"], indexes: { units_members_unit: ["unit_id"] } },
);

export const unitsStatuses = defineTable(
  "units_statuses",
  {
    id: col.id(),
    job: col.key(50),
    name: col.text(24),
    name_key: col.key(100),
    deleted_marker: col.int(),
    base: col.key(11),
    colour: col.key(7),
    icon: col.key(129).orNull(),
    position: col.int(),
    version: col.int(),
    deleted_at: col.int().orNull(),
    deleted_by: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { units_statuses_name: ["job", "name_key", "deleted_marker"] },
    indexes: { units_statuses_deleted: ["deleted_at"] },
  },
);

/** One row a job with units, statuses or rules of its own; everything that changes one of its units locks it first. */
export const unitsRules = defineTable(
  "units_rules",
  {
    job: col.key(50),
    returns: col.flag(),
    self_join: col.flag(),
    long_minutes: col.int().orNull(),
    alone_minutes: col.int().orNull(),
    version: col.int(),
    updated_at: col.int(),
  },
  { primary: ["job"] },
);

/** What happened to a unit. */
export const unitsEvents = defineTable(
  "units_events",
  {
    id: col.id(),
    unit_id: col.int(),
    at: col.int(),
    what: col.key(10),
    why: col.key(20),
    citizen_id: col.int().orNull(),
    /** Null where nobody did it by hand. */
    by_id: col.int().orNull(),
    base: col.key(11).orNull(),
    /** As the custom status was called then. */
    status_name: col.text(24).orNull(),
    role: col.text(24).orNull(),
  },
  {
    primary: ["id"],
    indexes: { units_events_unit: ["unit_id", "id"], units_events_at: ["at"], units_events_citizen: ["citizen_id"] },
  },
);

export interface UnitTables {
  units: TableOf<typeof units>;
  units_members: TableOf<typeof unitsMembers>;
  units_statuses: TableOf<typeof unitsStatuses>;
  units_rules: TableOf<typeof unitsRules>;
  units_events: TableOf<typeof unitsEvents>;
}
