import { col, defineTable, type TableOf } from "#core/db/index.ts";

/** One row a person who has dispatched; what changes of the person's windows lock. */
export const deskPeople = defineTable(
  "desk_people",
  {
    citizen_id: col.int(),
    /** Empty while the person is signed off. */
    job: col.key(50),
    since: col.int(),
    /** Ends with the duty in the job. */
    needs_duty: col.flag(),
    /** May dispatch calls, as of the last time a window said that it is open. */
    dispatches: col.flag().defaultsTo(0),
  },
  { primary: ["citizen_id"], indexes: { desk_people_job: ["job"] } },
);

/** Each open desk. */
export const deskWindows = defineTable(
  "desk_windows",
  {
    citizen_id: col.int(),
    window_key: col.key(36),
    until: col.int(),
  },
  { primary: ["citizen_id", "window_key"], indexes: { desk_windows_until: ["until"] } },
);

export interface DeskTables {
  desk_people: TableOf<typeof deskPeople>;
  desk_windows: TableOf<typeof deskWindows>;
}
