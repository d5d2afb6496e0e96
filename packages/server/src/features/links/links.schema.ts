import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** Secret links that were issued and not yet revoked or used up, by a hash of their secrets. */
export const links = defineTable(
  "links",
  {
    id: col.id(),
    secret_hash: col.key(64),
    /** Id of its definition. */
    kind: col.key(64),
    subject: col.key(64),
    label: col.text(60),
    issued_by: col.text(100),
    /** The account that issued it; null when none did. */
    account_id: col.int().orNull(),
    /** Fingerprint of the sync token that requested it, keyed with `cookieSecret`; null when none did. */
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

export interface LinkTables {
  links: TableOf<typeof links>;
}
