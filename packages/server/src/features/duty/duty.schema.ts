import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** One row a person who was ever on duty; `job` is null while the person is off duty. */
export const dutyPeople = defineTable(
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
    /** Since when no boot of the source named the person; null for who was named in the present one. */
    unnamed_since: col.int().orNull(),
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
export const dutySources = defineTable(
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
    /** How far its clock was behind ours at its last call with positions; negative when it was ahead. */
    behind_ms: col.int().orNull(),
  },
  { primary: ["source"] },
);

/** Events as they were reported, so that a repeated one has no second effect. */
export const dutyReports = defineTable(
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
export const dutyPeriods = defineTable(
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
      duty_periods_first: ["proposed", "to_at"],
    },
  },
);

/** When a source was silent, from its last call to the next one: who was on duty then is not known. */
export const dutySilences = defineTable(
  "duty_silences",
  { id: col.id(), source: col.key(64), from_at: col.int(), to_at: col.int() },
  { primary: ["id"], indexes: { duty_silences_ended: ["to_at"] } },
);

/** What a job decided about duty, and since when a game server reports it. */
export const dutyJobs = defineTable(
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
export const dutyMismatches = defineTable(
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

export interface DutyTables {
  duty_mismatches: TableOf<typeof dutyMismatches>;
  duty_people: TableOf<typeof dutyPeople>;
  duty_sources: TableOf<typeof dutySources>;
  duty_reports: TableOf<typeof dutyReports>;
  duty_periods: TableOf<typeof dutyPeriods>;
  duty_silences: TableOf<typeof dutySilences>;
  duty_jobs: TableOf<typeof dutyJobs>;
}
