import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("auth_sessions", "see_job", col.key(50).orNull());
  await steps.addColumn("auth_sessions", "see_grade", col.int().orNull());
  await steps.addColumn("auth_sessions", "see_until", col.int().orNull());
});
