import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addColumn("units", "restricted", col.flag().defaultsTo(0));
});
