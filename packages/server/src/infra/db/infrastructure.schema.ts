import { col, defineTable, type TableOf } from "#core/db/table.ts";

/** Events to be published. Ids follow the order of the inserts, not of the commits. */
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

/** Events that a consumer has handled, written in the transaction of the effect. */
export const outboxInbox = defineTable(
  "outbox_inbox",
  { consumer: col.key(100), event_id: col.key(26), handled_at: col.int() },
  { primary: ["consumer", "event_id"], indexes: { outbox_inbox_handled_at: ["handled_at"] } },
);

/**
 * One row for each restore of the database from a backup. The newest is the generation of the event stream;
 * a stream of another generation is deleted.
 */
export const outboxGenerations = defineTable(
  "outbox_generations",
  { id: col.key(26), created_at: col.int() },
  { primary: ["id"] },
);

/** One row: the id of this database on a shared broker. */
export const installation = defineTable(
  "installation",
  { slot: col.int(), id: col.key(26), created_at: col.int() },
  { primary: ["slot"] },
);

/** One row: the newest instant at which the clock was found right, and the zone in which the days of this database were counted. */
export const timekeeping = defineTable(
  "timekeeping",
  { slot: col.int(), seen_at: col.int().orNull(), zone: col.key(64).orNull() },
  { primary: ["slot"] },
);

/** Rows stay after a release, so that tokens are not reused. `touched` is written by compare-and-set. */
export const leases = defineTable(
  "leases",
  { name: col.key(100), owner: col.key(64), token: col.int(), expires_at: col.int(), touched: col.int() },
  { primary: ["name"] },
);

/** Of earlier versions, which may run beside this one; worker tasks replaced it. Nothing writes it. */
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
  installation: TableOf<typeof installation>;
  timekeeping: TableOf<typeof timekeeping>;
  leases: TableOf<typeof leases>;
  timers: TableOf<typeof timers>;
}
