import { expect, test } from "vitest";
import { createNotice, listNotices } from "#features/notices/notices.contract.ts";
import { addGroup, allRights, idsIn, sendPeople, tryGroup } from "#features/jobgroups/jobgroups.testkit.ts";
import { explainMember, jobgroupsChanged, listRuleKinds } from "#features/jobgroups/jobgroups.contract.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { eventsOf } from "#testkit/reactions.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { changeLabels, putLabel, removeLabel, restoreLabel } from "./colleagues.labels.contract.ts";
import { addLabel, newJob, rightsTo, seen } from "./colleagues.testkit.ts";

const soon = { timeout: 20_000 };
const as = ({ token }: Pick<TestActor, "token">) => ({ token });

describeApps("job groups by label", (get) => {
  async function team() {
    const { world } = get();
    const job = newJob("labelled");
    await world.job(job, [0, 1, 2, 3]);
    const rights = { ...rightsTo("any"), ...allRights, "notices.create": {} };
    const chief = await world.actor({ job, grade: 3, rights });
    const officer = await world.actor({ job, grade: 1 });
    for (const { characterId } of [chief, officer]) await seen(get(), chief, characterId);
    const label = await addLabel(get(), chief, "FTO");
    const rules = [{ kind: "label", id: label.id, from: null, to: null }];
    const group = await addGroup(get(), chief, { name: "Trainers", membership: "rule", rules });
    const give = async (given: boolean) => {
      const changes = [{ id: officer.characterId, label: label.id, given }];
      const answer = await get().app.call(changeLabels, { body: { reason: "a test", changes } }, as(chief));
      expect(answer.status).toBe(200);
    };
    return { job, chief, officer, label, group, give };
  }

  test("have those who have it, until it is taken or deleted, and say why", async () => {
    const { app } = get();
    const { job, chief, officer, label, group, give } = await team();
    expect(await idsIn(get(), chief, group.id)).toEqual([]);
    await give(true);
    expect(await idsIn(get(), chief, group.id)).toEqual([officer.characterId]);
    const params = { id: group.id, citizenId: officer.characterId };
    const { output } = await app.call(explainMember, { params }, as(chief));
    expect(output.reasons).toMatchObject([{ kind: "rule", rule: { kind: "label", name: "FTO" } }]);
    await app.call(removeLabel, { params: { id: label.id } }, as(chief));
    await expect.poll(async () => await idsIn(get(), chief, group.id), soon).toEqual([]);
    await app.call(restoreLabel, { params: { id: label.id } }, as(chief));
    await expect.poll(async () => await idsIn(get(), chief, group.id), soon).toEqual([officer.characterId]);
    // A label rests while its person is away, and counts again on return.
    const identifier = `char1:${officer.licence}`;
    await sendPeople(get(), [{ identifier, job: "unemployed", licence: officer.licence }]);
    await expect.poll(async () => await idsIn(get(), chief, group.id), soon).toEqual([]);
    await sendPeople(get(), [{ identifier, job, grade: 1, licence: officer.licence }]);
    await expect.poll(async () => await idsIn(get(), chief, group.id), soon).toEqual([officer.characterId]);
    await give(false);
    expect(await idsIn(get(), chief, group.id)).toEqual([]);
  });

  test("are read again by open pages when the label has another name", async () => {
    const { job, chief, label } = await team();
    const told = async () => (await eventsOf(get(), jobgroupsChanged)).filter(({ jobs }) => jobs.includes(job)).length;
    const before = await told();
    const { name, colour, icon, version } = label;
    const change = async (body: object) =>
      (await get().app.call(putLabel, { params: { id: label.id }, body: { name, colour, icon, ...body } as never }, as(chief)))
        .status;
    expect(await change({ version, name: "Trainer" })).toBe(200);
    expect(await told()).toBe(before + 1);
  });

  test("open what an access list names them for, and close it again, live", async () => {
    const { app } = get();
    const { chief, officer, group, give } = await team();
    const entry = { job: "", minGrade: 0, required: null } as const;
    const entries = [
      { ...entry, subject: "group" as const, id: group.id, level: "view" },
      { ...entry, subject: "citizen" as const, id: chief.characterId, level: "edit" },
    ];
    const body = { title: "For trainers", text: "", expiresAt: null, access: { public: false, entries } };
    const created = await app.call(createNotice, { body }, as(chief));
    expect([created.status, created.text]).toEqual([200, created.text]);
    const titles = async () =>
      (await app.call(listNotices, { query: { limit: 50 } }, as(officer))).output.items.map(({ title }) => title);
    const client = await TestClient.signedIn(app.process.hub, officer.token);
    await client.subscribe("notices");
    expect(await titles()).toEqual([]);
    await give(true);
    expect(await titles()).toEqual(["For trainers"]);
    // The page has another class of viewer now, and is asked to read again.
    await expect.poll(() => client.of("subscribed").filter(({ mode }) => mode === "snapshot").length, soon).toBe(1);
    await give(false);
    expect(await titles()).toEqual([]);
    await expect.poll(() => client.of("subscribed").filter(({ mode }) => mode === "snapshot").length, soon).toBe(2);
    client.leave();
  });

  test("tell who has a label, and until when, only those who may see labels", async () => {
    const { app, world } = get();
    const { job, officer, label, group, give } = await team();
    await give(true);
    const manager = await world.actor({ job, grade: 2 });
    await world.grant(job, 2, { "jobgroups.manage": {} });
    const token = { token: await world.tokenOf(manager) };
    const kinds = await app.call(listRuleKinds, {}, token);
    expect([kinds.status, kinds.output.kinds]).toEqual([200, []]);
    const rules = [{ kind: "label", id: label.id, from: null, to: null }];
    expect((await tryGroup(get(), token, { membership: "rule", rules })).body.code).toBe("jobgroups.ruleUnknown");
    const params = { id: group.id, citizenId: officer.characterId };
    const own = { token: await world.tokenOf(officer) };
    for (const who of [token, own]) {
      const why = await app.call(explainMember, { params }, who);
      expect([why.output.reasons[0]?.kind, why.text.includes("FTO")]).toEqual(["rule", false]);
    }
  });

  test("are named in access lists by those of their own job who see them alone", async () => {
    const { app } = get();
    const [one, other] = [await team(), await team()];
    const entry = { job: "", minGrade: 0, required: null, subject: "group" as const, level: "view" };
    const post = async (by: TestActor, id: number) => {
      const access = { public: false, entries: [{ ...entry, id }] };
      return await app.call(createNotice, { body: { title: "x", text: "", expiresAt: null, access } }, as(by));
    };
    const refused = await post(one.chief, other.group.id);
    expect([refused.status, refused.body.code, refused.text.includes("Trainers")]).toEqual([
      400,
      "accesslists.groupUnknown",
      false,
    ]);
    expect((await post(one.chief, one.group.id)).status).toBe(200);
  });
});
