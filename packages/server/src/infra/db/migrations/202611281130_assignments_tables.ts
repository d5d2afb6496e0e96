import { col, defineTable, migration } from "./kit.ts";

const assignments = defineTable(
  "assignments",
  {
    id: col.id(),
    version: col.int(),
    call_id: col.int(),
    unit_id: col.int(),
    job: col.key(50),
    state: col.key(12),
    ended_marker: col.int(),
    needs_help: col.flag(),
    until: col.int().orNull(),
    created_at: col.int(),
    created_by: col.int().orNull(),
    accepted_at: col.int().orNull(),
    accepted_by: col.int().orNull(),
    state_at: col.int(),
    ended_at: col.int().orNull(),
    reason: col.text(255).orNull(),
  },
  {
    primary: ["id"],
    unique: { assignments_open: ["call_id", "unit_id", "ended_marker"] },
    indexes: {
      assignments_unit: ["unit_id", "ended_marker"],
      assignments_ended: ["ended_at"],
      assignments_created_by: ["created_by"],
      assignments_accepted_by: ["accepted_by"],
    },
  },
);

const assignmentsRules = defineTable(
  "assignments_rules",
  { job: col.key(50), mode: col.key(12), completes: col.flag(), version: col.int(), updated_at: col.int() },
  { primary: ["job"] },
);

export default migration(async (steps) => {
  for (const table of [assignments, assignmentsRules]) await steps.createTable(table);
});
