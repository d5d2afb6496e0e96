import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** One unit on one call. */
export const assignments = defineTable(
  "assignments",
  {
    id: col.id(),
    version: col.int(),
    call_id: col.int(),
    unit_id: col.int(),
    /** Of the unit. */
    job: col.key(50),
    state: col.key(12),
    /** 0 while it is open, then its id: a unit is once on a call. */
    ended_marker: col.int(),
    needs_help: col.flag(),
    /** When an offer ends that nobody answers. */
    until: col.int().orNull(),
    created_at: col.int(),
    /** Who offered or took it; null for the server. */
    created_by: col.int().orNull(),
    accepted_at: col.int().orNull(),
    accepted_by: col.int().orNull(),
    /** Since when it is in its state. */
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

/** What merging a call did to a unit on it, until that is undone. */
export const assignmentsMoves = defineTable(
  "assignments_moves",
  {
    merged_id: col.int(),
    assignment_id: col.int(),
    /** As it was before. */
    state: col.key(12),
    /** The other assignment of the same unit, which went on in its place; null for one that came along. */
    kept_id: col.int().orNull(),
    at: col.int(),
    needs_help: col.flag().defaultsTo(0),
    /** Of the other one. */
    kept_state: col.key(12).orNull(),
    /** That one needs help only because this one did. */
    kept_helped: col.flag().defaultsTo(0),
  },
  { primary: ["merged_id", "assignment_id"], indexes: { assignments_moves_at: ["at"] } },
);

/** One row a job that has changed how its units get calls. */
export const assignmentsRules = defineTable(
  "assignments_rules",
  { job: col.key(50), mode: col.key(12), completes: col.flag(), version: col.int(), updated_at: col.int() },
  { primary: ["job"] },
);

export interface AssignmentsTables {
  assignments: TableOf<typeof assignments>;
  assignments_moves: TableOf<typeof assignmentsMoves>;
  assignments_rules: TableOf<typeof assignmentsRules>;
}
