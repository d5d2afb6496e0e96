import { col, defineTable, migration } from "./kit.ts";

export default migration(async (steps) => {
  // How often somebody called for the same, and what says that it is the same.
  await steps.addColumn("calls", "alerts", col.int().defaultsTo(1));
  await steps.addColumn("calls", "last_alert_at", col.int().defaultsTo(0));
  await steps.addColumn("calls", "fold_key", col.key(64).defaultsTo(""));
  await steps.addIndex("calls", "calls_fold", ["fold_key", "last_alert_at"]);
  // How often a person called lately is counted by what they said.
  await steps.addIndex("calls_alerts", "calls_alerts_caller", ["caller_id", "at"]);
  await steps.createTable(
    defineTable(
      "calls_folds",
      { fold_key: col.key(64), at: col.int() },
      { primary: ["fold_key"], indexes: { calls_folds_at: ["at"] } },
    ),
  );
});
