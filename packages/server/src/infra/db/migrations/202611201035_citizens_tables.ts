import { col, defineTable, migration } from "./kit.ts";

const citizens = defineTable(
  "citizens",
  {
    id: col.id(),
    identifier: col.key(64),
    licence: col.key(64),
    first_name: col.text(50),
    last_name: col.text(50),
    name_key: col.key(220),
    date_of_birth: col.key(10).orNull(),
    sex: col.key(2).orNull(),
    height: col.double().orNull(),
    job: col.key(50),
    grade: col.int(),
    phone_number: col.key(20).orNull(),
    visum: col.int().orNull(),
    playtime: col.int().orNull(),
    sync_hash: col.key(32),
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
    },
  },
);

const citizensJobs = defineTable(
  "citizens_jobs",
  { citizen_id: col.int(), job: col.key(50), grade: col.int(), is_primary: col.flag() },
  { primary: ["citizen_id", "job"], indexes: { citizens_jobs_job: ["job", "citizen_id"] } },
);

const citizensPhones = defineTable(
  "citizens_phones",
  { citizen_id: col.int(), number: col.key(20), digits: col.key(20), is_primary: col.flag() },
  { primary: ["citizen_id", "number"] },
);

const citizensLicences = defineTable(
  "citizens_licences",
  { citizen_id: col.int(), type: col.key(60) },
  { primary: ["citizen_id", "type"] },
);

export default migration(async (steps) => {
  await steps.createTable(citizens);
  await steps.createTable(citizensJobs);
  await steps.createTable(citizensPhones);
  await steps.createTable(citizensLicences);
});
