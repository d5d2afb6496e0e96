import { col, defineOrderedList, defineTable, type TableOf } from "#core/db/index.ts";
import { callsOrders } from "./calls.contract.ts";

export const calls = defineTable(
  "calls",
  {
    id: col.id(),
    version: col.int(),
    state: col.key(12),
    /** `call` or `panic`. */
    kind: col.key(8).defaultsTo("call"),
    type_id: col.int().orNull(),
    message: col.text(1000),
    priority: col.int(),
    x: col.double().orNull(),
    y: col.double().orNull(),
    postal: col.key(200).orNull(),
    /** JSON `{v, lines: [{text, done}]}`, as the type had it then. */
    checklist: col.longText(),
    /** JSON `{v, lines: [{question, answer}]}`. */
    answers: col.longText(),
    /** The game server that created it. */
    source: col.text(64).orNull(),
    /** Where the call is that this one is a part of. */
    merged_into: col.int().orNull(),
    created_at: col.int(),
    waiting_since: col.int(),
    /** When it is cancelled unless something happens before. */
    idle_at: col.int(),
    ended_at: col.int().orNull(),
    /** As it was called then; null for the time that ran out. */
    ended_by: col.text(110).orNull(),
    ended_by_id: col.int().orNull(),
    ended_text: col.text(255).orNull(),
    archived_at: col.int().orNull(),
    /** How often somebody or something called for this. */
    alerts: col.int().defaultsTo(1),
    last_alert_at: col.int().defaultsTo(0),
    /** Type and jobs: alerts with the same may be about the same. */
    fold_key: col.key(64).defaultsTo(""),
  },
  {
    primary: ["id"],
    indexes: {
      calls_fold: ["fold_key", "last_alert_at"],
      calls_present: ["archived_at", "priority", "waiting_since"],
      calls_priority: ["priority"],
      calls_created: ["created_at"],
      calls_ended: ["ended_at"],
      calls_ended_by: ["ended_by_id"],
      calls_type: ["type_id"],
      calls_postal: ["postal"],
    },
  },
);

export const callsList = defineOrderedList(calls, callsOrders, {
  by: { createdAt: "created_at", endedAt: "ended_at", priority: "priority" },
});

/** Which jobs work a call, and how far each may go. */
export const callsJobs = defineTable(
  "calls_jobs",
  {
    call_id: col.int(),
    job: col.key(50),
    /** `view`, `participate` or `dispatch`. */
    level: col.key(12),
    min_grade: col.int(),
    expires_at: col.int().orNull(),
    position: col.int(),
  },
  { primary: ["call_id", "job"], indexes: { calls_jobs_job: ["job", "call_id"] } },
);

/** Who called. The id of an anonymous one serves the limit of calls and nothing else. */
export const callsCallers = defineTable(
  "calls_callers",
  {
    id: col.id(),
    call_id: col.int(),
    citizen_id: col.int().orNull(),
    anonymous: col.flag(),
    phone: col.text(32).orNull(),
    created_at: col.int(),
  },
  {
    primary: ["id"],
    indexes: { calls_callers_call: ["call_id"], calls_callers_person: ["citizen_id", "created_at"] },
  },
);

/** Each time that somebody or something called for this. */
export const callsAlerts = defineTable(
  "calls_alerts",
  {
    id: col.id(),
    call_id: col.int(),
    caller_id: col.int().orNull(),
    at: col.int(),
    message: col.text(1000),
    x: col.double().orNull(),
    y: col.double().orNull(),
  },
  { primary: ["id"], indexes: { calls_alerts_call: ["call_id"], calls_alerts_caller: ["caller_id", "at"] } },
);

/** Locked by each alert of the same type and jobs. */
export const callsFolds = defineTable(
  "calls_folds",
  { fold_key: col.key(64), at: col.int() },
  { primary: ["fold_key"], indexes: { calls_folds_at: ["at"] } },
);

