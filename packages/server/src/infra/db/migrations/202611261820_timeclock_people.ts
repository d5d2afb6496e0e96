import { col, defineTable, migration } from "./kit.ts";

const timeclockPeople = defineTable("timeclock_people", { citizen_id: col.int() }, { primary: ["citizen_id"] });

export default migration(async (steps) => {
  await steps.createTable(timeclockPeople);
});
