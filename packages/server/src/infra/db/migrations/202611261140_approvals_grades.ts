import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("approvals_deciders", "max_grade", col.int().orNull());
});
