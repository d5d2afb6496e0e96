import { col, defineTable, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.createTable(
    defineTable(
      "calls_handovers",
      {
        id: col.id(),
        call_id: col.int(),
        from_job: col.key(50),
        to_job: col.key(50),
        state: col.key(12),
        brought: col.flag(),
        asked_at: col.int(),
        asked_by: col.int().orNull(),
        asked_name: col.text(110).orNull(),
        unanswered: col.flag(),
      },
      { primary: ["id"], indexes: { calls_handovers_call: ["call_id", "state"], calls_handovers_by: ["asked_by"] } },
    ),
  );
});
