import { col, defineTable, migration } from "./kit.ts";

const gamerequestsTable = defineTable(
  "gamerequests",
  {
    id: col.key(26),
    position: col.int(),
    kind: col.key(100),
    object_key: col.key(150).orNull(),
    open_key: col.key(255).orNull(),
    source: col.key(64).orNull(),
    state: col.key(16),
    payload: col.longText(),
    answer: col.longText().orNull(),
    reason: col.text(500).orNull(),
    sent_at: col.int(),
    expires_at: col.int(),
    delivered_at: col.int().orNull(),
    ended_at: col.int().orNull(),
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
const gamerequestsStream = defineTable(
  "gamerequests_stream",
  { name: col.key(16), epoch: col.key(26), last_position: col.int() },
  { primary: ["name"] },
);
const gamerequestsServers = defineTable(
  "gamerequests_servers",
  { source: col.key(64), last_polled_at: col.int(), client_version: col.text(100).orNull() },
  { primary: ["source"], indexes: { gamerequests_servers_polled: ["last_polled_at"] } },
);

export default migration(async (steps) => {
  await steps.createTable(gamerequestsTable);
  await steps.createTable(gamerequestsStream);
  await steps.createTable(gamerequestsServers);
});
