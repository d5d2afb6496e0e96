import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** What people typed into a form and have not sent yet. */
export const drafts = defineTable(
  "drafts",
  {
    account_id: col.int(),
    /** 0 for the account itself. */
    character_id: col.int(),
    form: col.key(100),
    base_version: col.int(),
    /** JSON as the form stored it. */
    value: col.longText(),
    device: col.text(40),
    saved_at: col.int(),
  },
  { primary: ["account_id", "character_id", "form"], indexes: { drafts_saved: ["saved_at"] } },
);

export interface DraftTables {
  drafts: TableOf<typeof drafts>;
}
