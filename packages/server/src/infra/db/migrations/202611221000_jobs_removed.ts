import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("job_runs", "removed", col.longText().orNull());
});
