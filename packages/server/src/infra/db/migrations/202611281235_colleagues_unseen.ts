import { col, migration, queries, sql } from "./kit.ts";

const batch = 5_000;

export default migration(async (steps) => {
  // Statistics of a job read thousands of moves, from an index alone.
  await steps.addColumn("colleagues_activities", "unseen", col.flag().defaultsTo(0));
  await steps.runData("mark what the game alone said", async (tx) => {
    const { rows } = await sql<{ id: number }>`
      select id from colleagues_activities
      where game_key is not null and unseen = 0 and ${sql.ref("change")} = ${'{"v":1,"before":{},"after":{}}'}
      order by id limit ${batch}`.execute(queries(tx));
    if (rows.length === 0) return undefined;
    const ids = sql.join(rows.map(({ id }) => id));
    await sql`update colleagues_activities set unseen = 1 where id in (${ids})`.execute(queries(tx));
    return rows.length === batch ? "more" : undefined;
  });
  await steps.addIndex("colleagues_activities", "colleagues_activities_moves", ["job", "unseen", "kind", "at", "citizen_id"]);
  await steps.dropIndex("colleagues_activities", "colleagues_activities_kind");
});
