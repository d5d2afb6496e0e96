import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** Every version of the application settings; the highest one is in force. */
export const settingsRevisions = defineTable(
  "settings_revisions",
  {
    version: col.int(),
    at: col.int(),
    /** User name, operating-system user, or part of the program. */
    changed_by: col.text(100),
    /** JSON of the whole settings. */
    document: col.longText(),
  },
  { primary: ["version"] },
);

export interface SettingsTables {
  settings_revisions: TableOf<typeof settingsRevisions>;
}
