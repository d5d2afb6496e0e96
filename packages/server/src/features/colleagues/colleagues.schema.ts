import { col, defineOrderedList, defineTable, type TableOf } from "#core/db/index.ts";
import { colleaguesOrders } from "./colleagues.contract.ts";

/** One row a person and job, also after the person has left it: what was written then returns on a new hire. */
export const colleagues = defineTable(
  "colleagues",
  {
    id: col.id(),
    citizen_id: col.int(),
    job: col.key(50),
    grade: col.int(),
    /** Of the citizen: the order by name. */
    name_key: col.key(220),
    /** The highest grade first, in it by name. */
    rank_key: col.key(226),
    /** Null for those who were there before Rollcall looked. */
    since: col.int().orNull(),
    left_at: col.int().orNull(),
    note: col.text(512).orNull(),
    name_prefix: col.text(12).orNull(),
    name_suffix: col.text(12).orNull(),
    version: col.int(),
  },
  {
    primary: ["id"],
    unique: { colleagues_person: ["citizen_id", "job"] },
    indexes: {
      colleagues_job: ["job", "left_at", "rank_key"],
      colleagues_ranks: ["left_at", "rank_key"],
      colleagues_names: ["left_at", "name_key"],
      colleagues_hires: ["left_at", "since"],
      colleagues_staff: ["job", "left_at", "citizen_id"],
    },
  },
);

export const colleaguesLabels = defineTable(
  "colleagues_labels",
  {
    id: col.id(),
    job: col.key(50),
    name: col.text(48),
    /** Without accents and case. */
    name_key: col.key(200),
    /** 0 while it is not deleted, then its id: a name is free again. */
    deleted_marker: col.int(),
    colour: col.key(7),
    icon: col.key(129).orNull(),
    position: col.int(),
    version: col.int(),
    deleted_at: col.int().orNull(),
    deleted_by: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { colleagues_labels_name: ["job", "name_key", "deleted_marker"] },
    indexes: { colleagues_labels_deleted: ["deleted_at"] },
  },
);

/** One row a job, which those who change its labels lock first. */
export const colleaguesTurns = defineTable("colleagues_turns", { job: col.key(50) }, { primary: ["job"] });

/** Labels of colleagues. One that is over is not shown any more, and is removed later. */
export const colleaguesGiven = defineTable(
  "colleagues_given",
  {
    colleague_id: col.int(),
    label_id: col.int(),
    /** The first instant after its last day. */
    ends_at: col.int().orNull(),
  },
  {
    primary: ["colleague_id", "label_id"],
    indexes: { colleagues_given_label: ["label_id"], colleagues_given_end: ["ends_at"] },
  },
);

/** What happened to people in a job. The text of a note is in none of them. */
export const colleaguesActivities = defineTable(
  "colleagues_activities",
  {
    id: col.id(),
    job: col.key(50),
    citizen_id: col.int(),
    /** Of the person at that time. */
    grade: col.int(),
    kind: col.key(12),
    at: col.int(),
    /** Null for the game, and for somebody who was removed for good. */
    actor_id: col.int().orNull(),
    /** As it was then; null for the game, and empty for somebody who was removed for good. */
    actor_name: col.text(101).orNull(),
    reason: col.text(255).orNull(),
    /** JSON: what was before and what is now. */
    change: col.longText(),
    /** Source and key of what the game sent. */
    game_key: col.key(140).orNull(),
    /** The game alone said so, and no change was seen: it may be the same move once more. */
    unseen: col.flag().defaultsTo(0),
  },
  {
    primary: ["id"],
    unique: { colleagues_activities_game: ["game_key"] },
    indexes: {
      colleagues_activities_job: ["job", "id"],
      colleagues_activities_citizen: ["citizen_id", "job", "id"],
      colleagues_activities_actor: ["actor_id"],
      colleagues_activities_moves: ["job", "unseen", "kind", "at", "citizen_id"],
      colleagues_activities_at: ["at"],
    },
  },
);

/** What people asked the game server to change about who works in a job. */
export const colleaguesMoves = defineTable(
  "colleagues_moves",
  {
    id: col.key(26),
    job: col.key(50),
    citizen_id: col.int(),
    kind: col.key(8),
    /** Null for somebody who did not work there. */
    expected_grade: col.int().orNull(),
    /** Null to dismiss. */
    grade: col.int().orNull(),
    reason: col.text(255),
    actor_id: col.int(),
    /** As it was then. */
    actor_name: col.text(101),
    request_id: col.key(26).orNull(),
    /** The job and the person while it has not ended: one at a time. */
    open_key: col.key(80).orNull(),
    state: col.key(10),
    answer: col.text(500).orNull(),
    asked_at: col.int(),
    ended_at: col.int().orNull(),
    /** When the game reported the change that was asked for. */
    reported_at: col.int().orNull(),
  },
  {
    primary: ["id"],
    unique: { colleagues_moves_open: ["open_key"] },
    indexes: {
      colleagues_moves_actor: ["actor_id", "job", "id"],
      colleagues_moves_citizen: ["citizen_id", "asked_at"],
      colleagues_moves_request: ["request_id"],
      colleagues_moves_asked: ["asked_at"],
    },
  },
);

/** How far the people who were there before this feature are filled in; one row. */
export const colleaguesFill = defineTable(
  "colleagues_fill",
  { id: col.int(), after_id: col.int(), done_at: col.int().orNull() },
  { primary: ["id"] },
);

export const colleaguesList = defineOrderedList(colleagues, colleaguesOrders, {
  live: "left_at",
  by: { rank: "rank_key", name: "name_key", since: "since" },
});

export interface ColleagueTables {
  colleagues: TableOf<typeof colleagues>;
  colleagues_labels: TableOf<typeof colleaguesLabels>;
  colleagues_turns: TableOf<typeof colleaguesTurns>;
  colleagues_given: TableOf<typeof colleaguesGiven>;
  colleagues_activities: TableOf<typeof colleaguesActivities>;
  colleagues_moves: TableOf<typeof colleaguesMoves>;
  colleagues_fill: TableOf<typeof colleaguesFill>;
}
