import { col, defineTable, migration } from "./kit.ts";

export default migration(async (steps) => {
  // A line of a timeline may be about another call, which not every reader of the line sees.
  await steps.addColumn("calls_entries", "other_id", col.int().orNull());
  await steps.createTable(
    defineTable(
      "calls_merges",
      {
        call_id: col.int(),
        into_id: col.int(),
        at: col.int(),
        united: col.flag(),
        jobs: col.longText(),
        base_priority: col.int(),
        base_waiting: col.int(),
      },
      { primary: ["call_id"], indexes: { calls_merges_into: ["into_id", "call_id"] } },
    ),
  );
  // What undoing a merge needs: where each unit was, and whether it has gone on since.
  await steps.createTable(
    defineTable(
      "assignments_moves",
      {
        merged_id: col.int(),
        assignment_id: col.int(),
        state: col.key(12),
        version: col.int(),
        kept_id: col.int().orNull(),
        kept_version: col.int().orNull(),
        at: col.int(),
      },
      { primary: ["merged_id", "assignment_id"], indexes: { assignments_moves_at: ["at"] } },
    ),
  );
});
