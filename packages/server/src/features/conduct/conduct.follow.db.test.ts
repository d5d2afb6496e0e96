import { expect, test } from "vitest";
import { citizensPurged, syncUsers, syncUsersDelete } from "#features/citizens/citizens.contract.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  acknowledgeEntry,
  conductTopic,
  getEntry,
  getPoints,
  listEntries,
  listKinds,
  listOwnEntries,
  orderKinds,
  putEntry,
  releaseEntry,
  removeKind,
  restoreKind,
} from "./conduct.contract.ts";
import { conductTopics } from "./conduct.routes.ts";
import { addKind, draft, mustDraft, newJob, released, team } from "./conduct.testkit.ts";

const soon = { timeout: 20_000 };
const day = 86_400_000;

describeApps("the conduct register, as people come and go", (get) => {
  const as = ({ token }: Pick<TestActor, "token">) => ({ token });

  async function run(sql: string, values: readonly (string | number)[] = []): Promise<Record<string, unknown>[]> {
    return await get().app.process.container.db.exclusive("test.run", async ({ connection }) => {
      const { rows } = await connection.execute(sql, [...values]);
      return rows;
    });
  }

  async function move({ characterId, licence }: TestActor, job: string): Promise<void> {
    const [row] = await run("select identifier from citizens where id = ?", [characterId]);
    const person = { identifier: String(row?.["identifier"]), firstName: "Mara", lastName: "Lind", licence };
    const items = [{ ...person, jobs: [{ name: job, grade: 1 }] }];
    const { body } = await get().app.call(syncUsers, { body: { items } }, { token: testSecrets.sync });
    expect(body.rejected).toEqual([]);
  }

  const leftAt = async (id: number) => (await run("select left_at from conduct_entries where id = ?", [id]))[0]?.["left_at"];
  const own = async (actor: TestActor) => (await get().app.call(listOwnEntries, { query: {} }, as(actor))).output;

  test("rests for who left, stays in the register, and counts again for who comes back within 60 days", async () => {
    const { app, world } = get();
    const { job, member, leader, chief, entry } = await released(get());
    const sum = async () =>
      (await app.call(getPoints, { params: { id: member.characterId } }, as(chief))).output.points?.negative;
    expect(await sum()).toBe(3);
    const begun = await mustDraft(get(), leader, member.characterId, { kindId: entry.kind.id });
    const content = { kindId: entry.kind.id, points: 1, text: "Again", expiresOn: null };
    const change = async () => {
      const body = { ...content, version: begun.version };
      return await app.call(putEntry, { params: { id: begun.id }, body }, as(leader));
    };
    const release = async () =>
      await app.call(releaseEntry, { params: { id: begun.id }, body: { version: begun.version } }, as(leader));
    const may = async () => (await app.call(getEntry, { params: { id: begun.id } }, as(leader))).output.may;
    await move(member, "unemployed");
    await expect.poll(async () => await leftAt(entry.id), soon).not.toBeNull();
    expect(await sum()).toBe(0);
    expect((await app.call(listEntries, { query: {} }, as(leader))).output.items).toMatchObject([
      { id: begun.id, left: true, may: ["remove"] },
      { id: entry.id, left: true },
    ]);
    for (const refused of [await change(), await release()])
      expect([refused.status, refused.body.code, refused.body.params]).toEqual([409, "conduct.rests", { days: 60 }]);
    const late = await draft(get(), leader, member.characterId, { kindId: entry.kind.id });
    expect([late.status, late.body.code]).toEqual([409, "conduct.notColleague"]);
    const away = { ...member, token: await world.tokenOf(member) };
    expect(await own(away)).toMatchObject({ total: 1, waiting: 0, items: [{ id: entry.id, may: [] }] });
    const answer = await app.call(acknowledgeEntry, { params: { id: entry.id }, body: { version: entry.version } }, as(away));
    expect([answer.status, answer.body.code]).toEqual([403, "conduct.notSubject"]);
    await run("update conduct_entries set left_at = left_at - ? where id = ?", [31 * day, entry.id]);
    expect((await own(away)).total).toBe(0);
    expect((await app.call(getEntry, { params: { id: entry.id } }, as(away))).status).toBe(404);
    await move(member, job);
    await expect.poll(async () => await leftAt(entry.id), soon).toBeNull();
    expect([await sum(), await may()]).toEqual([3, ["edit", "remove", "release"]]);
    await move(member, "unemployed");
    await expect.poll(async () => await leftAt(entry.id), soon).not.toBeNull();
    await run("update conduct_entries set left_at = left_at - ? where id in (?, ?)", [61 * day, entry.id, begun.id]);
    await move(member, job);
    const back = { ...member, token: await world.tokenOf(member) };
    const kind = await addKind(get(), chief, { name: "Second time" });
    await mustDraft(get(), leader, member.characterId, { kindId: kind.id });
    await expect.poll(async () => (await own(back)).total, soon).toBe(0);
    expect([await sum(), (await leftAt(entry.id)) !== null]).toEqual([0, true]);
    // Nobody would read it, and its points would not count.
    expect((await release()).body.code).toBe("conduct.rests");
  });

  test("counts again for whom the game deleted by mistake and sends again as they were", async () => {
    const { app } = get();
    const { job, member, entry } = await released(get());
    const [row] = await run("select identifier from citizens where id = ?", [member.characterId]);
    // As they are after both calls, so that what they are sent with differs by nothing but the deletion.
    await move(member, job);
    const body = { identifiers: [String(row?.["identifier"])] };
    await app.call(syncUsersDelete, { body }, { token: testSecrets.sync });
    await expect.poll(async () => await leftAt(entry.id), soon).not.toBeNull();
    await move(member, job);
    await expect.poll(async () => await leftAt(entry.id), soon).toBeNull();
  });

  test("loses what is about citizens who are removed for good, and the names of those who wrote it", async () => {
    const { app } = get();
    const { member, leader, entry } = await released(get());
    const second = await released(get());
    const { assembly, container } = app.process;
    const purge = async (citizenIds: number[]) => {
      const reaction = assembly.reactions.find(({ consumer }) => consumer === "conduct.purgeCitizens");
      if (!reaction) throw new Error("nothing removes entries");
      const message = { type: citizensPurged.id, payload: { citizenIds }, at: 0 };
      await container.db.write("test.purge", async (tx) => await reaction.handle(tx, message as never));
    };
    await purge([member.characterId, second.leader.characterId]);
    expect(await run("select id from conduct_entries where id = ?", [entry.id])).toEqual([]);
    expect(await run("select author_id from conduct_entries where id = ?", [second.entry.id])).toEqual([{ author_id: null }]);
    expect((await app.call(listEntries, { query: {} }, as(leader))).output.total).toBe(0);
    const shown = await app.call(getEntry, { params: { id: second.entry.id } }, as(second.member));
    expect(shown.output.author).toBeNull();
  });

  test("has kinds in an order, which can be deleted and restored; what has a deleted one keeps it", async () => {
    const { app } = get();
    const { member, leader, chief, kind, entry } = await released(get());
    const other = await addKind(get(), chief, { name: "Other" });
    const names = async (actor: TestActor) =>
      (await app.call(listKinds, {}, as(actor))).output.items.map(({ name, deleted }) => (deleted ? `-${name}` : name));
    expect((await app.call(orderKinds, { body: { ids: [other.id] } }, as(chief))).status).toBe(204);
    expect(await names(leader)).toEqual(["Other", kind.name]);
    expect((await app.call(removeKind, { params: { id: kind.id } }, as(leader))).status).toBe(403);
    expect((await app.call(removeKind, { params: { id: kind.id } }, as(chief))).status).toBe(204);
    expect([await names(leader), await names(chief)]).toEqual([["Other"], ["Other", `-${kind.name}`]]);
    expect((await app.call(listKinds, {}, as(member))).status).toBe(403);
    expect((await draft(get(), leader, member.characterId, { kindId: kind.id })).body.code).toBe("conduct.kindNotFound");
    expect((await app.call(getEntry, { params: { id: entry.id } }, as(member))).output.kind.name).toBe(kind.name);
    expect((await app.call(restoreKind, { params: { id: kind.id } }, as(chief))).output.deleted).toBe(false);
    const foreign = await team(get(), "foreign");
    expect((await app.call(removeKind, { params: { id: kind.id } }, as(foreign.chief))).status).toBe(404);
  });

  test("says that it changed to those who read it, and of a draft nothing to its person", async () => {
    const [binding] = conductTopics();
    if (binding?.topic !== conductTopic) throw new Error("there is no topic");
    const job = newJob("topic");
    const viewer = (characterId: number, held: readonly string[], of = job) => {
      const rights = { epoch: "", has: (id: string) => held.includes(id), attribute: () => undefined, all: () => ({}) };
      return { characterId, job: of, rights } as never;
    };
    const seen = async (who: never, citizenId: number | null) => (await binding.authorize(who, null))?.view({ job, citizenId });
    const reader = viewer(1, ["conduct.view"]);
    expect([await seen(reader, null), await seen(reader, 9)]).toEqual([{ job }, { job }]);
    expect([await seen(viewer(9, []), null), await seen(viewer(9, []), 9), await seen(viewer(8, []), 9)]).toEqual([
      null,
      { job },
      null,
    ]);
    expect(await seen(viewer(1, ["conduct.view"], "taxi"), 9)).toBeNull();
    const { member, leader, chief } = await team(get());
    const { id: kindId } = await addKind(get(), chief);
    await mustDraft(get(), leader, member.characterId, { kindId });
    const { output } = await get().app.call(listNotifications, { query: {} }, as(member));
    expect(output.items.filter(({ kind }) => kind.startsWith("conduct."))).toEqual([]);
  });
});
