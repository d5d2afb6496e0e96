import { col, defineTable, migration } from "./kit.ts";

const jobs = defineTable(
  "jobs",
  { name: col.key(50), label: col.text(100), sync_hash: col.key(32), updated_at: col.int() },
  { primary: ["name"] },
);

const jobsGrades = defineTable(
  "jobs_grades",
  { job: col.key(50), grade: col.int(), label: col.text(100) },
  { primary: ["job", "grade"] },
);

export default migration(async (steps) => {
  await steps.createTable(jobs);
  await steps.createTable(jobsGrades);
});
