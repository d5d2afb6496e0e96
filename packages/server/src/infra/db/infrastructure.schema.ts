import { col, defineTable, type TableOf } from "#core/db/table.ts";

/** Events waiting to be published, in the order of their transactions' statements, not of commits. */
export const outboxEvents = defineTable(
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
    /** W3C `traceparent` of the change, when it is traced. */
    trace: col.key(55).orNull(),
  },
  {
    primary: ["id"],
    unique: { outbox_events_event_id: ["event_id"] },
    indexes: { outbox_events_unsent: ["sent_at", "id"] },
  },
);

/** Events that a consumer has handled: written in the transaction of the effect. */
export const outboxInbox = defineTable(
  "outbox_inbox",
  { consumer: col.key(100), event_id: col.key(26), handled_at: col.int() },
  { primary: ["consumer", "event_id"], indexes: { outbox_inbox_handled_at: ["handled_at"] } },
);

/**
 * One row for each time that the database was restored from a backup. The newest names the event stream that belongs to
 * it: one that went on from another state is dropped.
 */
export const outboxGenerations = defineTable(
  "outbox_generations",
  { id: col.key(26), created_at: col.int() },
  { primary: ["id"] },
);

/** Rows stay after a release, so that tokens never repeat. `touched` is what compare-and-set writes. */
export const leases = defineTable(
  "leases",
  { name: col.key(100), owner: col.key(64), token: col.int(), expires_at: col.int(), touched: col.int() },
  { primary: ["name"] },
);

/** `try_at` is `due_at`, or later after a handler failed. */
export const timers = defineTable(
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

export interface InfrastructureTables {
  outbox_events: TableOf<typeof outboxEvents>;
  outbox_inbox: TableOf<typeof outboxInbox>;
  outbox_generations: TableOf<typeof outboxGenerations>;
  leases: TableOf<typeof leases>;
  timers: TableOf<typeof timers>;
}
