import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** One row a duty that has ended, or that nobody knew of before the person asked for it: from `from_at`, before `to_at`. */
export const timeclockEntries = defineTable(
  "timeclock_entries",
  {
    id: col.id(),
    /** Of the duty, so that each is counted once, however often it is reported; for one that was missing, the request's with a minus. */
    period_id: col.int(),
    citizen_id: col.int(),
    job: col.key(50),
    /** When it began. */
    grade: col.int(),
    from_at: col.int(),
    to_at: col.int(),
    started_by: col.key(4),
    ending: col.key(20),
    estimated: col.flag(),
    state: col.key(10),
    version: col.int(),
    created_at: col.int(),
    /** The person has left since and came back after more than 60 days: history of the job, and none of the hours of who has it now. */
    former: col.flag().defaultsTo(0),
  },
  {
    primary: ["id"],
    unique: { timeclock_entries_period: ["period_id"] },
    indexes: {
      timeclock_entries_person: ["citizen_id", "job", "from_at"],
      timeclock_entries_ends: ["citizen_id", "to_at"],
      timeclock_entries_times: ["job", "to_at", "from_at", "citizen_id", "state", "former"],
      timeclock_entries_ended: ["to_at"],
      timeclock_entries_estimated: ["job", "estimated", "to_at"],
    },
  },
);

/** Seconds of the counted entries of a person in a job on a day of `loc`; written in the transaction of the entry. */
export const timeclockDays = defineTable(
  "timeclock_days",
  {
    citizen_id: col.int(),
    job: col.key(50),
    day: col.key(10),
    /** The first instant of the day. */
    day_at: col.int(),
    seconds: col.int(),
    /** As of entries. */
    former: col.flag().defaultsTo(0),
  },
  {
    primary: ["citizen_id", "job", "day"],
    // Sums of a job are read from the index alone.
    indexes: {
      timeclock_days_sums: ["job", "day", "citizen_id", "seconds", "former"],
      timeclock_days_at: ["day_at"],
    },
  },
);

/** Columns of seconds, from 1. */
const secondsIn = <L extends "d" | "m">(letter: L, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_none, i) => [`${letter}${i + 1}`, col.int().defaultsTo(0)])) as Record<
    `${L}${number}`,
    ReturnType<ReturnType<typeof col.int>["defaultsTo"]>
  >;

/** The days of a person in a job that count for them now, a row a month: a job of thousands is added up in few rows. */
export const timeclockMonths = defineTable(
  "timeclock_months",
  { citizen_id: col.int(), job: col.key(50), month: col.key(7), ends_at: col.int(), ...secondsIn("d", 31) },
  {
    primary: ["job", "month", "citizen_id"],
    indexes: { timeclock_months_citizen: ["citizen_id", "job"], timeclock_months_ends: ["ends_at"] },
  },
);

/** The same by month, a row a year. */
export const timeclockYears = defineTable(
  "timeclock_years",
  { citizen_id: col.int(), job: col.key(50), year: col.key(4), ends_at: col.int(), ...secondsIn("m", 12) },
  {
    primary: ["job", "year", "citizen_id"],
    indexes: { timeclock_years_citizen: ["citizen_id", "job"], timeclock_years_ends: ["ends_at"] },
  },
);

/** Locked before entries of a person are written, so that two who write them take turns; an entry that does not exist yet has no row to lock. */
export const timeclockPeople = defineTable("timeclock_people", { citizen_id: col.int() }, { primary: ["citizen_id"] });

/** What somebody asked to change about an entry, and what an entry was before; the interval that the game reported late has no reason. */
export const timeclockCorrections = defineTable(
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
    /** Null for the game, and once the citizen was removed for good. */
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
      timeclock_corrections_job: ["job", "state"],
    },
  },
);

/** What a job wants of each grade in a week; one row a job that has set it. */
export const timeclockJobs = defineTable(
  "timeclock_jobs",
  {
    job: col.key(50),
    /** JSON: grades with their hours. */
    targets: col.longText(),
    version: col.int(),
    updated_at: col.int(),
  },
  { primary: ["job"] },
);

/** How long the pay periods of a job are; one row a job that has ever set it. */
export const timeclockRules = defineTable(
  "timeclock_rules",
  { job: col.key(50), length: col.key(10).orNull(), version: col.int(), updated_at: col.int() },
  { primary: ["job"] },
);

/** Pay periods: days of a job whose hours are closed together. */
export const timeclockPeriods = defineTable(
  "timeclock_periods",
  {
    id: col.id(),
    job: col.key(50),
    /** Days of `loc`, both included. */
    first_day: col.key(10),
    last_day: col.key(10),
    from_at: col.int(),
    until_at: col.int(),
    state: col.key(10),
    version: col.int(),
    /** The last person whose sums are frozen. */
    after_id: col.int(),
    people: col.int().orNull(),
    seconds: col.int().orNull(),
    /** When those who can close it were notified. */
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

/** What a closed period has for each person; never changed. */
export const timeclockSums = defineTable(
  "timeclock_sums",
  { period_id: col.int(), citizen_id: col.int(), seconds: col.int(), later_seconds: col.int() },
  { primary: ["period_id", "citizen_id"], indexes: { timeclock_sums_citizen: ["citizen_id"] } },
);

/** What was counted or corrected in a period after it was closed. */
export const timeclockLater = defineTable(
  "timeclock_later",
  {
    id: col.id(),
    period_id: col.int(),
    /** The period that pays it; null as long as none does. */
    carried_id: col.int().orNull(),
    /** 0 for the rest of what a period could not take. */
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

/** How far the duties that had ended before this feature are counted; one row. */
export const timeclockFill = defineTable(
  "timeclock_fill",
  { id: col.int(), after_id: col.int(), done_at: col.int().orNull() },
  { primary: ["id"] },
);

export interface TimeclockTables {
  timeclock_entries: TableOf<typeof timeclockEntries>;
  timeclock_days: TableOf<typeof timeclockDays>;
  timeclock_months: TableOf<typeof timeclockMonths>;
  timeclock_years: TableOf<typeof timeclockYears>;
  timeclock_people: TableOf<typeof timeclockPeople>;
  timeclock_corrections: TableOf<typeof timeclockCorrections>;
  timeclock_jobs: TableOf<typeof timeclockJobs>;
  timeclock_rules: TableOf<typeof timeclockRules>;
  timeclock_periods: TableOf<typeof timeclockPeriods>;
  timeclock_sums: TableOf<typeof timeclockSums>;
  timeclock_later: TableOf<typeof timeclockLater>;
  timeclock_fill: TableOf<typeof timeclockFill>;
}
