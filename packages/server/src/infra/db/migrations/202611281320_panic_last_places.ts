import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  // When the place of the last press was known, and where the person was followed to.
  await steps.addColumn("panic", "place_at", col.int().orNull());
  await steps.addColumn("panic", "seen_x", col.double().orNull());
  await steps.addColumn("panic", "seen_y", col.double().orNull());
  await steps.addColumn("panic", "seen_postal", col.key(200).orNull());
  await steps.addColumn("panic", "seen_at", col.int().orNull());
});
