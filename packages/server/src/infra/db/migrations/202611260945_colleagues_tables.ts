import { col, defineTable, migration, queries, sql } from "./kit.ts";

const colleagues = defineTable(
  "colleagues",
  {
    id: col.id(),
    citizen_id: col.int(),
    job: col.key(50),
    grade: col.int(),
    name_key: col.key(220),
    rank_key: col.key(226),
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
    },
  },
);

const colleaguesLabels = defineTable(
  "colleagues_labels",
  {
    id: col.id(),
    job: col.key(50),
    name: col.text(48),
    name_key: col.key(200),
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

const colleaguesGiven = defineTable(
  "colleagues_given",
  {
    colleague_id: col.int(),
    label_id: col.int(),
    ends_at: col.int().orNull(),
  },
  {
    primary: ["colleague_id", "label_id"],
    indexes: { colleagues_given_label: ["label_id"], colleagues_given_end: ["ends_at"] },
  },
);

const colleaguesActivities = defineTable(
  "colleagues_activities",
  {
    id: col.id(),
    job: col.key(50),
    citizen_id: col.int(),
    grade: col.int(),
    kind: col.key(12),
    at: col.int(),
    actor_id: col.int().orNull(),
    actor_name: col.text(101).orNull(),
    reason: col.text(255).orNull(),
    change: col.longText(),
  },
  {
    primary: ["id"],
    indexes: {
      colleagues_activities_job: ["job", "id"],
      colleagues_activities_citizen: ["citizen_id", "job", "id"],
      colleagues_activities_actor: ["actor_id"],
      colleagues_activities_at: ["at"],
    },
  },
);

const colleaguesFill = defineTable(
  "colleagues_fill",
  { id: col.int(), after_id: col.int(), done_at: col.int().orNull() },
  { primary: ["id"] },
);

export default migration(async (steps) => {
  for (const table of [colleagues, colleaguesLabels, colleaguesGiven, colleaguesActivities, colleaguesFill])
    await steps.createTable(table);
  // Where nobody is stored yet, there is nothing to fill in.
  await steps.runData("fill", async (tx) => {
    const { rows } = await sql<{ id: number }>`select id from citizens limit 1`.execute(queries(tx));
    await sql`insert into colleagues_fill (id, after_id, done_at) values (1, 0, ${rows.length === 0 ? 0 : null})`.execute(
      queries(tx),
    );
  });
});
