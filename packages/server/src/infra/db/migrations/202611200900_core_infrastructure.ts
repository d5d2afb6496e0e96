import { col, defineTable, migration } from "./kit.ts";

const outboxEvents = defineTable(
  "outbox_events",
  {
    id: col.id(),
    event_id: col.key(26),
    type: col.key(100),
    schema_version: col.int(),
    agg_key: col.key(100),
    version: col.int(),
    payload: col.longText(),
    created_at: col.int(),
    sent_at: col.int().orNull(),
    claimed_by: col.key(40).orNull(),
    claimed_until: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { outbox_events_event_id: ["event_id"] },
    indexes: { outbox_events_unsent: ["sent_at", "id"] },
  },
);

const outboxInbox = defineTable(
  "outbox_inbox",
  { consumer: col.key(100), event_id: col.key(26), handled_at: col.int() },
  { primary: ["consumer", "event_id"], indexes: { outbox_inbox_handled_at: ["handled_at"] } },
);

const leases = defineTable(
  "leases",
  { name: col.key(100), owner: col.key(64), token: col.int(), expires_at: col.int(), touched: col.int() },
  { primary: ["name"] },
);

const timers = defineTable(
  "timers",
  {
    kind: col.key(60),
    timer_key: col.key(150),
    due_at: col.int(),
    try_at: col.int(),
    attempts: col.int(),
    payload: col.longText(),
  },
  { primary: ["kind", "timer_key"], indexes: { timers_try_at: ["try_at"] } },
);

export default migration(async (steps) => {
  await steps.createTable(outboxEvents);
  await steps.createTable(outboxInbox);
  await steps.createTable(leases);
  await steps.createTable(timers);
});
