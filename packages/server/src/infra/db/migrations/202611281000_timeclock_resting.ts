import { col, migration } from "./kit.ts";

export default migration(async (steps) => {
  // Hours of an earlier employment are not those of who came back much later.
  for (const table of ["timeclock_entries", "timeclock_days"]) await steps.addColumn(table, "former", col.flag().defaultsTo(0));
  // Sums of a job over many days are read from an index alone.
  await steps.addIndex("timeclock_days", "timeclock_days_sums", ["job", "day", "citizen_id", "seconds", "former"]);
  await steps.dropIndex("timeclock_days", "timeclock_days_job");
  // When somebody last worked, and what overlaps with a time, is looked up by the end.
  await steps.addIndex("timeclock_entries", "timeclock_entries_ends", ["citizen_id", "to_at"]);
  // Who worked when, for a job over a range of time, is read from an index alone.
  await steps.addIndex("timeclock_entries", "timeclock_entries_times", [
    ...["job", "to_at", "from_at", "citizen_id", "state", "former"],
  ]);
  await steps.dropIndex("timeclock_entries", "timeclock_entries_job");
  // Of a pay period, the few entries whose end is only estimated.
  await steps.addIndex("timeclock_entries", "timeclock_entries_estimated", ["job", "estimated", "to_at"]);
});