/** How many alerts each person and each source of the game server sent lately. Whose they are is a hash. */
export const callsArrivals = defineTable(
  "calls_arrivals",
  { id: col.id(), origin_key: col.key(64), at: col.int() },
  { primary: ["id"], indexes: { calls_arrivals_origin: ["origin_key", "at"], calls_arrivals_at: ["at"] } },
);

export const callsStorms = defineTable(
  "calls_storms",
  {
    id: col.id(),
    state: col.key(12),
    /** Who sends its alerts, and to which jobs. */
    storm_key: col.key(64),
    /** The game server. */
    source: col.text(64).orNull(),
    /** Where all alerts are of one person; it is in no answer. */
    citizen_id: col.int().orNull(),
    began_at: col.int(),
    last_at: col.int(),
    /** Of the last alert above the limit. */
    above_at: col.int(),
    /** Until then pages read it again without a further event. */
    touch_at: col.int(),
    alerts: col.int(),
    /** Those that are no call yet. */
    alerts_left: col.int(),
    places: col.int(),
    ended_at: col.int().orNull(),
    /** As it was called then; null for the time that ran out. */
    ended_by: col.text(110).orNull(),
    ended_by_id: col.int().orNull(),
    ended_text: col.text(255).orNull(),
  },
  {
    primary: ["id"],
    indexes: {
      calls_storms_key: ["storm_key", "state", "above_at"],
      calls_storms_ended: ["ended_at"],
      calls_storms_ended_by: ["ended_by_id"],
      calls_storms_citizen: ["citizen_id"],
    },
  },
);

export const callsStormsJobs = defineTable(
  "calls_storms_jobs",
  { storm_id: col.int(), job: col.key(50), position: col.int() },
  { primary: ["storm_id", "job"], indexes: { calls_storms_jobs_job: ["job", "storm_id"] } },
);

export const callsStormsPlaces = defineTable(
  "calls_storms_places",
  {
    storm_id: col.int(),
    /** The nearest postal code, a square of the map without one, or `none`. */
    place: col.key(220),
    postal: col.key(200).orNull(),
    x: col.double().orNull(),
    y: col.double().orNull(),
    alerts: col.int(),
    alerts_left: col.int(),
  },
  { primary: ["storm_id", "place"] },
);

/** Alerts as they were sent. */
export const callsStormsAlerts = defineTable(
  "calls_storms_alerts",
  {
    id: col.id(),
    storm_id: col.int(),
    place: col.key(220),
    /** That it became. */
    call_id: col.int().orNull(),
    at: col.int(),
    type_id: col.int().orNull(),
    message: col.text(1000),
    priority: col.int(),
    x: col.double().orNull(),
    y: col.double().orNull(),
    /** `named` or `unnamed`; null where something that is no person sent it. */
    caller: col.key(8).orNull(),
    citizen_id: col.int().orNull(),
    phone: col.text(32).orNull(),
    /** JSON `{v, lines: [{question, answer}]}`. */
    answers: col.longText(),
  },
  {
    primary: ["id"],
    indexes: {
      calls_storms_alerts_storm: ["storm_id", "id"],
      calls_storms_alerts_place: ["storm_id", "place", "id"],
      calls_storms_alerts_citizen: ["citizen_id", "at"],
    },
  },
);

/** The timeline. */
export const callsEntries = defineTable(
  "calls_entries",
  {
    id: col.id(),
    call_id: col.int(),
    at: col.int(),
    kind: col.key(16),
    /** Set where only members of one job may read it. */
    job: col.key(50).orNull(),
    by_id: col.int().orNull(),
    /** As it was called then; null for the server, and for an anonymous caller. */
    by_name: col.text(110).orNull(),
    text: col.text(1000).orNull(),
    citizen_id: col.int().orNull(),
    /** The other call that it is about. */
    other_id: col.int().orNull(),
  },
  {
    primary: ["id"],
    indexes: {
      calls_entries_call: ["call_id", "id"],
      calls_entries_by: ["by_id"],
      calls_entries_citizen: ["citizen_id"],
    },
  },
);

