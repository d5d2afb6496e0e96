import { migration } from "./kit.ts";

export default migration(async (steps) => {
  // For whom somebody stands in is looked up when they leave the job.
  await steps.addIndex("absences", "absences_substitute", ["substitute_id", "until_at"]);
  // Statistics read who came and left, apart from all else that happened.
  await steps.addIndex("colleagues_activities", "colleagues_activities_kind", ["job", "kind", "at"]);
});
