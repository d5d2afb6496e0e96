import { col, defineTable, migration } from "./kit.ts";

const timeclockRules = defineTable(
  "timeclock_rules",
  { job: col.key(50), length: col.key(10).orNull(), version: col.int(), updated_at: col.int() },
  { primary: ["job"] },
);

const timeclockPeriods = defineTable(
  "timeclock_periods",
  {
    id: col.id(),
    job: col.key(50),
    first_day: col.key(10),
    last_day: col.key(10),
    from_at: col.int(),
    until_at: col.int(),
    state: col.key(10),
    version: col.int(),
    after_id: col.int(),
    people: col.int().orNull(),
    seconds: col.int().orNull(),
    told_at: col.int().orNull(),
    closed_by: col.int().orNull(),
    closed_at: col.int().orNull(),
    created_at: col.int(),
  },
  {
    primary: ["id"],
    unique: { timeclock_periods_first: ["job", "first_day"] },
    indexes: {
      timeclock_periods_job: ["job", "until_at"],
      timeclock_periods_until: ["until_at"],
      timeclock_periods_closed_by: ["closed_by"],
    },
  },
);

const timeclockSums = defineTable(
  "timeclock_sums",
  { period_id: col.int(), citizen_id: col.int(), seconds: col.int(), later_seconds: col.int() },
  { primary: ["period_id", "citizen_id"], indexes: { timeclock_sums_citizen: ["citizen_id"] } },
);

const timeclockLater = defineTable(
  "timeclock_later",
  {
    id: col.id(),
    period_id: col.int(),
    carried_id: col.int().orNull(),
    entry_id: col.int(),
    citizen_id: col.int(),
    job: col.key(50),
    seconds: col.int(),
    why: col.key(10),
    created_at: col.int(),
  },
  {
    primary: ["id"],
    indexes: {
      timeclock_later_period: ["period_id", "id"],
      timeclock_later_job: ["job", "carried_id"],
      timeclock_later_carried: ["carried_id", "citizen_id"],
      timeclock_later_citizen: ["citizen_id"],
    },
  },
);

export default migration(async (steps) => {
  for (const table of [timeclockRules, timeclockPeriods, timeclockSums, timeclockLater]) await steps.createTable(table);
  await steps.addIndex("timeclock_corrections", "timeclock_corrections_job", ["job", "state"]);
});
