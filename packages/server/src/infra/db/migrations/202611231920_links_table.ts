import { col, defineTable, migration } from "./kit.ts";

const links = defineTable(
  "links",
  {
    id: col.id(),
    secret_hash: col.key(64),
    kind: col.key(64),
    subject: col.key(64),
    label: col.text(60),
    issued_by: col.text(100),
    account_id: col.int().orNull(),
    sync_token: col.key(32).orNull(),
    created_at: col.int(),
    expires_at: col.int(),
  },
  {
    primary: ["id"],
    unique: { links_secret: ["secret_hash"] },
    indexes: { links_subject: ["kind", "subject"], links_account: ["account_id"], links_expiry: ["expires_at"] },
  },
);

export default migration(async (steps) => {
  await steps.createTable(links);
});
