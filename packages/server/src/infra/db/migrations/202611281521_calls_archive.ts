import { migration } from "./kit.ts";

export default migration(async (steps) => {
  await steps.addIndex("calls", "calls_postal", ["postal"]);
});
