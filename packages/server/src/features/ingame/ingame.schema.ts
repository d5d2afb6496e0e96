import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** The toasts of a character who got one lately. */
export const ingameToasts = defineTable(
  "ingame_toasts",
  {
    citizen_id: col.int(),
    /** JSON list of when the last ones were sent. */
    sent: col.longText(),
    /** How many were too many or too late since the last one. */
    missed: col.int(),
    at: col.int(),
  },
  { primary: ["citizen_id"], indexes: { ingame_toasts_at: ["at"] } },
);

export interface IngameTables {
  ingame_toasts: TableOf<typeof ingameToasts>;
}
