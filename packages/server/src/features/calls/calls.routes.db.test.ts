import { expect, test } from "vitest";
import { auditHistory } from "#features/audit/audit.contract.ts";
import { Exporter } from "#features/exports/exports.testkit.ts";
import { searchAll } from "#features/search/search.contract.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  attachToCall,
  callsExport,
  cancelCall,
  checkCall,
  completeCall,
  editCall,
  getCall,
  listCallable,
  listCalls,
  listOwnCalls,
  listPresent,
  noteCall,
  putRules,
  removeType,
  reopenCall,
  usualRules,
} from "./calls.contract.ts";
import { addType, dispatcher, makeCall, mustCall, newJob } from "./calls.testkit.ts";

describeApps("calls", (get) => {
  const as = ({ token }: Pick<TestActor, "token">) => ({ token });
  const openTo = async (who: TestActor) =>
    expect((await get().app.call(putRules, { body: { ...usualRules, public: true } }, as(who))).status).toBe(200);
  const present = async (who: TestActor) => (await get().app.call(listPresent, {}, as(who))).output;
  const detail = async (who: TestActor, id: number) => await get().app.call(getCall, { params: { id } }, as(who));
  const citizen = async () => await get().world.actor({ job: newJob("town"), rights: { "calls.create": true } });
  /** What another job's dispatcher and member see of a call of both. */
  async function twoJobs() {
    const [police, medics] = [await dispatcher(get()), await dispatcher(get())];
    await openTo(medics);
    const call = await mustCall(get(), police, { jobs: [police.job, medics.job] });
    return { police, medics, call };
  }

  test("without a message and without one of the type are refused by a code of their own", async () => {
    const who = await dispatcher(get());
    const type = await addType(get(), who, { message: null });
    const { status, body } = await makeCall(get(), who, { typeId: type.id, message: null });
    expect([status, body.code]).toEqual([409, "calls.messageNeeded"]);
  });

  test("is found by the type that it has now, and not by the one of before", async () => {
    const { app } = get();
    const who = await dispatcher(get());
    const [before, now] = [
      await addType(get(), who, { code: "77-A", name: "Zeppelin" }),
      await addType(get(), who, { code: "77-B", name: "Walrus" }),
    ];
    const { id, version, message, priority } = await mustCall(get(), who, { typeId: before.id, jobs: [who.job] });
    await app.call(editCall, { params: { id }, body: { version, typeId: now.id, message, priority, postal: null } }, as(who));
    const found = async (q: string) => (await app.call(listCalls, { query: { q } }, as(who))).output.items.map((one) => one.id);
    expect([await found("walrus"), await found("zeppelin")]).toEqual([[id], []]);
  });

  test("have the type's priority and checklist, are completed with an outcome and reopened with a reason", async () => {
    const { app } = get();
    const who = await dispatcher(get());
    const type = await addType(get(), who, { priority: 2 });
    const answers = [{ question: "Are there weapons?", answer: "One gun" }];
    const call = await mustCall(get(), who, { typeId: type.id, answers, phone: "555-0142" });
    expect(call).toMatchObject({ state: "open", priority: 2, jobs: [{ name: who.job }], type: { code: "10-31" }, answers });
    const all = ["edit", "note", "attach", "complete", "cancel", "split", "link", "handOver", "merge"];
    expect(call.may).toEqual(all);
    const params = { id: call.id };
    const checked = await app.call(checkCall, { params, body: { line: 1, done: true } }, as(who));
    expect(checked.output.checklist).toEqual([{ text: "Close the street", done: true }]);
    const body = { version: call.version, typeId: type.id, message: "Robbery at the bank", priority: 1, postal: null };
    const edited = (await app.call(editCall, { params, body }, as(who))).output;
    expect((await app.call(editCall, { params, body }, as(who))).body.code).toBe("calls.stale");
    const done = await app.call(completeCall, { params, body: { version: edited.version, outcome: "Two arrests" } }, as(who));
    expect(done.output).toMatchObject({ state: "completed", ended: { text: "Two arrests" }, may: ["reopen", "link"] });
    const late = await app.call(noteCall, { params, body: { text: "Too late" } }, as(who));
    expect([late.status, late.body.code, late.body.params]).toMatchObject([
      409,
      "calls.completed",
      { id: `DSP-${call.id}`, by: expect.any(String), at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/) },
    ]);
    const again = { params, body: { version: done.output.version, reason: "They came back" } };
    expect((await app.call(reopenCall, again, as(who))).output).toMatchObject({ state: "open", ended: null });
    const { timeline } = (await detail(who, call.id)).output;
    expect(timeline.map(({ kind }) => kind)).toEqual(["created", "checked", "priority", "edited", "completed", "reopened"]);
    expect(timeline.every(({ by }) => by !== null)).toBe(true);
  });

  test("stay readable when their type is deleted", async () => {
    const who = await dispatcher(get());
    const type = await addType(get(), who);
    const call = await mustCall(get(), who, { typeId: type.id });
    await get().app.call(removeType, { params: { id: type.id } }, as(who));
    expect((await detail(who, call.id)).output.type).toMatchObject({ name: "Robbery" });
    expect((await makeCall(get(), who, { typeId: type.id })).body.code).toBe("calls.typeNotFound");
  });

  test("reach the own job and jobs that everybody may call, and no other one", async () => {
    const [who, other, person] = [await dispatcher(get()), await dispatcher(get()), await citizen()];
    expect((await makeCall(get(), person, { jobs: [who.job] })).body.code).toBe("calls.notCallable");
    await openTo(who);
    expect((await makeCall(get(), person, { jobs: [who.job, other.job] })).body.params).toEqual({ job: other.job });
    expect((await makeCall(get(), person, { jobs: [who.job] })).status).toBe(200);
    const { items } = (await get().app.call(listCallable, {}, as(person))).output;
    expect(items.map(({ job }) => job)).toContain(who.job);
    expect(items.map(({ job }) => job)).not.toContain(other.job);
    expect((await present(who)).items).toHaveLength(1);
    expect((await present(other)).items).toHaveLength(0);
  });

  test("are three within a minute for a person, also when they are sent at once and anonymously", async () => {
    const [who, person] = [await dispatcher(get()), await citizen()];
    await openTo(who);
    const answers = await Promise.all(
      [1, 2, 3, 4, 5].map(async (n) => await makeCall(get(), person, { jobs: [who.job], anonymous: n % 2 === 0 })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.code).toBe("calls.tooMany");
  });

  test("of an anonymous caller name that person to nobody", async () => {
    const { app, world } = get();
    const [who, person] = [await dispatcher(get()), await citizen()];
    await openTo(who);
    const { id } = (await makeCall(get(), person, { jobs: [who.job], anonymous: true, phone: "555-0199" })).output;
    const seen = await detail(who, id);
    expect(seen.output.callers).toEqual([{ anonymous: true, citizen: null, phone: null, at: expect.any(Number) }]);
    expect(seen.output.timeline).toMatchObject([{ kind: "created", by: null, citizen: null }]);
    const auditor = await world.actor({ job: newJob("auditors"), rights: { "audit.view": true }, groups: ["admin"] });
    const history = await app.call(auditHistory, { params: { kind: "calls.call", id: String(id) } }, as(auditor));
    expect(history.output.items.map(({ action }) => action)).toEqual(["calls.create"]);
    const texts = [seen.text, history.text, (await app.call(listCalls, { query: {} }, as(who))).text];
    for (const text of texts)
      for (const part of [person.username, "555-0199", `"id":${person.characterId},`, person.licence])
        expect(text).not.toContain(part);
    expect((await app.call(listOwnCalls, {}, as(person))).output.items).toEqual([]);
    expect((await detail(person, id)).status).toBe(404);
    const cancel = await app.call(cancelCall, { params: { id }, body: { version: 1, reason: "Sorry" } }, as(person));
    expect(cancel.status).toBe(404);
  });

  test("are shown to their caller without notes and other jobs' people, who may cancel", async () => {
    const { app } = get();
    const [who, person, outsider] = [await dispatcher(get()), await citizen(), await citizen()];
    await openTo(who);
    const { id } = (await makeCall(get(), person, { jobs: [who.job] })).output;
    await app.call(noteCall, { params: { id }, body: { text: "Caller sounds drunk" } }, as(who));
    expect((await app.call(listOwnCalls, {}, as(person))).output.items).toMatchObject([{ id, may: ["cancel"] }]);
    const seen = await detail(person, id);
    expect(seen.text).not.toContain("drunk");
    expect(seen.output).toMatchObject({ checklist: [], callers: [{ citizen: { id: person.characterId } }] });
    const edit = { version: 1, typeId: null, message: "Mine", priority: 1, postal: null };
    const refused = await app.call(editCall, { params: { id }, body: edit }, as(person));
    expect([refused.status, refused.body.code]).toEqual([403, "calls.notDispatcher"]);
    expect((await detail(outsider, id)).status).toBe(404);
    const cancel = { params: { id }, body: { version: seen.output.version, reason: "Found my keys" } };
    expect((await app.call(cancelCall, cancel, as(person))).output.state).toBe("cancelled");
  });

  test("keep a note for one job in that job", async () => {
    const { app } = get();
    const { police, medics, call } = await twoJobs();
    const params = { id: call.id };
    await app.call(noteCall, { params, body: { text: "Informant nearby", ownJobOnly: true } }, as(police));
    await app.call(noteCall, { params, body: { text: "Two injured" } }, as(police));
    const [own, other] = [await detail(police, call.id), await detail(medics, call.id)];
    expect(own.output.timeline.map(({ text }) => text)).toEqual([null, "Informant nearby", "Two injured"]);
    expect(other.output.timeline.map(({ text }) => text)).toEqual([null, "Two injured"]);
    expect(other.text).not.toContain("Informant");
    for (const q of ["Informant"])
      for (const who of [police, medics]) expect((await app.call(listCalls, { query: { q } }, as(who))).output.total).toBe(0);
  });

  test("take a plate, and a citizen from who may see citizens", async () => {
    const { app, world } = get();
    const who = await dispatcher(get());
    const call = await mustCall(get(), who, { jobs: [who.job] });
    const params = { id: call.id };
    const attach = async (body: object, token = who.token) => await app.call(attachToCall, { params, body }, { token });
    expect((await attach({ plate: "ab 12" })).output.timeline.at(-1)).toMatchObject({ kind: "vehicle", text: "AB 12" });
    expect((await attach({})).status).toBe(400);
    expect((await attach({ citizenId: who.characterId })).body.code).toBe("calls.citizensHidden");
    await world.grant(who.job, 1, { "citizens.list": {} });
    const token = await world.tokenOf(who);
    expect((await attach({ citizenId: 99_999_999 }, token)).body.code).toBe("calls.citizenNotFound");
    const attached = await attach({ citizenId: who.characterId }, token);
    expect(attached.output.timeline.at(-1)).toMatchObject({ kind: "citizen", citizen: { id: who.characterId } });
  });

  test("are listed by urgency and age, found by text and number, and exported", async () => {
    const { app, world } = get();
    const [who, other] = [await dispatcher(get()), await dispatcher(get())];
    const second = await world.actor({ job: who.job, grade: 1 });
    const made: number[] = [];
    for (const [actor, priority, message] of [
      [who, 3, "Zanzibar fire"],
      [who, 1, "Zanzibar shooting"],
      [{ ...second, token: await world.tokenOf(second) }, 3, "Zanzibar parking"],
    ] as const)
      made.push((await mustCall(get(), actor, { jobs: [who.job], priority, message })).id);
    const shown = await present(who);
    expect([shown.open, ...shown.items.map(({ id }) => id)]).toEqual([3, made[1], made[0], made[2]]);
    const found = async (actor: TestActor, query: object) => {
      const { output } = await app.call(listCalls, { query }, as(actor));
      return [output.total, ...output.items.map(({ id }) => id)];
    };
    expect(await found(who, {})).toEqual([3, made[1], made[0], made[2]]);
    expect(await found(who, { order: "-createdAt", limit: 1 })).toEqual([3, made[2]]);
    expect(await found(who, { q: "zanzibar", priority: 1 })).toEqual([1, made[1]]);
    expect(await found(who, { q: `dsp-${made[0]}` })).toEqual([1, made[0]]);
    expect(await found(other, { q: "zanzibar" })).toEqual([0]);
    expect(await found(other, { q: `DSP-${made[0]}` })).toEqual([0]);
    const hits = async (actor: TestActor) =>
      (await app.call(searchAll, { query: { q: `DSP-${made[0]}` } }, as(actor))).output.results.map(({ kind, ref }) => [
        kind,
        ref,
      ]);
    expect([await hits(who), await hits(other)]).toEqual([[["calls", `DSP-${made[0]}`]], []]);
    const exporter = new Exporter(get(), who);
    const { output } = await exporter.request(callsExport, { q: "zanzibar" });
    await expect.poll(async () => (await exporter.find(output.id))?.state, { timeout: 20_000 }).toBe("done");
    expect((await exporter.download(output.id)).text.trimEnd().split("\r\n")).toHaveLength(4);
  });
});