/** Calls that are a part of another one, with what undoing needs. */
export const callsMerges = defineTable(
  "calls_merges",
  {
    call_id: col.int(),
    into_id: col.int(),
    at: col.int(),
    /** The jobs of both are those of the call that stayed. */
    united: col.flag(),
    /** JSON `{v, jobs: [{job, before}]}`: the jobs that this changed, with their level before, or null. */
    jobs: col.longText(),
    /** What the call that stayed has without those that were merged into it. */
    base_priority: col.int(),
    base_waiting: col.int(),
  },
  { primary: ["call_id"], indexes: { calls_merges_into: ["into_id", "call_id"] } },
);

/** Calls that have to do with one another, the lower id first. */
export const callsLinks = defineTable(
  "calls_links",
  {
    a_id: col.int(),
    b_id: col.int(),
    at: col.int(),
    /** The one of both that alone has it in its timeline and counts it; null for both. */
    only_id: col.int().orNull(),
  },
  { primary: ["a_id", "b_id"], indexes: { calls_links_b: ["b_id", "a_id"] } },
);

/** Jobs that are asked to take a call over, and jobs that leave one when their units have ended. */
export const callsHandovers = defineTable(
  "calls_handovers",
  {
    id: col.id(),
    call_id: col.int(),
    from_job: col.key(50),
    to_job: col.key(50),
    /** `asked` or `leaving`. */
    state: col.key(12),
    /** The other job sees the call for this alone. */
    brought: col.flag(),
    /** When it was asked; of a job that leaves, when the other one took the call over. */
    asked_at: col.int(),
    asked_by: col.int().orNull(),
    /** As it was called then. */
    asked_name: col.text(110).orNull(),
    unanswered: col.flag(),
  },
  { primary: ["id"], indexes: { calls_handovers_call: ["call_id", "state"], calls_handovers_by: ["asked_by"] } },
);

export const callsTypes = defineTable(
  "calls_types",
  {
    id: col.id(),
    job: col.key(50),
    code: col.key(16),
    /** In lower case. */
    code_key: col.key(16),
    name: col.text(64),
    /** 0 while it is not deleted, then its id: a code is free again. */
    deleted_marker: col.int(),
    priority: col.int(),
    colour: col.key(7),
    icon: col.key(129).orNull(),
    message: col.text(1000).orNull(),
    /** JSON `{v, jobs, checklist, questions}`. */
    more: col.longText(),
    position: col.int(),
    version: col.int(),
    deleted_at: col.int().orNull(),
    deleted_by: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { calls_types_code: ["job", "code_key", "deleted_marker"] },
    indexes: { calls_types_deleted: ["deleted_at"] },
  },
);

/** One row a job that has changed its rules or its types; it is what changes of types lock. */
export const callsRules = defineTable(
  "calls_rules",
  {
    job: col.key(50),
    public: col.flag(),
    idle_minutes: col.int(),
    wait_seconds: col.int(),
    version: col.int(),
    updated_at: col.int(),
  },
  { primary: ["job"], indexes: { calls_rules_public: ["public"] } },
);

export interface CallsTables {
  calls: TableOf<typeof calls>;
  calls_jobs: TableOf<typeof callsJobs>;
  calls_callers: TableOf<typeof callsCallers>;
  calls_alerts: TableOf<typeof callsAlerts>;
  calls_folds: TableOf<typeof callsFolds>;
  calls_entries: TableOf<typeof callsEntries>;
  calls_arrivals: TableOf<typeof callsArrivals>;
  calls_storms: TableOf<typeof callsStorms>;
  calls_storms_jobs: TableOf<typeof callsStormsJobs>;
  calls_storms_places: TableOf<typeof callsStormsPlaces>;
  calls_storms_alerts: TableOf<typeof callsStormsAlerts>;
  calls_merges: TableOf<typeof callsMerges>;
  calls_links: TableOf<typeof callsLinks>;
  calls_handovers: TableOf<typeof callsHandovers>;
  calls_types: TableOf<typeof callsTypes>;
  calls_rules: TableOf<typeof callsRules>;
}
