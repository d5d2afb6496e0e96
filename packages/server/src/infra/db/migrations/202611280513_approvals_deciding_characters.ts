import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  // Names of citizens who are removed for good leave the decisions that they made, or that were made for them.
  await steps.addColumn("approvals_decisions", "character_id", col.int().orNull());
  await steps.addColumn("approvals_decisions", "on_behalf_character_id", col.int().orNull());
  await steps.addIndex("approvals_decisions", "approvals_decisions_character", ["character_id"]);
  await steps.addIndex("approvals_decisions", "approvals_decisions_behalf_character", ["on_behalf_character_id"]);
});
