import { expect, test } from "vitest";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { syncUsers } from "./citizens.contract.ts";
import { listMoves } from "./citizens.moves.contract.ts";

const sync = { token: testSecrets.sync };
const leads = { "jobs.message": true } as const;

describeApps("who joined, left and rose in a job", (get) => {
  test("is shown to its leaders with names and grades, and to nobody of other jobs", async () => {
    const { app, world } = get();
    await world.job("moving");
    await world.job("aside");
    const leader = await world.actor({ job: "moving", grade: 3, rights: leads });
    const other = await world.actor({ job: "aside", grade: 3, rights: leads });
    const member = await world.actor({ job: "moving", grade: 0 });
    const send = async (people: readonly (readonly [string, string, number])[]) => {
      const items = people.map(([lastName, job, grade]) => ({
        identifier: `moves:${lastName}`,
        firstName: "Mo",
        lastName,
        jobs: [{ name: job, grade }],
      }));
      expect((await app.call(syncUsers, { body: { items } }, sync)).body.rejected).toEqual([]);
    };
    const read = async (from = 0) => (await app.call(listMoves, { query: { from } }, { token: leader.token })).output;
    await send([
      ["New", "nowhere", 0],
      ["Old", "moving", 2],
      ["Up", "moving", 0],
      ["Down", "moving", 2],
    ]);
    expect((await read()).items).toEqual([]);

    await send([
      ["New", "moving", 1],
      ["Old", "nowhere", 0],
      ["Up", "moving", 1],
      ["Down", "moving", 1],
    ]);
    const { counts, items } = await read();
    expect(counts).toEqual({ joined: 1, left: 1, promoted: 1, demoted: 1 });
    expect(items.map(({ kind, citizen, gradeLabel }) => [kind, citizen.name, gradeLabel]).sort()).toEqual([
      ["demoted", "Mo Down", "moving 1"],
      ["joined", "Mo New", "moving 1"],
      ["left", "Mo Old", "moving 2"],
      ["promoted", "Mo Up", "moving 1"],
    ]);
    expect((await read(Math.max(...items.map(({ at }) => at)) + 1)).items).toEqual([]);
    expect((await app.call(listMoves, { query: { from: 0 } }, { token: other.token })).output.items).toEqual([]);
    expect((await app.call(listMoves, { query: { from: 0 } }, { token: member.token })).status).toBe(403);
  });
});
