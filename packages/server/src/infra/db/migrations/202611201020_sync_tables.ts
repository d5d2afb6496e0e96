import { col, defineTable, migration } from "./kit.ts";

const syncSources = defineTable(
  "sync_sources",
  {
    kind: col.key(32),
    source: col.key(64),
    last_data_at: col.int(),
    client_version: col.text(100).orNull(),
  },
  { primary: ["kind", "source"] },
);

export default migration(async (steps) => {
  await steps.createTable(syncSources);
});
