import { migration } from "./kit.ts";

/** The first period that nobody has to confirm is read without those that wait, which may be the older ones. */
export default migration(async (steps) => {
  await steps.addIndex("duty_periods", "duty_periods_first", ["proposed", "to_at"]);
});
