import { expect, test } from "vitest";
import { citizensPurged, syncUsersDelete } from "#features/citizens/citizens.contract.ts";
import { Exporter } from "#features/exports/exports.testkit.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { searchAll } from "#features/search/search.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { deleterOf, runReaction } from "#testkit/reactions.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  changeLeaders,
  changeMembers,
  endExclusion,
  exclude,
  explainMember,
  getGroup,
  jobgroupsExport,
  listExclusions,
  listGroups,
  listMembers,
  listOfPerson,
  orderGroups,
  putGroup,
  removeGroup,
  restoreGroup,
} from "./jobgroups.contract.ts";
import { addGroup, allRights, contentOf, fromGrade, idsIn, newJob, tryGroup } from "./jobgroups.testkit.ts";

const soon = { timeout: 20_000 };
const as = ({ token }: Pick<TestActor, "token">) => ({ token });

describeApps("job groups", (get) => {
  /** A chief with all rights, and two people without any. */
  async function team() {
    const { world } = get();
    const job = newJob("groups");
    await world.job(job, [0, 1, 2, 3]);
    const chief = await world.actor({ job, grade: 3, rights: allRights });
    return { job, chief, one: await world.actor({ job, grade: 1 }), two: await world.actor({ job, grade: 0 }) };
  }
  const change = async (by: TestActor, id: number, add: number[], remove: number[] = []) =>
    await get().app.call(changeMembers, { params: { id }, body: { add, remove } }, as(by));
  const lead = async (by: TestActor, id: number, add: number[], remove: number[] = []) =>
    await get().app.call(changeLeaders, { params: { id }, body: { add, remove } }, as(by));
  const why = async (by: TestActor, id: number, citizenId: number) =>
    await get().app.call(explainMember, { params: { id, citizenId } }, as(by));

  test("have people by hand, who are notified and find their own groups without a right", async () => {
    const { app } = get();
    const { chief, one, two } = await team();
    const group = await addGroup(get(), chief, { name: "Riders" });
    const hidden = await addGroup(get(), chief, { name: "Divers" });
    expect((await change(chief, group.id, [one.characterId])).output.undo).toEqual({ add: [], remove: [one.characterId] });
    expect(await idsIn(get(), chief, group.id)).toEqual([one.characterId]);
    const { output } = await app.call(listGroups, {}, as(one));
    expect(output.items).toMatchObject([{ name: "Riders", own: true, members: null }]);
    expect((await app.call(listGroups, {}, as(two))).output.items).toEqual([]);
    expect((await app.call(getGroup, { params: { id: hidden.id } }, as(one))).status).toBe(404);
    const opened = await app.call(getGroup, { params: { id: group.id } }, as(one));
    expect([opened.status, opened.output.rules, opened.output.may]).toEqual([200, undefined, []]);
    const refused = await app.call(listMembers, { params: { id: group.id }, query: {} }, as(one));
    expect([refused.status, refused.body.code, refused.text.includes("jobgroups.list")]).toEqual([
      403,
      "jobgroups.rightMissing",
      true,
    ]);
    const kinds = (await app.call(listNotifications, { query: {} }, as(one))).output.items.map(({ kind }) => kind);
    expect(kinds).toContain("jobgroups.addedByHand");
    expect((await app.call(listOfPerson, { query: { citizenId: one.characterId } }, as(one))).output.items).toHaveLength(1);
    expect((await app.call(listOfPerson, { query: { citizenId: one.characterId } }, as(two))).status).toBe(403);
  });

  test("are led by people who add and remove others by hand, and do no more", async () => {
    const { app, world } = get();
    const { job, chief, one, two } = await team();
    const group = await addGroup(get(), chief, {});
    await lead(chief, group.id, [one.characterId]);
    expect((await change(one, group.id, [two.characterId])).status).toBe(200);
    expect(await idsIn(get(), one, group.id)).toEqual([two.characterId]);
    expect((await change(one, group.id, [], [two.characterId])).output.undo).toEqual({ add: [two.characterId], remove: [] });
    expect((await lead(one, group.id, [two.characterId])).body.code).toBe("jobgroups.rightMissing");
    const body = { reason: "Injured", until: null };
    const params = { id: group.id, citizenId: two.characterId };
    expect((await app.call(exclude, { params, body }, as(one))).status).toBe(403);
    await lead(chief, group.id, [], [one.characterId]);
    expect((await change(one, group.id, [two.characterId])).status).toBe(404);
    const elsewhere = await world.citizen({ jobs: [{ name: newJob("other"), grade: 0 }] });
    const identifier = newJob("removed");
    const removed = await world.citizen({ identifier, jobs: [{ name: job, grade: 0 }] });
    await app.call(syncUsersDelete, { body: { identifiers: [identifier] } }, { token: testSecrets.sync });
    for (const citizenId of [elsewhere, removed])
      expect((await change(chief, group.id, [citizenId])).body.code).toBe("jobgroups.personUnknown");
    const ten: number[] = [];
    while (ten.length < 11) ten.push(await world.citizen({ jobs: [{ name: job, grade: 0 }] }));
    expect((await lead(chief, group.id, ten)).body.code).toBe("jobgroups.leadersFull");
    expect((await lead(chief, group.id, ten.slice(1))).status).toBe(200);
  });

  test("are not led by somebody who is excluded from them", async () => {
    const { app } = get();
    const { chief, one, two } = await team();
    const group = await addGroup(get(), chief, {});
    await lead(chief, group.id, [one.characterId]);
    const person = { id: group.id, citizenId: one.characterId };
    const body = { reason: "Suspected of leaks", until: null };
    expect((await app.call(exclude, { params: person, body }, as(chief))).status).toBe(200);
    expect((await change(one, group.id, [two.characterId])).body.code).toBe("jobgroups.notFound");
    expect((await why(one, group.id, one.characterId)).text).not.toContain("leaks");
    expect((await app.call(listGroups, {}, as(one))).output.items).toEqual([]);
  });

  test("do not keep who deleted them, once that citizen was removed for good", async () => {
    const { app } = get();
    const { chief } = await team();
    const { id } = await addGroup(get(), chief, {});
    await app.call(removeGroup, { params: { id } }, as(chief));
    const deleter = async () => await deleterOf(get(), "jobgroups", id);
    expect(await deleter()).toBe(chief.characterId);
    await runReaction(get(), "jobgroups.purgeCitizens", citizensPurged, { citizenIds: [chief.characterId] });
    expect(await deleter()).toBeNull();
  });

  test("have people by grade, less those who are excluded, and say why", async () => {
    const { app } = get();
    const { chief, one, two } = await team();
    const group = await addGroup(get(), chief, { membership: "both", rules: [fromGrade(1, 2)] });
    await expect.poll(async () => await idsIn(get(), chief, group.id), soon).toEqual([one.characterId]);
    await change(chief, group.id, [one.characterId, two.characterId]);
    const { output } = await why(chief, group.id, one.characterId);
    expect([output.member, output.reasons.map(({ kind }) => kind), output.exclusion]).toEqual([true, ["hand", "rule"], null]);
    expect(output.reasons[0]!.by).not.toBe(null);
    const params = { id: group.id, citizenId: one.characterId };
    const body = { reason: "Broke a leg", until: null };
    expect((await app.call(exclude, { params, body }, as(chief))).status).toBe(200);
    expect(await idsIn(get(), chief, group.id)).toEqual([two.characterId]);
    const excluded = (await why(chief, group.id, one.characterId)).output;
    expect([excluded.member, excluded.exclusion?.reason]).toEqual([false, "Broke a leg"]);
    // Two is a member, and may neither read who is excluded nor why.
    expect((await why(two, group.id, one.characterId)).status).toBe(403);
    expect((await app.call(listExclusions, { params: { id: group.id } }, as(two))).status).toBe(403);
    await app.call(
      exclude,
      { params: { ...params, citizenId: two.characterId }, body: { ...body, reason: "Secret" } },
      as(chief),
    );
    expect((await app.call(getGroup, { params: { id: group.id } }, as(two))).status).toBe(404);
    expect((await app.call(listExclusions, { params: { id: group.id } }, as(chief))).output.items).toHaveLength(2);
    await app.call(endExclusion, { params: { ...params, citizenId: two.characterId } }, as(chief));
    await app.call(endExclusion, { params }, as(chief));
    expect((await idsIn(get(), chief, group.id)).toSorted()).toEqual([one.characterId, two.characterId].toSorted());
    const past = await app.call(exclude, { params, body: { reason: "x", until: "2020-01-01" } }, as(chief));
    expect(past.body.code).toBe("jobgroups.dayOver");
  });

  test("stand one in the other without circles, three deep", async () => {
    const { app } = get();
    const { chief, one } = await team();
    const low = await addGroup(get(), chief, { name: "Low" });
    const middle = await addGroup(get(), chief, { name: "Middle", contains: [low.id] });
    const top = await addGroup(get(), chief, { name: "Top", contains: [middle.id] });
    await change(chief, low.id, [one.characterId]);
    expect(await idsIn(get(), chief, top.id)).toEqual([one.characterId]);
    expect((await why(chief, top.id, one.characterId)).output.reasons).toMatchObject([
      { kind: "group", group: { name: "Middle" } },
    ]);
    const body = { ...contentOf(low), contains: [top.id], version: low.version };
    const circle = await app.call(putGroup, { params: { id: low.id }, body }, as(chief));
    expect([circle.status, circle.body.code, circle.text.includes("Low > Top > Middle > Low")]).toEqual([
      409,
      "jobgroups.circle",
      true,
    ]);
    expect((await tryGroup(get(), chief, { name: "Above", contains: [top.id] })).body.code).toBe("jobgroups.tooDeep");
    // Without the group in the middle, nobody is in the outer one through it, and it can be restored.
    await app.call(removeGroup, { params: { id: middle.id } }, as(chief));
    await expect.poll(async () => await idsIn(get(), chief, top.id), soon).toEqual([]);
    const other = await team();
    expect((await tryGroup(get(), other.chief, { contains: [low.id] })).status).toBe(404);
    expect((await app.call(restoreGroup, { params: { id: middle.id } }, as(chief))).status).toBe(200);
    await expect.poll(async () => await idsIn(get(), chief, top.id), soon).toEqual([one.characterId]);
  });

  test("are not named to leaders who do not see them, also not as the reason why somebody is a member", async () => {
    const { app } = get();
    const { chief, one, two } = await team();
    const hidden = await addGroup(get(), chief, { name: "Undercover", short: "UC" });
    const outer = await addGroup(get(), chief, { name: "Watch", contains: [hidden.id] });
    await lead(chief, outer.id, [one.characterId]);
    await change(chief, hidden.id, [two.characterId]);
    const opened = await app.call(getGroup, { params: { id: outer.id } }, as(one));
    const explained = await why(one, outer.id, two.characterId);
    expect([explained.status, explained.output.member, explained.output.reasons]).toMatchObject([
      200,
      true,
      [{ kind: "group", group: null }],
    ]);
    expect([opened.text, explained.text].map((text) => /Undercover|UC/.test(text))).toEqual([false, false]);
    // Two is in it, and so reads its name.
    expect((await why(two, outer.id, two.characterId)).output.reasons).toMatchObject([{ group: { name: "Undercover" } }]);
  });

  test("are counted only for those who see the number of their members, and never by a search", async () => {
    const { app } = get();
    const { chief, one } = await team();
    const group = await addGroup(get(), chief, { name: "Riders" });
    await change(chief, group.id, [one.characterId]);
    const counted: string[] = [];
    app.process.container.db.observe(({ sql }) => {
      if (/count\(.*jobgroups_members/is.test(sql)) counted.push(sql);
    });
    expect((await app.call(searchAll, { query: { q: "riders", kind: "jobgroups" } }, as(chief))).output.results).toHaveLength(1);
    expect((await app.call(listGroups, {}, as(one))).output.items).toMatchObject([{ name: "Riders", members: null }]);
    expect(counted).toEqual([]);
    expect((await app.call(listGroups, {}, as(chief))).output.items).toMatchObject([{ name: "Riders", members: 1 }]);
    expect(counted).toHaveLength(1);
  });

  test("are changed by version, ordered, found and exported by those who may", async () => {
    const { app } = get();
    const { chief, one, two } = await team();
    const [a, b] = [await addGroup(get(), chief, { name: "Alpha wing" }), await addGroup(get(), chief, { name: "Bravo wing" })];
    expect((await tryGroup(get(), chief, { name: "álpha WING" })).body.code).toBe("jobgroups.nameTaken");
    expect((await tryGroup(get(), chief, { name: "C", rules: [fromGrade(2, 1)] })).body.code).toBe("jobgroups.gradesWrong");
    const unknown = { kind: "label", id: 999_999, from: null, to: null };
    expect((await tryGroup(get(), chief, { name: "C", rules: [unknown] })).body.code).toBe("jobgroups.ruleUnknown");
    const body = { ...contentOf(a), description: "Two", version: a.version };
    expect((await app.call(putGroup, { params: { id: a.id }, body }, as(chief))).output.version).toBe(2);
    const stale = await app.call(putGroup, { params: { id: a.id }, body }, as(chief));
    expect([stale.status, (stale.body.current as { description: string }).description]).toEqual([409, "Two"]);
    await app.call(orderGroups, { body: { ids: [b.id] } }, as(chief));
    const names = (await app.call(listGroups, {}, as(chief))).output.items.map(({ name }) => name);
    expect(names).toEqual(["Bravo wing", "Alpha wing"]);
    const found = async (by: TestActor, q: string) =>
      (await app.call(searchAll, { query: { q, kind: "jobgroups" } }, as(by))).output.results.map(({ ref }) => ref);
    expect(await found(chief, "wing")).toEqual([`GRP-${b.id}`, `GRP-${a.id}`]);
    expect(await found(chief, `GRP-${a.id}`)).toEqual([`GRP-${a.id}`]);
    expect(await found(two, "wing")).toEqual([]);
    await change(chief, a.id, [one.characterId]);
    expect(await found(one, "wing")).toEqual([`GRP-${a.id}`]);
    const exporter = new Exporter(get(), chief);
    const { output } = await exporter.request(jobgroupsExport, { group: a.id });
    await expect.poll(async () => (await exporter.find(output.id))?.state, soon).toBe("done");
    const [, ...rows] = (await exporter.download(output.id)).text.trimEnd().split("\r\n");
    expect(rows).toHaveLength(1);
    expect(rows[0]).toContain(`CIT-${one.characterId}`);
    expect((await new Exporter(get(), two).request(jobgroupsExport, { group: a.id })).status).toBe(403);
  });

  test("show their members by name, page by page", async () => {
    const { app, world } = get();
    const { job, chief } = await team();
    const group = await addGroup(get(), chief, {});
    const ids: number[] = [];
    for (const lastName of ["Coe", "Abel", "Brandt"]) {
      ids.push(await world.citizen({ firstName: "Zoe", lastName, jobs: [{ name: job, grade: 0 }] }));
    }
    await change(chief, group.id, ids);
    const page = async (cursor?: string) => {
      const query = { limit: 2, ...(cursor === undefined ? {} : { cursor }) };
      return (await app.call(listMembers, { params: { id: group.id }, query }, as(chief))).output;
    };
    const first = await page();
    expect([first.total, ...first.items.map(({ name }) => name)]).toEqual([3, "Zoe Abel", "Zoe Brandt"]);
    expect((await page(first.next!)).items.map(({ name, byHand: hand }) => [name, hand])).toEqual([["Zoe Coe", true]]);
  });
});
