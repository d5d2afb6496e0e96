import { expect, test } from "vitest";
import type { InputOf } from "#core/contract/index.ts";
import { mustAsk } from "#features/absences/absences.testkit.ts";
import { auditHistory } from "#features/audit/audit.contract.ts";
import { beginDuty } from "#features/duty/duty.contract.ts";
import { Exporter } from "#features/exports/exports.testkit.ts";
import { searchAll } from "#features/search/search.contract.ts";
import { moveMember } from "#features/units/units.contract.ts";
import { addUnit, goOnDuty, leaderRights } from "#features/units/units.testkit.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  changeLabels,
  colleaguesExport,
  getColleague,
  listActivity,
  listColleagues,
  listNames,
  putColleague,
} from "./colleagues.contract.ts";
import { addLabel, newJob, rightsTo, seen } from "./colleagues.testkit.ts";

const secret = "Never writes reports";

describeApps("colleagues", (get) => {
  /** A leader of a new job with two people: one of a lower and one of a higher grade. */
  async function team(whose: string) {
    const { world } = get();
    const job = newJob("team");
    await world.job(job, [0, 1, 2, 3]);
    const leader = await world.actor({ job, grade: 2, rights: rightsTo(whose) });
    const chief = await world.actor({ job, grade: 3, rights: rightsTo("any") });
    const cadet = await world.citizen({ firstName: "Mara", lastName: `Lind${job}`, jobs: [{ name: job, grade: 0 }] });
    for (const id of [cadet, leader.characterId, chief.characterId]) await seen(get(), chief, id);
    return { job, leader, chief, cadet };
  }

  test("are listed from the highest grade, with grade, name and duty", async () => {
    const { app } = get();
    const { job, leader, chief, cadet } = await team("lower");
    await app.call(beginDuty, { body: { job } }, { token: chief.token });
    const list = async (query: InputOf<typeof listColleagues>["query"]) =>
      (await app.call(listColleagues, { query }, { token: leader.token })).output;
    const all = await list({});
    expect(all.items.map(({ id }) => id)).toEqual([chief.characterId, leader.characterId, cadet]);
    expect(all.items[0]).toMatchObject({ job: { grade: 3, gradeLabel: `${job} 3` }, onDuty: { state: "on" } });
    expect((await list({ duty: "on" })).items.map(({ id }) => id)).toEqual([chief.characterId]);
    expect((await list({ duty: "off" })).total).toBe(2);
    expect((await list({ fromGrade: 2, order: "name" })).total).toBe(2);
    expect((await list({ belowGrade: 3, limit: 1 })).items.map(({ id }) => id)).toEqual([leader.characterId]);
    expect((await list({ belowGrade: 2, q: "Mara" })).items.map(({ id }) => id)).toEqual([cadet]);
    const first = await list({ limit: 2, order: "-rank" });
    expect([first.total, ...first.items.map(({ id }) => id)]).toEqual([3, cadet, leader.characterId]);
    expect((await list({ limit: 2, order: "-rank", cursor: first.next! })).items.map(({ id }) => id)).toEqual([
      chief.characterId,
    ]);
  });

  test("are narrowed to those who are absent, or are not, by those who may see it", async () => {
    const { app, world } = get();
    const { job, leader, chief, cadet } = await team("any");
    const list = async (as: TestActor, query: InputOf<typeof listColleagues>["query"]) =>
      await app.call(listColleagues, { query }, { token: as.token });
    const refused = await list(leader, { absent: "yes" });
    expect([refused.status, refused.body.code]).toEqual([403, "colleagues.absencesHidden"]);
    await mustAsk(get(), leader, [0, 1]);
    await mustAsk(get(), chief, [1, 2]);
    await app.call(beginDuty, { body: { job } }, { token: leader.token });
    await world.grant(job, 3, { "absences.list": true });
    const viewer = { ...chief, token: await world.tokenOf(chief) };
    const found = async (query: InputOf<typeof listColleagues>["query"]) =>
      (await list(viewer, query)).output.items.map(({ id }) => id);
    expect(await found({ absent: "yes" })).toEqual([leader.characterId]);
    expect(await found({ absent: "no" })).toEqual([chief.characterId, cadet]);
    expect(await found({ absent: "yes", duty: "on" })).toEqual([leader.characterId]);
    expect(await found({ absent: "yes", duty: "off" })).toEqual([]);
    expect(await found({ absent: "no", duty: "off" })).toEqual([chief.characterId, cadet]);
    expect(await found({ absent: "no", duty: "on" })).toEqual([]);
  });

  test("are found by name among those of the own job alone", async () => {
    const { app } = get();
    const [one, other] = [await team("any"), await team("any")];
    const found = async (q: string) =>
      (await app.call(listColleagues, { query: { q } }, { token: one.leader.token })).output.items.map(({ id }) => id);
    expect(await found(`Lind${one.job}`)).toEqual([one.cadet]);
    expect(await found(`Lind${other.job}`)).toEqual([]);
    const { output } = await app.call(listColleagues, { query: { q: "Mara" } }, { token: one.leader.token });
    expect([output.total, output.items.length]).toEqual([1, 1]);
  });

  test("are found by the beginning of their unit's callsign, in the list and everywhere, beside the names", async () => {
    const { app, world } = get();
    const job = newJob("crew");
    await world.job(job);
    const rights = { ...rightsTo("any"), ...leaderRights };
    const leader = await world.actor({ job, grade: 3, rights });
    const [mate, named] = [
      await world.actor({ job, grade: 1 }),
      await world.citizen({ lastName: "Boatman", jobs: [{ name: job, grade: 0 }] }),
    ];
    for (const id of [leader.characterId, mate.characterId, named]) await seen(get(), leader, id);
    await goOnDuty(get(), job, leader, mate);
    const unit = await addUnit(get(), leader, { callsign: "Boat 7", minCrew: 1, maxCrew: 4 });
    const joined = await app.call(
      moveMember,
      { params: { id: mate.characterId }, body: { unitId: unit.id } },
      { token: leader.token },
    );
    expect(joined.status).toBeLessThan(300);
    const list = async (q: string, limit = 50) =>
      (await app.call(listColleagues, { query: { q, limit } }, { token: leader.token })).output;
    expect((await list("boat 7")).items.map(({ id }) => id)).toEqual([mate.characterId]);
    const both = await list("boat");
    expect([both.total, both.items.map(({ id }) => id)]).toEqual([2, [mate.characterId, named]]);
    const first = await list("boat", 1);
    expect([first.total, first.items.length, first.next !== null]).toEqual([2, 1, true]);
    expect((await list("oat")).items.map(({ id }) => id)).not.toContain(mate.characterId);
    const { output } = await app.call(searchAll, { query: { q: "Boat 7", kind: "colleagues" } }, { token: leader.token });
    expect(output.results).toMatchObject([{ id: mate.characterId, subtitle: `${job} 1 · Boat 7`, match: "whole" }]);
  });

  test("stand in the global search by name and by label, as far as the viewer sees them", async () => {
    const { app, world } = get();
    const [one, other] = [await team("any"), await team("any")];
    const hits = async ({ token }: TestActor, q: string) =>
      (await app.call(searchAll, { query: { q, kind: "colleagues" } }, { token })).output.results;
    const found = async (actor: TestActor, q: string) => (await hits(actor, q)).map(({ id }) => id);
    expect(await hits(one.leader, `Lind${one.job}`)).toMatchObject([
      { id: one.cadet, ref: `CIT-${one.cadet}`, subtitle: `${one.job} 0` },
    ]);
    expect(await found(one.leader, `Lind${other.job}`)).toEqual([]);
    const word = newJob("diver");
    for (const { chief, cadet, leader } of [one, other]) {
      const label = await addLabel(get(), chief, `${word} first class`);
      const changes = [cadet, leader.characterId].map((id) => ({ id, label: label.id, given: true }));
      await app.call(changeLabels, { body: { reason: "a test", changes } }, { token: chief.token });
    }
    expect(await found(one.chief, word)).toEqual([one.leader.characterId, one.cadet]);
    expect((await hits(one.chief, word))[0]?.subtitle).toBe(`${one.job} 2 · ${word} first class`);
    const lower = await world.actor({ job: one.job, grade: 1, rights: rightsTo("lower") });
    expect(await found(lower, word)).toEqual([one.cadet]);
    const blind = await world.actor({ job: one.job, grade: 0, rights: { "colleagues.list": true } });
    expect([await found(blind, word), await found(blind, `Lind${one.job}`)]).toEqual([[], []]);
  });

  test("have their prefix and suffix in one answer, of the own job, for those who may list it", async () => {
    const { app, world } = get();
    const [one, other] = [await team("any"), await team("any")];
    for (const { chief, cadet } of [one, other]) {
      const as = { token: chief.token };
      const { version } = (await app.call(getColleague, { params: { id: cadet } }, as)).output;
      await app.call(putColleague, { params: { id: cadet }, body: { version, reason: "a test", suffix: "FTO" } }, as);
    }
    const names = async ({ token }: TestActor) => await app.call(listNames, {}, { token });
    expect((await names(one.leader)).output.items).toEqual([{ id: one.cadet, prefix: null, suffix: "FTO" }]);
    const blind = await world.actor({ job: one.job, grade: 1, rights: { "colleagues.statistics": {} } });
    expect((await names(blind)).status).toBe(403);
  });

  test("of another job are there for nobody", async () => {
    const { app } = get();
    const [one, other] = [await team("any"), await team("any")];
    const as = { token: one.chief.token };
    const opened = await app.call(getColleague, { params: { id: other.cadet } }, as);
    expect([opened.status, opened.body.code]).toEqual([404, "colleagues.notFound"]);
    const body = { version: 1, reason: "a test", note: "x" };
    expect((await app.call(putColleague, { params: { id: other.cadet }, body }, as)).status).toBe(404);
    expect((await app.call(listActivity, { query: { citizenId: other.cadet } }, as)).output.items).toEqual([]);
  });

  test("keep a note in the places where the viewer may read it", async () => {
    const { app, world } = get();
    const { leader, chief, cadet, job } = await team("lower");
    const put = async (token: string, id: number, note: string) => {
      const { output } = await app.call(getColleague, { params: { id } }, { token });
      return await app.call(putColleague, { params: { id }, body: { version: output.version, reason: "Talk", note } }, { token });
    };
    expect((await put(chief.token, chief.characterId, secret)).output.note).toBe(secret);
    expect((await put(leader.token, cadet, "Trains on Thursdays")).output.note).toBe("Trains on Thursdays");

    const refused = await put(leader.token, chief.characterId, "Changed");
    expect([refused.status, refused.body.code, refused.text.includes(secret)]).toEqual([403, "colleagues.notYours", false]);
    const opened = await app.call(getColleague, { params: { id: chief.characterId } }, { token: leader.token });
    expect(opened.output).toMatchObject({ hidden: ["note", "labels"], may: [] });
    const auditor = await world.actor({ job, rights: { "audit.view": true, ...rightsTo("own") }, groups: ["admin"] });
    const params = { kind: "citizen", id: String(chief.characterId) };
    const texts = [
      opened.text,
      (await app.call(listColleagues, { query: {} }, { token: chief.token })).text,
      (await app.call(listColleagues, { query: { q: secret } }, { token: leader.token })).text,
      (await app.call(listActivity, { query: {} }, { token: chief.token })).text,
      (await app.call(auditHistory, { params }, { token: auditor.token })).text,
    ];
    expect(texts.map((text) => text.includes(secret))).toEqual(texts.map(() => false));
    const { output } = await app.call(auditHistory, { params }, { token: auditor.token });
    expect(output.items.map(({ action }) => action)).toContain("colleagues.put");
  });

  test("are changed by version, with a reason that stands in the activities", async () => {
    const { app } = get();
    const { chief, cadet } = await team("any");
    const as = { token: chief.token };
    const { output: before } = await app.call(getColleague, { params: { id: cadet } }, as);
    const change = async (more: object) =>
      await app.call(
        putColleague,
        { params: { id: cadet }, body: { version: before.version, reason: "Doctor now", ...more } },
        as,
      );
    expect((await change({ prefix: "Dr.", suffix: "" })).output).toMatchObject({ prefix: "Dr.", suffix: null });
    const stale = await change({ note: "Late" });
    expect([stale.status, stale.body.code, (stale.body.current as { prefix: string }).prefix]).toEqual([
      409,
      "colleagues.stale",
      "Dr.",
    ]);
    expect((await change({ prefix: "x".repeat(13) })).status).toBe(400);
    expect((await change({ reason: "" })).status).toBe(400);
    const blank = await change({ reason: "  " });
    expect([blank.status, blank.body.params]).toMatchObject([
      400,
      { field: "reason", problem: "must say why, in more than blanks" },
    ]);
    const broken = await change({ suffix: "FTO\n" });
    expect([broken.status, broken.body.params?.["field"]]).toEqual([400, "suffix"]);
    expect(broken.body.params?.["problem"]).toMatch(/no control characters.*leave them out/);
    const { output } = await app.call(listActivity, { query: { citizenId: cadet, kind: "name" } }, as);
    expect(output.items).toMatchObject([
      {
        kind: "name",
        reason: "Doctor now",
        actor: { id: chief.characterId },
        before: { prefix: null },
        after: { prefix: "Dr." },
      },
    ]);
  });

  test("show of activities the kinds and people that the right reaches", async () => {
    const { app, world } = get();
    const { job, leader, chief, cadet } = await team("any");
    const note = async (id: number) => {
      const { output } = await app.call(getColleague, { params: { id } }, { token: chief.token });
      const body = { version: output.version, reason: "Talk", note: secret };
      await app.call(putColleague, { params: { id }, body }, { token: chief.token });
    };
    for (const id of [cadet, leader.characterId]) await note(id);
    const readerOf = async (kinds: string[], whose: string) =>
      await world.actor({ job, grade: 1, rights: { "colleagues.activity": { kinds, whose: [whose] } } });
    const list = async ({ token }: TestActor, query: object = {}) => await app.call(listActivity, { query }, { token });
    const people = async (reader: TestActor) => (await list(reader)).output.items.map(({ citizen }) => citizen.id);
    const lower = await readerOf(["note"], "lower");
    expect(await people(lower)).toEqual([cadet]);
    expect(await people(chief)).toEqual([leader.characterId, cadet]);
    const refused = await list(lower, { kind: "left" });
    expect([refused.status, refused.body.code]).toEqual([403, "colleagues.fieldHidden"]);

    // Roles belong to a grade: this one has other kinds from now on.
    const others = await readerOf(["hired", "left"], "any");
    expect(await people(others)).toEqual([]);
    const outside = await world.actor({ job: newJob("outside"), rights: { "colleagues.list": true } });
    expect((await list(outside)).status).toBe(403);
  });

  test("are exported with the labels that the viewer sees, by those who may export them", async () => {
    const { world } = get();
    const { job, chief, leader } = await team("any");
    const exporter = new Exporter(get(), chief);
    const { output } = await exporter.request(colleaguesExport, { order: "rank" });
    await expect.poll(async () => (await exporter.find(output.id))?.state, { timeout: 20_000 }).toBe("done");
    const [, ...rows] = (await exporter.download(output.id)).text.trimEnd().split("\r\n");
    expect(rows.map((row) => row.includes(`CIT-${leader.characterId}`))).toEqual([false, true, false]);
    const reader = await world.actor({ job, grade: 0, rights: { "colleagues.list": true } });
    const refused = await new Exporter(get(), reader).request(colleaguesExport, {});
    expect([refused.status, refused.body.code]).toEqual([403, "system.permissionMissing"]);
  });
});
