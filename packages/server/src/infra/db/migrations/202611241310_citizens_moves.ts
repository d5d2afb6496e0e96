import { col, defineTable, migration } from "./kit.ts";

const citizensMoves = defineTable(
  "citizens_moves",
  {
    id: col.id(),
    at: col.int(),
    citizen_id: col.int(),
    job_before: col.key(50),
    grade_before: col.int(),
    job: col.key(50),
    grade: col.int(),
  },
  {
    primary: ["id"],
    indexes: {
      citizens_moves_at: ["at"],
      citizens_moves_citizen: ["citizen_id"],
      citizens_moves_job: ["job", "at"],
      citizens_moves_before: ["job_before", "at"],
    },
  },
);

export default migration(async (steps) => {
  await steps.createTable(citizensMoves);
});
