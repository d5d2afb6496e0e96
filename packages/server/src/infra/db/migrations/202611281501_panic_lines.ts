import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  // Presses come as often as somebody likes, and must not fill the timeline of their call.
  await steps.addColumn("panic", "line_at", col.int().defaultsTo(0));
});
