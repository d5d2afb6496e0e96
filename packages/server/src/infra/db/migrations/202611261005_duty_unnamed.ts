import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  /** Since when who is on duty was not named, from the first boot that did not name the person; null for who was named in the present one. */
  await steps.addColumn("duty_people", "unnamed_since", col.int().orNull());
});
