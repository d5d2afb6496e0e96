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

/** Answers of calls with an idempotency key. */
export const syncIdempotencyKeys = defineTable(
  "sync_idempotency_keys",
  {
    /** Fingerprint of the token. */
    token: col.key(16),
    idempotency_key: col.key(64),
    operation: col.key(100),
    /** SHA-256 of the input. */
    input: col.key(64),
    status: col.int(),
    /** JSON; null without a body, or when it was too large to keep. */
    answer: col.longText().orNull(),
    too_large: col.flag(),
    created_at: col.int(),
  },
  {
    primary: ["token", "idempotency_key"],
    indexes: { sync_idempotency_keys_created_at: ["created_at"] },
  },
);

export interface SyncTables {
  sync_idempotency_keys: TableOf<typeof syncIdempotencyKeys>;
  sync_sources: TableOf<typeof syncSources>;
}
