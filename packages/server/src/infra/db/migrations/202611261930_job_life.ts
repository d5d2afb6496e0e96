import { col, defineTable, migration } from "./kit.ts";

const colleaguesMoves = defineTable(
  "colleagues_moves",
  {
    id: col.key(26),
    job: col.key(50),
    citizen_id: col.int(),
    kind: col.key(8),
    expected_grade: col.int().orNull(),
    grade: col.int().orNull(),
    reason: col.text(255),
    actor_id: col.int(),
    actor_name: col.text(101),
    request_id: col.key(26).orNull(),
    open_key: col.key(80).orNull(),
    state: col.key(10),
    answer: col.text(500).orNull(),
    asked_at: col.int(),
    ended_at: col.int().orNull(),
    reported_at: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { colleagues_moves_open: ["open_key"] },
    indexes: {
      colleagues_moves_actor: ["actor_id", "job", "id"],
      colleagues_moves_citizen: ["citizen_id", "asked_at"],
      colleagues_moves_request: ["request_id"],
      colleagues_moves_asked: ["asked_at"],
    },
  },
);

export default migration(async (steps) => {
  // For whom somebody stands in is looked up when they leave the job.
  await steps.addIndex("absences", "absences_substitute", ["substitute_id", "until_at"]);
  await steps.createTable(colleaguesMoves);
  // Statistics read who came and left, apart from all else that happened.
  await steps.addIndex("colleagues_activities", "colleagues_activities_kind", ["job", "kind", "at"]);
});
