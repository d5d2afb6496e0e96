import { expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import { auditHistory } from "#features/audit/audit.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  answerHandOver,
  type CallDetail,
  completeCall,
  getCall,
  listOwnCalls,
  listPresent,
  mergeCalls,
  mostMerged,
  noteCall,
  putRules,
  reopenCall,
  syncCall,
  syncCloseCalls,
  undoMerge,
  usualRules,
} from "./calls.contract.ts";
import type { CallsTables } from "./calls.schema.ts";
import { foldKey } from "./calls.fold.policy.ts";
import {
  dispatcher,
  helps,
  keyOf,
  lately,
  longAgo,
  makeCall,
  mustCall,
  mustHandOver,
  mustMerge,
  neighbours,
  newJob,
  waitsForLock,
} from "./calls.testkit.ts";

describeApps("merged calls", (get) => {
  const as = ({ token }: Pick<TestActor, "token">) => ({ token });
  const detail = async (who: TestActor, id: number) => await get().app.call(getCall, { params: { id } }, as(who));
  const seen = async (who: TestActor, id: number) => (await detail(who, id)).output;
  const note = async (who: TestActor, id: number, text: string) =>
    await get().app.call(noteCall, { params: { id }, body: { text } }, as(who));
  const undo = async (who: TestActor, id: number) =>
    await get().app.call(undoMerge, { params: { id }, body: { version: (await seen(who, id)).version } }, as(who));
  const citizen = async () => await get().world.actor({ job: newJob("town"), rights: { "calls.create": true } });
  const openTo = async (who: TestActor) =>
    expect((await get().app.call(putRules, { body: { ...usualRules, public: true } }, as(who))).status).toBe(200);

  test("are one call with the higher priority, the earlier wait clock, and both timelines with their numbers", async () => {
    const who = await dispatcher(get());
    const older = await mustCall(get(), who, { jobs: [who.job], priority: 4 });
    const newer = await mustCall(get(), who, { jobs: [who.job], priority: 2 });
    expect(older.may).toContain("merge");
    // It was opened last after the newer one.
    const params = { id: older.id };
    await get().app.call(completeCall, { params, body: { version: older.version } }, as(who));
    const again = { version: older.version + 1, reason: "They came back" };
    const { waitingSince } = (await get().app.call(reopenCall, { params, body: again }, as(who))).output;
    expect(waitingSince).toBeGreaterThan(newer.waitingSince);
    await note(who, older.id, "First");
    await note(who, newer.id, "Second");
    await note(who, older.id, "Third");
    const into = await mustMerge(get(), who, older, newer);
    expect(into).toMatchObject({ id: older.id, state: "open", priority: 2, alerts: 2, version: older.version + 3 });
    expect(into.waitingSince).toBe(newer.waitingSince);
    expect(into.merged).toMatchObject([{ id: newer.id, message: newer.message }]);
    expect(into.timeline.map(({ kind, callId, text, other }) => [kind, callId, text ?? other])).toEqual([
      ["created", older.id, null],
      ["created", newer.id, null],
      ["completed", older.id, null],
      ["reopened", older.id, "They came back"],
      ["note", older.id, "First"],
      ["note", newer.id, "Second"],
      ["note", older.id, "Third"],
      ["merged", older.id, newer.id],
    ]);
    expect(into.callers).toHaveLength(2);
    expect(into.reports).toHaveLength(2);
    const part = await seen(who, newer.id);
    expect(part).toMatchObject({ state: "merged", mergedInto: older.id, may: ["undoMerge"], priority: 2 });
    expect(part.ended).toMatchObject({ by: expect.any(String), text: null });
    const late = await note(who, newer.id, "Too late");
    expect([late.status, late.body.code]).toEqual([409, "calls.merged"]);
  });

  test("with their jobs united take the same alerts as before, as long as the same jobs dispatch them", async () => {
    const who = await dispatcher(get());
    const into = (await makeCall(get(), who, { jobs: [who.job] })).output;
    await longAgo(get(), into.id);
    const part = await mustCall(get(), who, { jobs: [who.job] });
    const helper = newJob("helper");
    await get().world.job(helper);
    await helps(get(), into.id, helper, "view");
    await helps(get(), part.id, helper);
    await mustMerge(get(), who, into, part, true);
    await lately(get(), into.id);
    expect((await makeCall(get(), who, { jobs: [who.job] })).output).toEqual({ id: into.id, folded: true });
    await undo(who, part.id);
    expect(await keyOf(get(), into.id)).toBe(foldKey(null, [who.job]));
  });

  test("are two again with what each had, and what was written since stays with the one that stayed", async () => {
    const { app, world } = get();
    const who = await dispatcher(get());
    const older = await mustCall(get(), who, { jobs: [who.job], priority: 4 });
    const newer = await mustCall(get(), who, { jobs: [who.job], priority: 1, message: "The same again" });
    await note(who, newer.id, "Before");
    await mustMerge(get(), who, newer, older);
    await note(who, older.id, "After");
    const back = (await undo(who, newer.id)).output;
    expect(back).toMatchObject({ id: newer.id, state: "open", mergedInto: null, ended: null, archived: false, priority: 1 });
    expect(back.timeline.map(({ kind, text }) => text ?? kind)).toEqual(["created", "Before", "merged", "unmerged"]);
    const into = await seen(who, older.id);
    expect(into).toMatchObject({ priority: 4, merged: [], alerts: 1 });
    expect(into.callers).toHaveLength(1);
    expect(into.timeline.map(({ kind, text }) => text ?? kind)).toEqual(["created", "merged", "After", "unmerged"]);
    expect((await app.call(listPresent, {}, as(who))).output.open).toBe(2);
    const again = await undo(who, newer.id);
    expect([again.status, again.body.code]).toEqual([409, "calls.notMerged"]);
    await app.call(completeCall, { params: { id: newer.id }, body: { version: back.version } }, as(who));
    expect((await undo(who, newer.id)).body).toMatchObject({ code: "calls.completed", params: { by: expect.any(String) } });
    const auditor = await world.actor({ job: newJob("auditors"), rights: { "audit.view": true }, groups: ["admin"] });
    const history = await app.call(auditHistory, { params: { kind: "calls.call", id: String(newer.id) } }, as(auditor));
    expect(history.output.items.map(({ action }) => action)).toEqual([
      "calls.complete",
      "calls.undoMerge",
      "calls.merge",
      "calls.note",
      "calls.create",
    ]);
  });

  test("are undone only while the other one is open", async () => {
    const who = await dispatcher(get());
    const older = await mustCall(get(), who, { jobs: [who.job] });
    const newer = await mustCall(get(), who, { jobs: [who.job] });
    const { version } = await mustMerge(get(), who, older, newer);
    await get().app.call(completeCall, { params: { id: older.id }, body: { version } }, as(who));
    const refused = await undo(who, newer.id);
    expect([refused.status, refused.body.code, refused.body.params]).toEqual([
      409,
      "calls.survivorEnded",
      { id: `DSP-${older.id}` },
    ]);
    const ended = await get().app.call(
      mergeCalls,
      { params: { id: newer.id }, body: { version: newer.version + 1, other: { id: older.id, version: version + 1 } } },
      as(who),
    );
    expect(ended.body.code).toBe("calls.merged");
  });

  test("need the versions of both, and another call", async () => {
    const who = await dispatcher(get());
    const older = await mustCall(get(), who, { jobs: [who.job] });
    const newer = await mustCall(get(), who, { jobs: [who.job] });
    const merge = async (version: number, other: { id: number; version: number }) =>
      await get().app.call(mergeCalls, { params: { id: newer.id }, body: { version, other } }, as(who));
    expect((await merge(1, { id: older.id, version: 9 })).body).toMatchObject({ code: "calls.stale", current: { id: older.id } });
    expect((await merge(9, { id: older.id, version: 1 })).body).toMatchObject({ code: "calls.stale", current: { id: newer.id } });
    expect((await merge(1, { id: newer.id, version: 1 })).body.params).toMatchObject({ field: "body.other.id" });
    expect((await merge(1, { id: 99_999_999, version: 1 })).body.code).toBe("calls.notFound");
  });

  test("take a dispatcher of every job of both", async () => {
    const [police, medics] = [await dispatcher(get()), await dispatcher(get())];
    await openTo(medics);
    const own = await mustCall(get(), police, { jobs: [police.job] });
    const shared = await mustCall(get(), police, { jobs: [police.job, medics.job] });
    expect(shared.may).not.toContain("merge");
    const body = { version: 1, other: { id: own.id, version: 1 } };
    const refused = await get().app.call(mergeCalls, { params: { id: shared.id }, body }, as(police));
    expect([refused.status, refused.body.code, refused.body.params]).toMatchObject([
      403,
      "calls.notAllJobs",
      { id: `DSP-${shared.id}`, jobs: expect.stringContaining(medics.job.toUpperCase()) },
    ]);
    // Somebody who does not see the other one learns nothing of it.
    const hidden = await get().app.call(mergeCalls, { params: { id: shared.id }, body }, as(medics));
    expect([hidden.status, hidden.body.code]).toEqual([404, "calls.notFound"]);
  });

  test("show a helping job of one of them nothing of the other, unless the jobs are united", async () => {
    const [who, tow] = [await dispatcher(get()), await dispatcher(get())];
    const older = await mustCall(get(), who, { jobs: [who.job], message: "Gunfire at the pier" });
    const newer = await mustCall(get(), who, { jobs: [who.job], message: "Car blocks the pier" });
    await helps(get(), newer.id, tow.job);
    await note(who, older.id, "Informant nearby");
    await mustMerge(get(), who, older, newer);
    const part = await detail(tow, newer.id);
    expect(part.output).toMatchObject({ state: "merged", mergedInto: null });
    expect((await detail(tow, older.id)).status).toBe(404);
    for (const secret of ["Gunfire", "Informant", `DSP-${older.id}`]) expect(part.text).not.toContain(secret);
    expect(part.text).not.toMatch(new RegExp(`"(callId|other|mergedInto)":${older.id}\\b`));
    await undo(who, newer.id);
    const into = await mustMerge(get(), who, older, newer, true);
    expect(into.jobs.map(({ name }) => name)).toEqual([who.job, tow.job]);
    expect(await seen(tow, older.id)).toMatchObject({ merged: [{ id: newer.id }], alerts: 2 });
    expect((await seen(tow, newer.id)).mergedInto).toBe(older.id);
    await undo(who, newer.id);
    expect((await seen(who, older.id)).jobs.map(({ name }) => name)).toEqual([who.job]);
    expect((await detail(tow, older.id)).status).toBe(404);
  });

  test("show a helping job of the one that stays nothing of the other one, unless the jobs are united", async () => {
    const [who, tow] = [await dispatcher(get()), await dispatcher(get())];
    const older = await mustCall(get(), who, { jobs: [who.job] });
    const newer = await mustCall(get(), who, { jobs: [who.job], message: "Gunfire at the pier", phone: "555-0177" });
    await helps(get(), older.id, tow.job);
    await note(who, newer.id, "Informant nearby");
    await mustMerge(get(), who, older, newer);
    const hidden = await detail(tow, older.id);
    expect(hidden.output).toMatchObject({ alerts: 1, merged: [] });
    expect(hidden.output.timeline.map(({ kind }) => kind)).toEqual(["created"]);
    for (const secret of ["Gunfire", "Informant", "555-0177", `DSP-${newer.id}`]) expect(hidden.text).not.toContain(secret);
    expect(hidden.text).not.toMatch(new RegExp(`"(callId|other|mergedInto)":${newer.id}\\b`));
    const shown = (await get().app.call(listPresent, {}, as(tow))).text;
    expect(shown).not.toContain("Gunfire");
    await undo(who, newer.id);
    await mustMerge(get(), who, older, newer, true);
    expect((await detail(tow, older.id)).text).toContain("Informant");
  });

  test("bring along no job that is only asked to take one of them over", async () => {
    const { from, to, call } = await neighbours(get());
    const newer = await mustCall(get(), from, { jobs: [from.job] });
    await mustHandOver(get(), from, newer.id, to.job);
    expect((await detail(to, newer.id)).status).toBe(200);
    const into = await mustMerge(get(), from, call, newer, true);
    expect(into.jobs.map(({ name }) => name)).toEqual([from.job]);
    expect((await detail(to, call.id)).status).toBe(404);
  });

  test("that get a job by uniting keep it when it declines what it is asked, until that is undone", async () => {
    const { from, to, call } = await neighbours(get());
    const helped = await mustCall(get(), from, { jobs: [from.job] });
    await helps(get(), helped.id, to.job, "view");
    await mustHandOver(get(), from, call.id, to.job);
    const { version } = await mustMerge(get(), from, call, helped, true);
    await get().app.call(answerHandOver, { params: { id: call.id }, body: { version, accept: false } }, as(to));
    expect((await detail(to, call.id)).status).toBe(200);
    await undo(from, helped.id);
    expect((await detail(to, call.id)).status).toBe(404);
  });

  test("that are undone show a job what it is still asked about", async () => {
    const { from, to, call } = await neighbours(get());
    const helped = await mustCall(get(), from, { jobs: [from.job] });
    await helps(get(), helped.id, to.job);
    await mustHandOver(get(), from, call.id, to.job);
    await mustMerge(get(), from, call, helped, true);
    await undo(from, helped.id);
    const open = await seen(to, call.id);
    expect(open.may).toEqual(["answerHandOver"]);
    const body = { version: open.version, accept: false };
    await get().app.call(answerHandOver, { params: { id: call.id }, body }, as(to));
    expect((await detail(to, call.id)).status).toBe(404);
  });

  test("keep each caller as anonymous as before, and callers see their own call alone", async () => {
    const [who, known, hidden] = [await dispatcher(get()), await citizen(), await citizen()];
    await openTo(who);
    const older = (await makeCall(get(), known, { jobs: [who.job], message: "Fire at the mill", phone: "555-0111" })).output;
    await longAgo(get(), older.id);
    const sent = { jobs: [who.job], message: "Smoke at the mill", anonymous: true, phone: "555-0199" };
    const newer = (await makeCall(get(), hidden, sent)).output;
    await mustMerge(get(), who, older, newer);
    const into = await detail(who, older.id);
    expect(into.output.callers).toMatchObject([
      { anonymous: false, citizen: { id: known.characterId }, phone: "555-0111" },
      { anonymous: true, citizen: null, phone: null },
    ]);
    expect(into.output.reports.map(({ anonymous, citizen: by }) => [anonymous, by?.id])).toEqual([
      [true, undefined],
      [false, known.characterId],
    ]);
    for (const part of [hidden.username, "555-0199", `"id":${hidden.characterId},`]) expect(into.text).not.toContain(part);
    const own = await get().app.call(listOwnCalls, {}, as(known));
    // With another caller it is no longer one person's to cancel.
    expect(own.output.items).toMatchObject([{ id: older.id, alerts: 1, may: [] }]);
    expect(own.text + (await detail(known, older.id)).text).not.toContain("Smoke");
    expect((await detail(hidden, newer.id)).status).toBe(404);
  });

  test("are not completed by the game for one of their callers", async () => {
    const [who, person] = [await dispatcher(get()), await citizen()];
    await openTo(who);
    const older = (await makeCall(get(), person, { jobs: [who.job] })).output;
    await longAgo(get(), older.id);
    await mustMerge(get(), who, older, await mustCall(get(), who, { jobs: [who.job] }));
    const close = { body: { source: "city", identifier: `char1:${person.licence}` } };
    expect((await get().app.call(syncCloseCalls, close, { token: testSecrets.sync })).output.closed).toBe(0);
    expect((await seen(who, older.id)).state).toBe("open");
  });

  test("may be parts of a part, each undone alone, up to a number", async () => {
    const who = await dispatcher(get());
    const calls: CallDetail[] = [];
    for (let at = 0; at < mostMerged + 2; at += 1) {
      const body = { source: "city", jobs: [who.job], message: "Help is needed", x: at * 100, y: 20 };
      const id = (await get().app.call(syncCall, { body }, { token: testSecrets.sync })).output.id!;
      await longAgo(get(), id);
      calls.push(await seen(who, id));
    }
    const [first, second, third] = calls as [CallDetail, CallDetail, CallDetail];
    const more = calls.slice(3);
    await note(who, third.id, "Of the third");
    await mustMerge(get(), who, second, third);
    const into = await mustMerge(get(), who, first, second);
    expect(into).toMatchObject({ alerts: 3, merged: [{ id: second.id }] });
    expect(into.timeline.map(({ text }) => text)).toContain("Of the third");
    expect((await undo(who, third.id)).body.code).toBe("calls.survivorEnded");
    for (const one of more.slice(0, mostMerged - 2)) await mustMerge(get(), who, first, one);
    const last = more.at(-1)!;
    const { version } = await seen(who, first.id);
    const full = await get().app.call(
      mergeCalls,
      { params: { id: last.id }, body: { version: last.version, other: { id: first.id, version } } },
      as(who),
    );
    expect(full.body).toMatchObject({ code: "calls.mergedFull", params: { most: mostMerged } });
    await undo(who, second.id);
    expect((await seen(who, second.id)).merged).toMatchObject([{ id: third.id }]);
    expect((await undo(who, third.id)).output.state).toBe("open");
  });

  test("are not completed by the game when they are merged while it closes the calls of a caller", async () => {
    const { app, kind } = get();
    const [who, other] = [await dispatcher(get()), await citizen()];
    await openTo(who);
    const person = await citizen();
    const [into, part] = [
      (await makeCall(get(), person, { jobs: [who.job] })).output,
      (await makeCall(get(), other, { jobs: [who.job] })).output,
    ];
    const { db, ports } = app.process.container;
    const held = Promise.withResolvers<void>();
    const merging = db.write("test.merge", async (tx) => {
      const calls = queries<CallsTables>(tx);
      await calls.updateTable("calls").set({ priority: 1 }).where("id", "=", into.id).execute();
      held.resolve();
      // On SQLite it begins when this has ended.
      if (kind === "mariadb") await expect.poll(async () => await waitsForLock(tx), { timeout: 20_000 }).toBe(true);
      const merge = { call_id: part.id, into_id: into.id, at: ports.clock.now(), united: 0, base_priority: 3, base_waiting: 0 };
      await calls
        .insertInto("calls_merges")
        .values({ ...merge, jobs: JSON.stringify({ v: 1, jobs: [] }) } as never)
        .execute();
    });
    await held.promise;
    const body = { identifier: `char1:${person.licence}` };
    const closing = app.call(syncCloseCalls, { body }, { token: testSecrets.sync });
    await merging;
    expect((await closing).output).toEqual({ closed: 0 });
    expect((await seen(who, into.id)).state).toBe("open");
  });
});
