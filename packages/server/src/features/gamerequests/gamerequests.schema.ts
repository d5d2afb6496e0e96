import { col, defineTable, type TableOf } from "#core/db/index.ts";

export const gamerequestsTable = defineTable(
  "gamerequests",
  {
    /** Never reused, also not after a restore: plugins keep the ids of what they have run. */
    id: col.key(26),
    /** In the order of the commits, because the row of the stream is locked while it is given. */
    position: col.int(),
    kind: col.key(100),
    /** What it is about, as its sender names it. */
    object_key: col.key(150).orNull(),
    /** Kind and key until it has ended; no two open ones have the same. */
    open_key: col.key(255).orNull(),
    /** The game server that it is for; null until one fetches it. */
    source: col.key(64).orNull(),
    state: col.key(16),
    payload: col.longText(),
    answer: col.longText().orNull(),
    reason: col.text(500).orNull(),
    sent_at: col.int(),
    expires_at: col.int(),
    delivered_at: col.int().orNull(),
    ended_at: col.int().orNull(),
    /** When it ended, or was sent while it is open. */
    kept_since: col.int(),
  },
  {
    primary: ["id"],
    unique: { gamerequests_position: ["position"], gamerequests_open_key: ["open_key"] },
    indexes: {
      gamerequests_state: ["state", "position"],
      gamerequests_object: ["kind", "object_key", "position"],
      gamerequests_kept_since: ["kept_since"],
    },
  },
);

/** One row: the last position that was given, and the epoch in which it is valid. */
export const gamerequestsStream = defineTable(
  "gamerequests_stream",
  { name: col.key(16), epoch: col.key(26), last_position: col.int() },
  { primary: ["name"] },
);

/** When the plugin of a game server last asked for requests. */
export const gamerequestsServers = defineTable(
  "gamerequests_servers",
  {
    source: col.key(64),
    last_polled_at: col.int(),
    client_version: col.text(100).orNull(),
    /** Fingerprints of the sync token that it polls with, and of the one before; null until it polled with one. */
    token: col.key(32).orNull(),
    previous_token: col.key(32).orNull(),
  },
  { primary: ["source"], indexes: { gamerequests_servers_polled: ["last_polled_at"] } },
);

export interface GameRequestTables {
  gamerequests: TableOf<typeof gamerequestsTable>;
  gamerequests_stream: TableOf<typeof gamerequestsStream>;
  gamerequests_servers: TableOf<typeof gamerequestsServers>;
}
