import { col, defineTable, migration } from "./kit.ts";

const settingsRevisions = defineTable(
  "settings_revisions",
  { version: col.int(), at: col.int(), changed_by: col.text(100), document: col.longText() },
  { primary: ["version"] },
);

export default migration(async (steps) => {
  await steps.createTable(settingsRevisions);
});
