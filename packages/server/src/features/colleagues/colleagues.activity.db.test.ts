import { describe, expect, test } from "vitest";
import { bulkInsert, queries } from "#core/db/index.ts";
import { describeApps } from "#testkit/suite.ts";
import { newest } from "./colleagues.activity.repo.ts";
import { listActivity } from "./colleagues.contract.ts";
import { returnMs } from "./colleagues.follow.policy.ts";
import * as repo from "./colleagues.repo.ts";
import { colleaguesActivities, type ColleagueTables } from "./colleagues.schema.ts";
import { newJob, rightsTo, seen } from "./colleagues.testkit.ts";

const now = 1_790_000_000_000;
const day = 86_400_000;
const me = 1;

/** Of each what the activity says of the grade then, the last grade, and when they left; null for those who are there. */
const people = {
  me: { id: me, past: 0, grade: 2, leftAt: null },
  lower: { id: 2, past: 0, grade: 1, leftAt: null },
  higher: { id: 3, past: 0, grade: 3, leftAt: null },
  leftLower: { id: 4, past: 1, grade: 1, leftAt: now - 10 * day },
  leftHigher: { id: 5, past: 0, grade: 3, leftAt: now - 10 * day },
  leftLongAgo: { id: 6, past: 0, grade: 0, leftAt: now - 61 * day },
  forgotten: { id: 7, past: 0, grade: null, leftAt: now - 90 * day },
} as const;
const everybody = Object.keys(people);

describeApps("activities of colleagues", (get) => {
  describe("are those of the people whom the grade of now reaches, of who left for 60 days, later of anybody alone", () => {
    test.each([
      ["any", { any: true, own: true, upTo: null }, everybody],
      ["up to the own grade", { any: false, own: true, upTo: 2 }, ["me", "lower", "leftLower"]],
      ["lower grades", { any: false, own: true, upTo: 1 }, ["me", "lower", "leftLower"]],
      ["the own ones", { any: false, own: true, upTo: null }, ["me"]],
    ] as const)("%s", async (_name, reach, expected) => {
      const job = newJob("past");
      const rows = await get().app.process.container.db.write("test.past", async (tx) => {
        const empty = { name_key: "x", since: null, note: null, name_prefix: null, name_suffix: null, version: 1 };
        const stored = Object.values(people).flatMap(({ id, grade, leftAt }) =>
          grade === null ? [] : [{ ...empty, citizen_id: id, job, grade, left_at: leftAt }],
        );
        await repo.write(tx, stored);
        const about = { job, kind: "promoted", at: now, actor_id: null, actor_name: null, reason: null, game_key: null };
        const change = JSON.stringify({ v: 1, before: {}, after: {} });
        const activities = Object.values(people).map(({ id, past }) => ({ ...about, citizen_id: id, grade: past, change }));
        await bulkInsert(tx, colleaguesActivities, activities);
        const by = { characterId: me, reach };
        return await newest(tx, { job, kinds: ["promoted"], by, leftSince: now - returnMs }, null, 50);
      });
      const found = new Set(rows.map(({ citizen_id }) => citizen_id));
      const names = Object.entries(people).flatMap(([name, { id }]) => (found.has(id) ? [name] : []));
      expect(names).toEqual(expected);
    });
  });

  test("of somebody who was removed for good name nobody, which is not the game", async () => {
    const { app, world } = get();
    const { db } = app.process.container;
    const job = newJob("purged");
    const chief = await world.actor({ job, grade: 3, rights: rightsTo("any") });
    await seen(get(), chief, chief.characterId);
    const [gone, other] = [9_000_000 + chief.characterId, 9_500_000 + chief.characterId];
    await db.write("test.did", async (tx) => {
      const about = { job, citizen_id: chief.characterId, grade: 3, at: 1, reason: "Why", game_key: null };
      const change = JSON.stringify({ v: 1, before: {}, after: {} });
      const actors = [
        { actor_id: gone, actor_name: "Mara Lind" },
        { actor_id: other, actor_name: "Otto Berg" },
        { actor_id: null, actor_name: null },
      ];
      await bulkInsert(
        tx,
        colleaguesActivities,
        actors.map((actor) => ({ ...about, ...actor, kind: "note", change })),
      );
      await repo.removeCitizens(tx, [gone]);
    });
    const answer = await app.call(listActivity, { query: { kind: "note" } }, { token: chief.token });
    expect(answer.output.items.map(({ actor }) => actor)).toEqual([
      null,
      { id: other, name: "Otto Berg" },
      { id: null, name: null },
    ]);
    expect(answer.text).not.toContain("Mara Lind");
    await db.write("test.clean", async (tx) => {
      await queries<ColleagueTables>(tx).deleteFrom("colleagues_activities").where("job", "=", job).execute();
    });
  });
});
