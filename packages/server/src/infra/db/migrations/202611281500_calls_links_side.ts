import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  // A job that only sees a call links its own calls to it, and must not fill its timeline and its links by that.
  await steps.addColumn("calls_links", "only_id", col.int().orNull());
});
