import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** When a source last sent data of a kind. */
export const syncSources = defineTable(
  "sync_sources",
  {
    kind: col.key(32),
    source: col.key(64),
    last_data_at: col.int(),
    client_version: col.text(100).orNull(),
  },
  { primary: ["kind", "source"] },
);

export interface SyncTables {
  sync_sources: TableOf<typeof syncSources>;
}
