import { col, defineTable, migration } from "./kit.ts";

const deskPeople = defineTable(
  "desk_people",
  { citizen_id: col.int(), job: col.key(50), since: col.int(), needs_duty: col.flag() },
  { primary: ["citizen_id"], indexes: { desk_people_job: ["job"] } },
);

const deskWindows = defineTable(
  "desk_windows",
  { citizen_id: col.int(), window_key: col.key(36), until: col.int() },
  { primary: ["citizen_id", "window_key"], indexes: { desk_windows_until: ["until"] } },
);

export default migration(async (steps) => {
  for (const table of [deskPeople, deskWindows]) await steps.createTable(table);
});
