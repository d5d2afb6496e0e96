import { col, defineTable, migration } from "./kit.ts";

const calls = defineTable(
  "calls",
  {
    id: col.id(),
    version: col.int(),
    state: col.key(12),
    type_id: col.int().orNull(),
    message: col.text(1000),
    priority: col.int(),
    x: col.double().orNull(),
    y: col.double().orNull(),
    postal: col.key(200).orNull(),
    checklist: col.longText(),
    answers: col.longText(),
    source: col.text(64).orNull(),
    merged_into: col.int().orNull(),
    created_at: col.int(),
    waiting_since: col.int(),
    idle_at: col.int(),
    ended_at: col.int().orNull(),
    ended_by: col.text(110).orNull(),
    ended_by_id: col.int().orNull(),
    ended_text: col.text(255).orNull(),
    archived_at: col.int().orNull(),
  },
  {
    primary: ["id"],
    indexes: {
      calls_present: ["archived_at", "priority", "waiting_since"],
      calls_priority: ["priority"],
      calls_created: ["created_at"],
      calls_ended: ["ended_at"],
      calls_ended_by: ["ended_by_id"],
      calls_type: ["type_id"],
    },
  },
);

const callsJobs = defineTable(
  "calls_jobs",
  {
    call_id: col.int(),
    job: col.key(50),
    level: col.key(12),
    min_grade: col.int(),
    expires_at: col.int().orNull(),
    position: col.int(),
  },
  { primary: ["call_id", "job"], indexes: { calls_jobs_job: ["job", "call_id"] } },
);

const callsCallers = defineTable(
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

const callsAlerts = defineTable(
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
  { primary: ["id"], indexes: { calls_alerts_call: ["call_id"] } },
);

const callsEntries = defineTable(
  "calls_entries",
  {
    id: col.id(),
    call_id: col.int(),
    at: col.int(),
    kind: col.key(16),
    job: col.key(50).orNull(),
    by_id: col.int().orNull(),
    by_name: col.text(110).orNull(),
    text: col.text(1000).orNull(),
    citizen_id: col.int().orNull(),
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

const callsTypes = defineTable(
  "calls_types",
  {
    id: col.id(),
    job: col.key(50),
    code: col.key(16),
    code_key: col.key(16),
    name: col.text(64),
    deleted_marker: col.int(),
    priority: col.int(),
    colour: col.key(7),
    icon: col.key(129).orNull(),
    message: col.text(1000).orNull(),
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

const callsRules = defineTable(
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

export default migration(async (steps) => {
  for (const table of [calls, callsJobs, callsCallers, callsAlerts, callsEntries, callsTypes, callsRules])
    await steps.createTable(table);
});
