import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  // A panic is a call of its own kind.
  await steps.addColumn("calls", "kind", col.key(8).defaultsTo("call"));
});
