import { col, defineTable, dialectOf, migration, queries, type TableOf } from "./kit.ts";

const accesslistsGrants = defineTable(
  "accesslists_grants",
  { object_kind: col.key(32), object_id: col.int(), principal: col.key(80), level: col.int() },
  {
    primary: ["object_kind", "object_id", "principal"],
    indexes: { accesslists_grants_principal: ["object_kind", "principal", "level", "object_id"] },
  },
);

const entries = defineTable(
  "accesslists_entries",
  {
    object_kind: col.key(32),
    object_id: col.int(),
    subject_kind: col.key(16),
    job: col.key(50),
    min_grade: col.int(),
    subject_id: col.int(),
    level: col.int(),
  },
  { primary: ["object_kind", "object_id", "subject_kind", "job", "min_grade", "subject_id"] },
);

const notices = defineTable(
  "notices",
  { id: col.id(), creator_id: col.int().orNull(), creator_job: col.key(50), is_public: col.flag() },
  { primary: ["id"] },
);

interface Tables {
  accesslists_grants: TableOf<typeof accesslistsGrants>;
  accesslists_entries: TableOf<typeof entries>;
  notices: TableOf<typeof notices>;
}

const kind = "notices";
const batch = 1000;

/** What the lists and rules of all objects grant; notices are the only kind of object that has lists yet. */
export default migration(async (steps) => {
  await steps.createTable(accesslistsGrants);
  let last = 0;
  await steps.runData("carry", async (tx) => {
    const db = queries<Tables>(tx);
    const rows = await db
      .selectFrom("notices")
      .select(["id", "creator_id", "creator_job", "is_public"])
      .where("id", ">", last)
      .orderBy("id")
      .limit(batch)
      .execute();
    const upTo = rows.at(-1)?.id;
    if (upTo === undefined) return;
    const named = await db
      .selectFrom("accesslists_entries")
      .select(["object_id", "subject_kind", "job", "min_grade", "subject_id", "level"])
      .where("object_kind", "=", kind)
      .where("object_id", ">", last)
      .where("object_id", "<=", upTo)
      .execute();
    const ids = new Set(rows.map(({ id }) => id));
    const grants = [
      ...named
        .filter(({ object_id }) => ids.has(object_id))
        .map(({ object_id, subject_kind, job, min_grade, subject_id, level }) => {
          const principal = subject_kind === "job" ? `job:${job}:${min_grade}` : `${subject_kind}:${subject_id}`;
          return { object_kind: kind, object_id, principal, level };
        }),
      ...rows
        .filter(({ is_public }) => is_public === 1)
        .map(({ id }) => ({ object_kind: kind, object_id: id, principal: "public", level: 1 })),
      ...rows
        .filter(({ creator_id }) => creator_id !== null)
        .map(({ id, creator_id, creator_job }) => ({
          object_kind: kind,
          object_id: id,
          principal: `creator:${creator_id}:${creator_job}`,
          level: 2,
        })),
    ];
    for (let at = 0; at < grants.length; at += batch) {
      const insert = db.insertInto("accesslists_grants").values(grants.slice(at, at + batch));
      await dialectOf(tx).ignoreConflicts(insert).execute();
    }
    last = upTo;
    return "more";
  });
});
