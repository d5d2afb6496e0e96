import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** Jobs of the game. */
export const jobs = defineTable(
  "jobs",
  {
    name: col.key(50),
    label: col.text(100),
    sync_hash: col.key(32),
    updated_at: col.int(),
    deleted_at: col.int().orNull(),
  },
  { primary: ["name"] },
);

/** Grades of a job, by number: there may be gaps. */
export const jobsGrades = defineTable(
  "jobs_grades",
  { job: col.key(50), grade: col.int(), label: col.text(100) },
  { primary: ["job", "grade"] },
);

/** Look and notices of a job, set by its members and not by the game. */
export const jobsProperties = defineTable(
  "jobs_properties",
  {
    job: col.key(50),
    version: col.int(),
    colour: col.key(7).orNull(),
    icon: col.key(129).orNull(),
    radio_frequency: col.text(24),
    message: col.text(1024),
    message_by: col.text(101),
    message_at: col.int().orNull(),
    /** JSON `{v, links: [{title, address}]}`; null for none. */
    links: col.longText().orNull(),
    updated_at: col.int(),
  },
  { primary: ["job"] },
);

export interface JobTables {
  jobs_properties: TableOf<typeof jobsProperties>;
  jobs: TableOf<typeof jobs>;
  jobs_grades: TableOf<typeof jobsGrades>;
}
