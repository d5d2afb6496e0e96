import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** What people chose; without a row, the default of the definition. */
export const preferences = defineTable(
  "preferences",
  {
    account_id: col.int(),
    /** 0 for the account as a whole. */
    character_id: col.int(),
    name: col.key(100),
    /** JSON `{v, value}`, with the version of the schema. */
    value: col.longText(),
    version: col.int(),
    updated_at: col.int(),
  },
  { primary: ["account_id", "character_id", "name"], indexes: { preferences_character: ["character_id"] } },
);

export interface PreferenceTables {
  preferences: TableOf<typeof preferences>;
}
