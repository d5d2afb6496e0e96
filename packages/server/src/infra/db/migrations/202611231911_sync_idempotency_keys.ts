import { col, defineTable, migration } from "./kit.ts";

const syncIdempotencyKeys = defineTable(
  "sync_idempotency_keys",
  {
    token: col.key(16),
    idempotency_key: col.key(64),
    operation: col.key(100),
    input: col.key(64),
    status: col.int(),
    answer: col.longText().orNull(),
    too_large: col.flag(),
    created_at: col.int(),
  },
  {
    primary: ["token", "idempotency_key"],
    indexes: { sync_idempotency_keys_created_at: ["created_at"] },
  },
);

export default migration(async (steps) => {
  await steps.createTable(syncIdempotencyKeys);
});
