import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** Licence types of the game (driving, weapon ...). */
export const licences = defineTable(
  "licences",
  { type: col.key(60), label: col.text(100), updated_at: col.int() },
  { primary: ["type"] },
);

export interface LicenceTables {
  licences: TableOf<typeof licences>;
}
