import { col, defineTable, migration, queries, sql } from "./kit.ts";

const timeclockEntries = defineTable(
  "timeclock_entries",
  {
    id: col.id(),
    period_id: col.int(),
    citizen_id: col.int(),
    job: col.key(50),
    grade: col.int(),
    from_at: col.int(),
    to_at: col.int(),
    started_by: col.key(4),
    ending: col.key(20),
    estimated: col.flag(),
    state: col.key(10),
    version: col.int(),
    created_at: col.int(),
  },
  {
    primary: ["id"],
    unique: { timeclock_entries_period: ["period_id"] },
    indexes: {
      timeclock_entries_person: ["citizen_id", "job", "from_at"],
      timeclock_entries_job: ["job", "to_at"],
      timeclock_entries_ended: ["to_at"],
    },
  },
);

const timeclockDays = defineTable(
  "timeclock_days",
  {
    citizen_id: col.int(),
    job: col.key(50),
    day: col.key(10),
    day_at: col.int(),
    seconds: col.int(),
  },
  {
    primary: ["citizen_id", "job", "day"],
    indexes: { timeclock_days_job: ["job", "day"], timeclock_days_at: ["day_at"] },
  },
);

const timeclockCorrections = defineTable(
  "timeclock_corrections",
  {
    id: col.id(),
    entry_id: col.int(),
    job: col.key(50),
    citizen_id: col.int(),
    old_from: col.int(),
    old_to: col.int(),
    new_from: col.int(),
    new_to: col.int(),
    reason: col.text(255).orNull(),
    state: col.key(10),
    requested_by: col.int().orNull(),
    decided_by: col.int().orNull(),
    decided_at: col.int().orNull(),
    decision_reason: col.text(500).orNull(),
    version: col.int(),
    created_at: col.int(),
  },
  {
    primary: ["id"],
    indexes: {
      timeclock_corrections_entry: ["entry_id", "id"],
      timeclock_corrections_citizen: ["citizen_id"],
      timeclock_corrections_at: ["created_at"],
    },
  },
);

const timeclockJobs = defineTable(
  "timeclock_jobs",
  {
    job: col.key(50),
    targets: col.longText(),
    version: col.int(),
    updated_at: col.int(),
  },
  { primary: ["job"] },
);

const timeclockFill = defineTable(
  "timeclock_fill",
  { id: col.int(), after_id: col.int(), done_at: col.int().orNull() },
  { primary: ["id"] },
);

export default migration(async (steps) => {
  for (const table of [timeclockEntries, timeclockDays, timeclockCorrections, timeclockJobs, timeclockFill])
    await steps.createTable(table);
  // Where no duty has ended yet, there is nothing to fill in.
  await steps.runData("fill", async (tx) => {
    const { rows } = await sql<{ id: number }>`select id from duty_periods limit 1`.execute(queries(tx));
    await sql`insert into timeclock_fill (id, after_id, done_at) values (1, 0, ${rows.length === 0 ? 0 : null})`.execute(
      queries(tx),
    );
  });
});
