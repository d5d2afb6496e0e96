import { col, defineTable, migration } from "./kit.ts";

const drafts = defineTable(
  "drafts",
  {
    account_id: col.int(),
    character_id: col.int(),
    form: col.key(100),
    base_version: col.int(),
    value: col.longText(),
    device: col.text(40),
    saved_at: col.int(),
  },
  { primary: ["account_id", "character_id", "form"], indexes: { drafts_saved: ["saved_at"] } },
);

export default migration(async (steps) => {
  await steps.createTable(drafts);
});
