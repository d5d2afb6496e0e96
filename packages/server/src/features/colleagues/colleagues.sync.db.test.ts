import { expect, test } from "vitest";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { addLabel, newJob, rightsTo, seen, sendPerson } from "./colleagues.testkit.ts";
import {
  changeLabels,
  getColleague,
  listActivity,
  type SyncActivity,
  syncActivities,
  type SyncColleague,
  syncColleagues,
  syncStaff,
} from "./colleagues.contract.ts";

const token = testSecrets.sync;
const soon = { timeout: 20_000 };

describeApps("what the game says of colleagues", (get) => {
  /** A chief of a new job, and somebody who works there. */
  async function team() {
    const { world } = get();
    const job = newJob("sent");
    await world.job(job);
    const chief = await world.actor({ job, grade: 3, rights: rightsTo("any") });
    const identifier = `mara:${job}`;
    const id = await world.citizen({ identifier, firstName: "Mara", lastName: "Lind", jobs: [{ name: job, grade: 1 }] });
    for (const one of [chief.characterId, id]) await seen(get(), chief, one);
    return { job, chief, id, identifier };
  }

  const send = async (items: readonly SyncColleague[]) =>
    (await get().app.call(syncColleagues, { body: { source: "city", items: [...items] } }, { token })).output;
  const report = async (items: readonly SyncActivity[], source = "city") =>
    (await get().app.call(syncActivities, { body: { source, items: [...items] } }, { token })).output;
  const happened = async ({ token: own }: TestActor, citizenId: number) =>
    (await get().app.call(listActivity, { query: { citizenId } }, { token: own })).output.items;

  test("changes prefix, suffix and note; what is left out stays, null erases, the same writes nothing", async () => {
    const { app, writes } = get();
    const { job, chief, id, identifier } = await team();
    const get1 = async () => (await app.call(getColleague, { params: { id } }, { token: chief.token })).output;
    expect(await send([{ identifier, job, prefix: "Dr.", note: "Trains on Thursdays" }])).toMatchObject({ accepted: 1 });
    expect(await get1()).toMatchObject({ prefix: "Dr.", suffix: null, note: "Trains on Thursdays", version: 2 });
    expect(await send([{ identifier, job, suffix: "FTO" }])).toMatchObject({ accepted: 1 });
    const written = writes();
    expect(await send([{ identifier, job, suffix: " FTO " }])).toMatchObject({ accepted: 0, unchanged: 1 });
    expect(written.tables().filter((table) => table.startsWith("colleagues"))).toEqual([]);
    expect(await send([{ identifier, job, prefix: null }])).toMatchObject({ accepted: 1 });
    expect(await get1()).toMatchObject({ prefix: null, suffix: "FTO", note: "Trains on Thursdays", version: 4 });
    const all = await happened(chief, id);
    expect(all.map(({ kind, actor }) => [kind, actor])).toEqual([
      ["name", null],
      ["name", null],
      ["name", null],
      ["note", null],
    ]);
    expect(JSON.stringify(all)).not.toContain("Thursdays");
  });

  test("is refused item by item: nobody, another job, too long", async () => {
    const { job, identifier } = await team();
    const other = await team();
    const answer = await send([
      { identifier: "nobody:at:all", job, note: "x" },
      { identifier, job: other.job, note: "x" },
      { identifier, job, prefix: "x".repeat(13) },
      { identifier, job, prefix: "Sgt." },
      { identifier, job, suffix: "FTO\t1" },
      { identifier, note: "x" } as SyncColleague,
      { job, note: "x" } as SyncColleague,
    ]);
    expect([answer.accepted, answer.unchanged]).toEqual([1, 0]);
    expect(answer.rejected.map(({ index, message }) => [index, message.split(" ")[0]])).toEqual([
      [0, "identifier"],
      [1, "job"],
      [2, "prefix"],
      [4, "suffix"],
      [5, "job"],
      [6, "identifier"],
    ]);
    // Without a job nothing names the item.
    expect(answer.rejected.slice(-3).map(({ id }) => id)).toEqual([`${job} ${identifier}`, null, null]);
  });

  test("is a remark with who and what, once for each key of a source", async () => {
    const { job, chief, id, identifier } = await team();
    const item = { key: "one", identifier, job, kind: "remark", text: "Found the boat", by: identifier } as const;
    expect(await report([item])).toMatchObject({ accepted: 1, unchanged: 0 });
    expect(await report([item])).toMatchObject({ accepted: 0, unchanged: 1 });
    expect(await report([item], "other city")).toMatchObject({ accepted: 1 });
    const all = await happened(chief, id);
    expect(all).toHaveLength(2);
    expect(all[0]).toMatchObject({
      kind: "remark",
      reason: "Found the boat",
      actor: { id, name: "Mara Lind" },
      before: {},
      after: {},
    });
    const wrong = await report([
      { ...item, key: "two", text: " " },
      { ...item, key: "three", by: "nobody:at:all" },
      { ...item, key: "four", job: newJob("none") },
    ]);
    expect(wrong.rejected.map(({ message }) => message.split(" ")[0])).toEqual(["text", "by", "job"]);
    expect(await happened(chief, id)).toHaveLength(2);
  });

  test("is what the first of several items with one key says, also in one call", async () => {
    const { job, chief, id, identifier } = await team();
    const item = { key: `twice ${job}`, identifier, job, kind: "remark", text: "Found the boat", by: identifier } as const;
    const { by: _by, ...other } = { ...item, text: "Lost the boat" };
    expect(await report([other, item])).toMatchObject({ accepted: 1, unchanged: 1, rejected: [] });
    expect(await happened(chief, id)).toMatchObject([{ reason: "Lost the boat", actor: null }]);
  });

  test.each(["before", "after"])("that comes %s the change is one activity with it", async (order) => {
    const { app } = get();
    const { job, chief, id, identifier } = await team();
    const why = { key: `why ${order}`, identifier, job, kind: "promoted", text: "Passed the exam" } as const;
    const grade = async () => (await app.call(getColleague, { params: { id } }, { token: chief.token })).output.job.grade;
    if (order === "before") await report([why]);
    await sendPerson(get(), identifier, job, 2);
    await expect.poll(grade, soon).toBe(2);
    if (order === "after") await report([why]);
    const all = await happened(chief, id);
    expect(all).toMatchObject([{ kind: "promoted", reason: "Passed the exam", before: { grade: 1 }, after: { grade: 2 } }]);
    expect(await report([why])).toMatchObject({ accepted: 0, unchanged: 1 });
  });

  test("gives the people of a job page by page, nobody of another, in a constant number of statements", async () => {
    const { app } = get();
    const { job, chief, id, identifier } = await team();
    const label = await addLabel(get(), chief, "Training");
    const body = { reason: "New", changes: [{ id, label: label.id, given: true }] };
    expect((await app.call(changeLabels, { body }, { token: chief.token })).status).toBe(200);
    await send([{ identifier, job, suffix: "FTO" }]);
    const page = async (query: { limit?: number; cursor?: string }) =>
      (await app.call(syncStaff, { query: { job, ...query } }, { token })).output;
    const all = await page({});
    expect(all.next).toBeNull();
    expect(all.items.map(({ grade }) => grade).toSorted()).toEqual([1, 3]);
    expect(all.items.find((one) => one.identifier === identifier)).toMatchObject({
      name: "Mara Lind",
      suffix: "FTO",
      grade: 1,
      labels: ["Training"],
      duty: null,
    });
    await send([{ identifier, job, note: "Trains on Thursdays" }]);
    expect(JSON.stringify(await page({}))).not.toContain("Thursdays");
    const first = await page({ limit: 1 });
    const second = await page({ limit: 1, cursor: first.next! });
    expect([...first.items, ...second.items]).toEqual(all.items);
    expect(second.next).toBeNull();
    const units: string[] = [];
    app.process.container.db.observe(({ unit }) => units.push(unit));
    const counted = async (limit: number) => {
      units.length = 0;
      await page({ limit });
      return units.filter((unit) => unit === syncStaff.id).length;
    };
    expect(await counted(2)).toBe(await counted(1));
    expect(units.length).toBeGreaterThan(0);
    const unknown = await app.call(syncStaff, { query: { job: newJob("none") } }, { token });
    expect([unknown.status, unknown.body.code]).toEqual([404, "colleagues.jobUnknown"]);
    expect((await app.call(syncStaff, { query: { job } }, { token: chief.token })).status).toBe(401);
  });
});
