import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** Licence types of the game (driving, weapon ...). */
export const licences = defineTable(
  "licences",
  {
    type: col.key(60),
    label: col.text(100),
    sync_hash: col.key(32).defaultsTo(""),
    updated_at: col.int(),
    deleted_at: col.int().orNull(),
  },
  { primary: ["type"] },
);

export interface LicenceTables {
  licences: TableOf<typeof licences>;
}
