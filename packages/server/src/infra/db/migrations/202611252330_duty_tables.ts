import { col, defineTable, migration } from "./kit.ts";
/** One row a person who was ever on duty; `job` is null while the person is off duty. */
const dutyPeople = defineTable(
  "duty_people",
  {
    citizen_id: col.int(),
    licence: col.key(64),
    job: col.key(50).orNull(),
    /** In that job now. */
    grade: col.int(),
    /** When the duty began. */
    start_grade: col.int(),
    since: col.int(),
    /** `game` or `hand`. */
    started_by: col.key(4),
    source: col.key(64).orNull(),
    boot_count: col.int(),
    /** The last sign of life, exact to 15 s. */
    seen_at: col.int(),
    missing_at: col.int().orNull(),
    /** Where the last duty ended. */
    ended_at: col.int(),
    /** The instant of the latest event that was applied. */
    applied_at: col.int(),
    version: col.int(),
  },
  {
    primary: ["citizen_id"],
    indexes: {
      duty_people_job: ["job", "citizen_id"],
      duty_people_source: ["source", "job"],
      duty_people_licence: ["licence"],
    },
  },
);

/** What sends events and positions of players: a game server. */
const dutySources = defineTable(
  "duty_sources",
  {
    source: col.key(64),
    sends_events: col.flag(),
    boot: col.key(64).orNull(),
    boot_count: col.int(),
    boot_since: col.int().orNull(),
    /** The earliest instant that this boot said something about. */
    boot_from: col.int().orNull(),
    /** Boots before this one, and when a call had each last, as JSON. */
    earlier_boots: col.longText(),
    last_call_at: col.int(),
    silent_from: col.int().orNull(),
  },
  { primary: ["source"] },
);

/** Events as they were reported, so that a repeated one has no second effect. */
const dutyReports = defineTable(
  "duty_reports",
  {
    source: col.key(64),
    event_key: col.key(64),
    citizen_id: col.int(),
    event: col.key(8),
    job: col.key(50).orNull(),
    at: col.int(),
    ended_at: col.int().orNull(),
    received_at: col.int(),
    /** False: it was older than one that was applied. */
    applied: col.flag(),
  },
  {
    primary: ["source", "event_key"],
    indexes: { duty_reports_received: ["received_at"], duty_reports_citizen: ["citizen_id"] },
  },
);

/** Duties that have ended: from `from_at`, before `to_at`. */
const dutyPeriods = defineTable(
  "duty_periods",
  {
    id: col.id(),
    citizen_id: col.int(),
    job: col.key(50),
    grade: col.int(),
    from_at: col.int(),
    to_at: col.int(),
    started_by: col.key(4),
    ending: col.key(20),
    estimated: col.flag(),
    source: col.key(64).orNull(),
    /** Reported after it had ended: for somebody to confirm. */
    proposed: col.flag(),
  },
  {
    primary: ["id"],
    indexes: {
      duty_periods_citizen: ["citizen_id", "from_at"],
      duty_periods_job: ["job", "to_at"],
      duty_periods_ended: ["to_at"],
    },
  },
);

/** What a job decided about duty, and since when a game server reports it. */
const dutyJobs = defineTable(
  "duty_jobs",
  {
    job: col.key(50),
    by_hand: col.key(12),
    game_since: col.int().orNull(),
    version: col.int(),
    updated_at: col.int(),
  },
  { primary: ["job"] },
);

/** Jobs that the game named lately of people on duty in another one, or who do not hold them; one row a person. */
const dutyMismatches = defineTable(
  "duty_mismatches",
  {
    citizen_id: col.int(),
    source: col.key(64),
    named: col.key(50),
    /** The job of the duty; null where the person does not hold the one that was named. */
    duty: col.key(50).orNull(),
    at: col.int(),
  },
  { primary: ["citizen_id"], indexes: { duty_mismatches_at: ["at"] } },
);

/** The toasts of a character who got one lately. */
const ingameToasts = defineTable(
  "ingame_toasts",
  { citizen_id: col.int(), sent: col.longText(), missed: col.int(), at: col.int() },
  { primary: ["citizen_id"], indexes: { ingame_toasts_at: ["at"] } },
);

export default migration(async (steps) => {
  await steps.addColumn("citizens_jobs", "off_duty", col.flag().defaultsTo(0));
  for (const table of [dutyPeople, dutySources, dutyReports, dutyPeriods, dutyJobs, dutyMismatches, ingameToasts])
    await steps.createTable(table);
});
