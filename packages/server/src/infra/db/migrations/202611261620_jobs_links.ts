import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("jobs_properties", "links", col.longText().orNull());
});
