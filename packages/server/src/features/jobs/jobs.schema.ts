import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** Jobs of the game. */
export const jobs = defineTable(
  "jobs",
  { name: col.key(50), label: col.text(100), sync_hash: col.key(32), updated_at: col.int() },
  { primary: ["name"] },
);

/** Grades of a job, by number: there may be gaps. */
export const jobsGrades = defineTable(
  "jobs_grades",
  { job: col.key(50), grade: col.int(), label: col.text(100) },
  { primary: ["job", "grade"] },
);

export interface JobTables {
  jobs: TableOf<typeof jobs>;
  jobs_grades: TableOf<typeof jobsGrades>;
}
