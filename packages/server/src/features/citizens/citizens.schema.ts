import { col, defineOrderedList, defineTable, type TableOf } from "#core/db/index.ts";
import { citizensOrders } from "./citizens.contract.ts";

/** A person of the game, as the game server last sent it. */
export const citizens = defineTable(
  "citizens",
  {
    /** Assigned by Rollcall, shown as `CIT-12`. */
    id: col.id(),
    /** The game's id, kept as sent. */
    identifier: col.key(64),
    /** Game licence of the owning account, without prefix; empty when unknown. */
    licence: col.key(64),
    first_name: col.text(50),
    last_name: col.text(50),
    /** Last and first name without accents and case: the order of the list, equal on both databases. */
    name_key: col.key(220),
    /** `YYYY-MM-DD` where it could be read as a day, else as sent. */
    date_of_birth: col.key(10).orNull(),
    sex: col.key(2).orNull(),
    height: col.double().orNull(),
    job: col.key(50),
    grade: col.int(),
    phone_number: col.key(20).orNull(),
    visum: col.int().orNull(),
    playtime: col.int().orNull(),
    /** Of what is stored of the game's data: an item that changes nothing writes nothing. */
    sync_hash: col.key(32),
    /** Of the searchable texts: most changes leave the index alone. */
    search_hash: col.key(32),
    source: col.key(64),
    version: col.int(),
    created_at: col.int(),
    updated_at: col.int(),
    deleted_at: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { citizens_identifier: ["identifier"] },
    indexes: {
      citizens_name: ["deleted_at", "name_key", "id"],
      citizens_licence: ["licence"],
      citizens_birth: ["date_of_birth", "name_key", "id"],
      citizens_births: ["deleted_at", "date_of_birth", "id"],
      citizens_visums: ["deleted_at", "visum", "id"],
      citizens_updates: ["deleted_at", "updated_at", "id"],
    },
  },
);

export const citizensList = defineOrderedList(citizens, citizensOrders, {
  live: "deleted_at",
  by: { name: "name_key", dateOfBirth: "date_of_birth", visum: "visum", updatedAt: "updated_at" },
});

export const citizensJobs = defineTable(
  "citizens_jobs",
  {
    citizen_id: col.int(),
    job: col.key(50),
    grade: col.int(),
    is_primary: col.flag(),
    /** The game named the job by what it calls it off duty. */
    off_duty: col.flag().defaultsTo(0),
  },
  { primary: ["citizen_id", "job"], indexes: { citizens_jobs_job: ["job", "citizen_id"] } },
);

export const citizensPhones = defineTable(
  "citizens_phones",
  { citizen_id: col.int(), number: col.key(20), digits: col.key(20), is_primary: col.flag() },
  { primary: ["citizen_id", "number"] },
);

export const citizensLicences = defineTable(
  "citizens_licences",
  { citizen_id: col.int(), type: col.key(60) },
  { primary: ["citizen_id", "type"] },
);

/** Changes of the first job or its grade, as the game reported them. */
export const citizensMoves = defineTable(
  "citizens_moves",
  {
    id: col.id(),
    at: col.int(),
    citizen_id: col.int(),
    job_before: col.key(50),
    grade_before: col.int(),
    job: col.key(50),
    grade: col.int(),
  },
  {
    primary: ["id"],
    indexes: {
      citizens_moves_at: ["at"],
      citizens_moves_citizen: ["citizen_id"],
      citizens_moves_job: ["job", "at"],
      citizens_moves_before: ["job_before", "at"],
    },
  },
);

export interface CitizenTables {
  citizens: TableOf<typeof citizens>;
  citizens_jobs: TableOf<typeof citizensJobs>;
  citizens_phones: TableOf<typeof citizensPhones>;
  citizens_moves: TableOf<typeof citizensMoves>;
  citizens_licences: TableOf<typeof citizensLicences>;
}
