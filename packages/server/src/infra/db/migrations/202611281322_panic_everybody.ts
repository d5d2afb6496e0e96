import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  // Nobody on duty answered panics when the button was pressed: everybody on duty is alarmed from the start.
  await steps.addColumn("panic_alarms", "everybody", col.flag().defaultsTo(0));
});
