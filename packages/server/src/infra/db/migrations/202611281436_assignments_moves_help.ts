import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  // A unit returns unless its state changed since; that it needs help, or an offer that got more time, is no such change.
  await steps.addColumn("assignments_moves", "needs_help", col.flag().defaultsTo(0));
  await steps.addColumn("assignments_moves", "kept_state", col.key(12).orNull());
  await steps.addColumn("assignments_moves", "kept_helped", col.flag().defaultsTo(0));
  await steps.dropColumn("assignments_moves", "version");
  await steps.dropColumn("assignments_moves", "kept_version");
});
