import { expect, it } from "vitest";
import { bulkInsert, queries } from "#core/db/index.ts";
import { loadMigrations } from "#infra/db/migrations/files.ts";
import type { Steps } from "#infra/db/migrations/kit.ts";
import { describeDatabases } from "#testkit/database.ts";
import { colleaguesActivities, type ColleagueTables } from "./colleagues.schema.ts";
import { nothingSeen } from "./colleagues.sent.policy.ts";

describeDatabases("activities from before they were marked", (get) => {
  it("are marked where the game alone said so", async () => {
    const { db } = get();
    const change = JSON.stringify({ v: 1, before: { grade: 1 }, after: { grade: 2 } });
    const row = { job: "police", citizen_id: 1, grade: 1, at: 1, actor_id: null, actor_name: null, reason: null };
    await db.write("test.rows", async (tx) => {
      await bulkInsert(tx, colleaguesActivities, [
        { ...row, kind: "hired", game_key: "said", change: nothingSeen },
        { ...row, kind: "left", game_key: "seen too", change },
        { ...row, kind: "hired", game_key: null, change: nothingSeen },
      ]);
    });
    const untouched = async () => {};
    const steps: Partial<Steps> = {
      addColumn: untouched,
      addIndex: untouched,
      dropIndex: untouched,
      runData: async (step, work) => void (await db.write(step, work)),
    };
    const found = (await loadMigrations()).find(({ name }) => name.endsWith("_colleagues_unseen"));
    await found!.up(steps as Steps);
    const rows = await db.read("test.read", async (tx) =>
      queries<ColleagueTables>(tx).selectFrom("colleagues_activities").select(["game_key", "unseen"]).orderBy("id").execute(),
    );
    expect(rows.map((one) => [one.game_key, one.unseen])).toEqual([
      ["said", 1],
      ["seen too", 0],
      [null, 0],
    ]);
  });
});
