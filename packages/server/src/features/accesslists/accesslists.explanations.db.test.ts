import { expect, test } from "vitest";
import { changeMembers, type People } from "#features/jobgroups/jobgroups.contract.ts";
import { addGroup } from "#features/jobgroups/jobgroups.testkit.ts";
import { createNotice, getNotice, putNotice } from "#features/notices/notices.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor, World } from "#testkit/world.ts";
import { accessAudience, explainAccess } from "./accesslists.contract.ts";

type Grants = Parameters<World["grant"]>[2];
const entry = (job: string, minGrade: number, level: string) =>
  ({ subject: "job", job, minGrade, id: 0, level, required: null }) as const;
const person = (id: number, level: string) => ({ subject: "citizen", job: "", minGrade: 0, id, level, required: null }) as const;
const unknownId = 987_654;

describeApps("an access list reveals of people and jobs only what its viewer may see", (get) => {
  let counter = 0;
  /** An author with these additional rights, a colleague without them, and a character of another job. */
  async function people(rights: Grants = {}) {
    const { world } = get();
    counter += 1;
    const [here, there] = [`inside${counter}`, `outside${counter}`];
    for (const job of [here, there]) await world.job(job);
    const author = await world.actor({ job: here, grade: 2, rights: { "notices.create": { fields: ["jobs"] }, ...rights } });
    const colleague = await world.actor({ job: here, grade: 1 });
    const outsider = await world.actor({ job: there, grade: 3 });
    return { here, there, author, colleague, outsider };
  }
  const notice = { title: "Radio check", text: "", expiresAt: null };
  const put = async (who: TestActor, entries: readonly object[]) =>
    await get().app.call(
      createNotice,
      { body: { ...notice, access: { public: false, entries } } as never },
      { token: who.token },
    );
  const audience = async (who: TestActor, id: number) =>
    (await get().app.call(accessAudience, { params: { kind: "notices", id } }, { token: who.token })).output;
  const explain = async (who: TestActor, id: number, citizenId: number) =>
    await get().app.call(explainAccess, { params: { kind: "notices", id }, query: { citizenId } }, { token: who.token });

  test("people can only be named by viewers who may see them, with the same refusal for unknown ids", async () => {
    const { here, author, outsider } = await people();
    const auditTables = ["audit_entries", "audit_postings", "audit_suffixes", "audit_words"];
    const written = get().writes(auditTables);
    const refusals = [];
    for (const id of [outsider.characterId, unknownId]) {
      const { status, body } = await put(author, [person(id, "view")]);
      refusals.push([status, body.code, body.params]);
    }
    const params = { permission: "citizens.list", job: here };
    expect(refusals).toEqual(Array.from({ length: 2 }, () => [403, "accesslists.citizensHidden", params]));
    expect(written.tables()).toEqual([]);
    expect((await put(author, [person(author.characterId, "edit")])).status).toBe(200);

    const permitted = await people({ "citizens.list": true });
    expect((await put(permitted.author, [person(outsider.characterId, "view")])).status).toBe(200);
    expect((await put(permitted.author, [person(unknownId, "view")])).body.code).toBe("accesslists.citizenUnknown");
  });

  test("existing entries of people stay, shown by number to viewers who may not see people", async () => {
    const { here, author, outsider } = await people({ "citizens.list": true });
    const editor = await get().world.actor({ job: here, grade: 3 });
    await get().world.grant(here, 3, { "citizens.list": false });
    const restricted = { ...editor, token: await get().world.tokenOf(editor) };
    const list = [entry(here, 2, "edit"), person(outsider.characterId, "view"), person(author.characterId, "edit")];
    const { output } = await put(author, list);
    expect((await audience(author, output.id)).entries.map(({ label }) => label)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Act Or\d+$/)]),
    );
    const labels = (await audience(restricted, output.id)).entries.map(({ label }) => label);
    expect(labels.filter((label) => /^CIT-\d+$/.test(label)).toSorted()).toEqual(
      [`CIT-${outsider.characterId}`, `CIT-${author.characterId}`].toSorted(),
    );
    const { app } = get();
    const change = async (entries: readonly object[], version: number) => {
      const body = { ...notice, version, access: { public: false, entries } } as never;
      return await app.call(putNotice, { params: { id: output.id }, body }, { token: restricted.token });
    };
    const more = await change([...list, person(unknownId, "view")], 1);
    expect([more.status, more.body.code]).toEqual([403, "accesslists.citizensHidden"]);
    expect((await change(list, 1)).status).toBe(200);
    const kept = await app.call(getNotice, { params: { id: output.id } }, { token: author.token });
    expect(kept.output.access?.entries.length).toBe(3);
    expect((await change(list.slice(0, 2), 2)).status).toBe(200);
    expect((await change(list, 3)).body.code).toBe("accesslists.citizensHidden");
  });

  test("access is explained only of the own job, with the same refusal for other jobs and unknown ids", async () => {
    const { here, there, author, colleague, outsider } = await people();
    const entries = [entry(here, 0, "view"), ...[0, 1, 2, 3].map((grade) => entry(there, grade, "view"))];
    const { output } = await put(author, entries);
    const refusals = [];
    for (const id of [outsider.characterId, unknownId]) {
      const { status, body } = await explain(author, output.id, id);
      refusals.push([status, body.code, body.params]);
    }
    const params = { permission: "citizens.list", field: "job", job: here };
    expect(refusals).toEqual(Array.from({ length: 2 }, () => [403, "accesslists.jobsHidden", params]));
    expect((await explain(author, output.id, colleague.characterId)).output).toMatchObject({ level: "view" });

    for (const rights of [{ "citizens.list": true }, { "citizens.list": { fields: ["phone"] } }]) {
      const other = await people(rights);
      const own = (await put(other.author, [entry(other.here, 0, "view")])).output.id;
      expect((await explain(other.author, own, outsider.characterId)).body.code).toBe("accesslists.jobsHidden");
    }
    const permitted = await people({ "citizens.list": { fields: ["job"] } });
    const own = (await put(permitted.author, [entry(there, 3, "view")])).output.id;
    const known = await explain(permitted.author, own, outsider.characterId);
    expect(known.output).toMatchObject({ level: "view", reason: { kind: "entry", entry: { job: there, minGrade: 3 } } });
    expect((await explain(permitted.author, own, unknownId)).body.code).toBe("accesslists.citizenUnknown");
  });

  test("nothing tells who is in a group whose members the viewer may not see", async () => {
    const { app, world } = get();
    const { here, author, colleague } = await people();
    const chief = await world.actor({ job: here, grade: 3, rights: { "jobgroups.manage": true, "jobgroups.members": true } });
    await world.grant(here, 3, { "notices.create": { fields: ["jobs"] } });
    const inside = await world.citizen({ jobs: [{ name: here, grade: 0 }] });
    const as = { token: await world.tokenOf(chief) };
    const group = await addGroup(get(), as, {});
    const change = async (ids: Partial<People>) =>
      await app.call(changeMembers, { params: { id: group.id }, body: { add: [], remove: [], ...ids } }, as);
    expect((await change({ add: [author.characterId, inside] })).status).toBe(200);
    const grouped = { subject: "group", job: "", minGrade: 0, id: group.id, level: "view", required: null } as const;
    const spy = { ...author, token: await world.tokenOf(author) };
    const { output } = await put(spy, [grouped, entry(here, 2, "edit")]);
    const told = async (who: TestActor, citizenId: number) => {
      const { level, reason } = (await explain(who, output.id, citizenId)).output;
      return [level, reason.kind];
    };
    const outside = colleague.characterId;
    expect([await told(spy, inside), await told(spy, outside)]).toEqual([
      [null, "hidden"],
      [null, "hidden"],
    ]);
    expect(await told(spy, author.characterId)).toEqual(["edit", "creator"]);
    const knowing = { ...chief, ...as };
    expect([await told(knowing, inside), await told(knowing, outside)]).toEqual([
      ["view", "entry"],
      [null, "none"],
    ]);
  });

  test("people are counted in the own job, in others only for viewers who may see jobs", async () => {
    const { here, there, author } = await people();
    const list = [entry(here, 0, "view"), entry(there, 0, "view")];
    const counts = async (who: TestActor) => {
      const id = (await put(who, list)).output.id;
      return new Map((await audience(who, id)).entries.map(({ job, people: found }) => [job, found]));
    };
    expect(await counts(author)).toEqual(
      new Map([
        [here, 2],
        [there, null],
      ]),
    );
    const permitted = await people({ "citizens.list": { fields: ["job"] } });
    expect(await counts(permitted.author)).toEqual(
      new Map([
        [here, 2],
        [there, 1],
      ]),
    );
  });

  test("whether the creator left the job is shown only to viewers who may see that", async () => {
    const { app, world } = get();
    const { here, there, author, outsider } = await people();
    const { output } = await put(author, [entry(here, 1, "edit"), entry(there, 0, "edit")]);
    const sees = async (who: TestActor) => (await audience(who, output.id)).creator?.stillInJob;
    expect([await sees(author), await sees(outsider)]).toEqual([true, null]);
    const grantors = async (who: TestActor) =>
      (await app.call(explainAccess, { params: { kind: "notices", id: output.id }, query: {} }, { token: who.token })).output
        .grantors;
    const before = await grantors(outsider);
    expect(before[0]).toMatch(/^Act Or\d+$/);
    const moved = { identifier: `char1:${author.licence}`, firstName: "Act", lastName: before[0]?.slice(4) ?? "" };
    await world.citizen({ ...moved, jobs: [{ name: there, grade: 0 }] });
    expect(await grantors(outsider)).toEqual(before);
  });
});
