import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("outbox_events", "trace", col.key(55).orNull());
});
