import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  // Somebody who only looks at the desk must not keep others from answering for the job. Open windows set it within seconds.
  await steps.addColumn("desk_people", "dispatches", col.flag().defaultsTo(0));
});
