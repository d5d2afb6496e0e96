import { col, defineTable, migration } from "./kit.ts";

const jobsProperties = defineTable(
  "jobs_properties",
  {
    job: col.key(50),
    version: col.int(),
    colour: col.key(7).orNull(),
    radio_frequency: col.text(24),
    message: col.text(1024),
    message_by: col.text(101),
    message_at: col.int().orNull(),
    updated_at: col.int(),
  },
  { primary: ["job"] },
);

export default migration(async (steps) => {
  await steps.createTable(jobsProperties);
});
