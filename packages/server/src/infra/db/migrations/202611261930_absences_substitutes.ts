import { migration } from "./kit.ts";

/** For whom somebody stands in is looked up when they leave the job. */
export default migration(async (steps) => {
  await steps.addIndex("absences", "absences_substitute", ["substitute_id", "until_at"]);
});
