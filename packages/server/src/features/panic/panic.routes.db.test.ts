import { expect, test } from "vitest";
import {
  type Call,
  cancelCall,
  completeCall,
  editCall,
  getCall,
  listOwnCalls,
  listPresent,
  reopenCall,
} from "#features/calls/calls.contract.ts";
import { syncPositions } from "#features/positions/positions.contract.ts";
import { goOffDuty, goOnDuty, newJob } from "#features/units/units.testkit.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  acknowledgePanic,
  cancelPanic,
  endPanic,
  getPanic,
  getPanicRules,
  getPanicStatistics,
  listPanics,
  listPresentPanics,
  type Panic,
  pressPanic,
  putPanicRules,
  syncCancelPanic,
  syncPanic,
} from "./panic.contract.ts";
import { as, dispatcherRights, earlier, pressed, team } from "./panic.testkit.ts";

/** As the world of the tests has it. */
const labelOf = (job: string) => job.toUpperCase();

/** What would end its call in another way, or open it again. */
const endingOf = ({ may }: Pick<Call, "may">) => may.filter((move) => ["complete", "cancel", "reopen", "merge"].includes(move));

describeApps("panics", (get) => {
  const present = async (who: TestActor) => (await get().app.call(listPresentPanics, {}, as(who))).output;
  const press = async (who: TestActor) => await get().app.call(pressPanic, {}, as(who));
  const acknowledge = async (who: TestActor, { id }: Pick<Panic, "id">) =>
    await get().app.call(acknowledgePanic, { params: { id } }, as(who));
  const cancel = async (who: TestActor, { id }: Pick<Panic, "id">) =>
    await get().app.call(cancelPanic, { params: { id } }, as(who));
  const end = async (who: TestActor, { id, version }: Panic, outcome: "real" | "false" | "test" = "real", note?: string) =>
    await get().app.call(endPanic, { params: { id }, body: { version, outcome, note: note ?? null } }, as(who));
  const callOf = async (who: TestActor, { callId }: Panic) =>
    (await get().app.call(getCall, { params: { id: callId } }, as(who))).output;

  test("alarm who answers at once, and are a call of priority 1 that every dispatcher sees", async () => {
    const { app } = get();
    const { lead, officer, colleague, job } = await team(get());
    const panic = await pressed(get(), officer);
    expect(panic).toMatchObject({ state: "active", presses: 1, mine: true, rings: false, may: ["cancel"] });
    expect(panic.cancelUntil - panic.pressedAt).toBe(10_000);
    const [seen] = (await present(lead)).items;
    expect(seen).toMatchObject({ id: panic.id, rings: true, may: ["acknowledge", "end"], person: { id: officer.characterId } });
    expect(seen!.alarms).toEqual([{ job: { name: job, label: labelOf(job) }, state: "ringing", at: null, by: null, repeats: 0 }]);
    expect((await present(colleague)).items).toEqual([]);
    expect((await acknowledge(colleague, panic)).status).toBe(404);
    const call = await callOf(lead, panic);
    expect(call).toMatchObject({ kind: "panic", priority: 1, message: "PANIC", state: "open" });
    expect(endingOf(call)).toEqual([]);
    expect((await app.call(listPresent, {}, as(lead))).output.items.map(({ id }: Call) => id)).toEqual([call.id]);
  });

  test("are pressed on duty only", async () => {
    const { world, app } = get();
    const off = await world.actor({ job: newJob("off"), grade: 1 });
    expect((await present(off)).onDuty).toBe(false);
    expect((await press(off)).body.code).toBe("panic.notOnDuty");
    const sent = { body: { source: "city-1", identifier: `char1:${off.licence}` } };
    expect((await app.call(syncPanic, sent, { token: testSecrets.sync })).body.code).toBe("panic.notOnDuty");
  });

  test("pressed again are counted; a double press is one", async () => {
    const { lead, officer } = await team(get());
    const panic = await pressed(get(), officer);
    expect(await pressed(get(), officer)).toMatchObject({ id: panic.id, presses: 1, version: 1 });
    await earlier(get(), panic.id, 5_000);
    expect(await pressed(get(), officer)).toMatchObject({ id: panic.id, presses: 2, version: 2 });
    expect((await callOf(lead, panic)).timeline.map(({ kind, text }) => [kind, text])).toEqual([
      ["created", null],
      ["pressedAgain", "2"],
    ]);
  });

  test("have limits that say when the button works again, and count cancelled ones", async () => {
    const { officer } = await team(get());
    const first = await pressed(get(), officer);
    await cancel(officer, first);
    const soon = await press(officer);
    expect(soon.body.code).toBe("panic.tooSoon");
    expect(Number(soon.body.params?.["seconds"])).toBeGreaterThan(55);
    expect(soon.body.title ?? soon.text).toContain(String(soon.body.params?.["seconds"]));
    await earlier(get(), first.id, 8 * 60_000);
    const second = await pressed(get(), officer);
    await cancel(officer, second);
    await earlier(get(), second.id, 4 * 60_000);
    const third = await pressed(get(), officer);
    await cancel(officer, third);
    await earlier(get(), third.id, 61_000);
    const refused = await press(officer);
    expect([refused.body.code, refused.body.params]).toMatchObject(["panic.tooMany", { most: 3, minutes: 10 }]);
    const seconds = Number(refused.body.params?.["seconds"]);
    expect([seconds > 90, seconds <= 120]).toEqual([true, true]);
  });

  test("two presses of one person at once are one panic", async () => {
    const { lead, officer } = await team(get());
    const both = await Promise.all([press(officer), press(officer)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(both.map(({ output }) => output.id)).size).toBe(1);
    expect((await present(lead)).items).toHaveLength(1);
  });

  test("are cancelled by who pressed, in the first seconds, with their call", async () => {
    const { lead, officer, colleague } = await team(get());
    const panic = await pressed(get(), officer);
    expect((await cancel(colleague, panic)).status).toBe(404);
    expect((await cancel(lead, panic)).status).toBe(404);
    expect((await cancel(officer, panic)).output).toMatchObject({ state: "cancelled", alarms: [{ state: "over" }], may: [] });
    expect((await cancel(officer, panic)).body.code).toBe("panic.ended");
    expect(await callOf(lead, panic)).toMatchObject({ state: "cancelled" });
    expect((await present(lead)).items).toEqual([]);
    await earlier(get(), panic.id, 61_000);
    const late = await pressed(get(), officer);
    await earlier(get(), late.id, 10_000);
    expect([(await cancel(officer, late)).body.code, (await present(officer)).items[0]!.may]).toEqual(["panic.tooLate", []]);
  });

  test("each job ends its own alarm, shown to all", async () => {
    const { app, world } = get();
    const [shop, centre, other] = [await team(get()), await team(get()), await team(get())];
    const rules = { body: { version: 0, to: centre.job } };
    expect((await app.call(putPanicRules, rules, as(shop.lead))).output).toEqual({ version: 1, to: centre.job });
    expect((await app.call(getPanicRules, {}, as(centre.lead))).output.from).toEqual([
      { name: shop.job, label: labelOf(shop.job) },
    ]);
    const panic = await pressed(get(), shop.officer);
    const states = async (who: TestActor) =>
      (await present(who)).items.map(({ alarms, rings }) => [rings, ...alarms.map(({ state, by }) => [state, by])]);
    const ringing = ["ringing", null];
    expect(await states(shop.lead)).toEqual([[true, ringing, ringing]]);
    expect(await states(centre.lead)).toEqual([[true, ringing, ringing]]);
    expect(await states(other.lead)).toEqual([]);
    const answered = (await acknowledge(centre.lead, panic)).output;
    const by = answered.alarms[1]!.by;
    expect(by).not.toBeNull();
    expect(await states(shop.lead)).toEqual([[true, ringing, ["acknowledged", by]]]);
    expect(await states(centre.lead)).toEqual([[false, ringing, ["acknowledged", by]]]);
    // Somebody else of the job is too late, and reads who was first.
    const second = await world.actor({ job: centre.job, grade: 3, rights: dispatcherRights });
    await goOnDuty(get(), centre.job, second);
    expect((await acknowledge(second, panic)).output.alarms[1]).toEqual(answered.alarms[1]);
    expect((await acknowledge(shop.officer, panic)).body.code).toBe("panic.own");
    expect((await acknowledge(other.lead, panic)).status).toBe(404);
    const { timeline } = await callOf(centre.lead, panic);
    expect(timeline.filter(({ kind }) => kind === "acknowledged").map(({ text }) => text)).toEqual([labelOf(centre.job)]);
  });

  test("end as real, false or a test, and their call with them, which ends in no other way", async () => {
    const { app } = get();
    const { lead, officer, colleague } = await team(get());
    const panic = await pressed(get(), officer);
    const { id, version } = await callOf(lead, panic);
    const sent = { params: { id }, body: { version, reason: "No" } };
    expect((await app.call(cancelCall, sent, as(lead))).body.code).toBe("calls.panic");
    expect((await app.call(completeCall, { params: { id }, body: { version } }, as(lead))).body.code).toBe("calls.panic");
    expect((await app.call(cancelCall, sent, as(officer))).body.code).toBe("calls.panic");
    expect((await end(colleague, panic)).status).toBe(404);
    expect((await end(officer, panic)).body.code).toBe("panic.notDispatcher");
    expect((await end(lead, { ...panic, version: 7 })).body.code).toBe("panic.stale");
    const ended = await end(lead, panic, "false", "Pressed by mistake");
    expect(ended.output).toMatchObject({ state: "false", ended: { note: "Pressed by mistake" }, rings: false, may: [] });
    expect((await end(lead, ended.output)).body.code).toBe("panic.ended");
    expect((await acknowledge(lead, panic)).body.code).toBe("panic.ended");
    const after = await callOf(lead, panic);
    expect(after).toMatchObject({ state: "completed", ended: { text: "Pressed by mistake" } });
    expect(endingOf(after)).toEqual([]);
    const again = { params: { id }, body: { version: after.version, reason: "Again" } };
    expect((await app.call(reopenCall, again, as(lead))).body.code).toBe("calls.panic");
  });

  test("keep the priority of their call, whose place may be corrected", async () => {
    const { app } = get();
    const { lead, officer } = await team(get());
    const { id, version, message } = await callOf(lead, await pressed(get(), officer));
    const edit = async (priority: number, text: string) =>
      await app.call(
        editCall,
        { params: { id }, body: { version, typeId: null, message: text, priority, postal: null } },
        as(lead),
      );
    const refused = await edit(2, message);
    expect([refused.status, refused.body.code, refused.body.params]).toEqual([409, "calls.panicPriority", { id: `DSP-${id}` }]);
    expect((await edit(1, "PANIC at the pier")).output).toMatchObject({ priority: 1, message: "PANIC at the pier" });
  });

  test("a dispatcher who pressed ends the own one, too", async () => {
    const { lead } = await team(get());
    const panic = await pressed(get(), lead);
    expect(panic.may).toEqual(["cancel", "end"]);
    expect((await end(lead, panic, "test")).output).toMatchObject({ state: "test", mine: true, may: [] });
  });

  test("one that was forgotten does not swallow the next one", async () => {
    const { lead, officer } = await team(get());
    const old = await pressed(get(), officer);
    await acknowledge(lead, old);
    await earlier(get(), old.id, 15 * 60_000 + 1);
    const next = await pressed(get(), officer);
    expect(next.id).not.toBe(old.id);
    expect((await present(lead)).items.map(({ id, rings }) => [id, rings])).toEqual([
      [next.id, true],
      [old.id, false],
    ]);
  });

  test("come from the game with a place, also a hidden one, once for a key", async () => {
    const { app } = get();
    const { lead, officer, job } = await team(get());
    const token = { token: testSecrets.sync };
    const identifier = `char1:${officer.licence}`;
    await app.call(syncPositions, { body: { source: "city-9", items: [{ identifier, x: 10, y: 20, hidden: true }] } }, token);
    const sent = { body: { source: "city-9", identifier }, headers: { "idempotency-key": `panic-${job}` } };
    const first = (await app.call(syncPanic, sent, token)).output;
    expect(first).toMatchObject({ presses: 1, ref: expect.stringMatching(/^DSP-/) });
    expect((await app.call(syncPanic, sent, token)).output).toEqual(first);
    const [panic] = (await present(lead)).items;
    expect(panic).toMatchObject({ id: first.id, presses: 1, place: { x: 10, y: 20 } });
    expect((await app.call(listOwnCalls, {}, as(officer))).output.items).toMatchObject([
      { kind: "panic", place: { x: 10, y: 20 } },
    ]);
    const back = { body: { source: "city-9", identifier } };
    expect((await app.call(syncCancelPanic, back, token)).output).toEqual({ cancelled: true });
    expect((await app.call(syncCancelPanic, back, token)).output).toEqual({ cancelled: false });
    const unknown = { body: { source: "city-9", identifier: "char1:nobody" } };
    expect((await app.call(syncPanic, unknown, token)).body.code).toBe("panic.citizenNotFound");
  });

  test("are found by name, number and state, by the jobs that they alarmed alone", async () => {
    const { app } = get();
    const [of, other] = [await team(get()), await team(get())];
    const panic = await pressed(get(), of.officer);
    const name = panic.person!.name;
    const find = async (who: TestActor, query: object) => {
      const answer = await app.call(listPanics, { query }, as(who));
      return { ids: answer.output.items.map(({ id }) => id), text: answer.text };
    };
    for (const query of [{}, { q: name }, { q: `DSP-${panic.callId}` }, { state: "active" }])
      expect((await find(of.lead, query)).ids).toEqual([panic.id]);
    expect((await find(of.lead, { state: "real" })).ids).toEqual([]);
    for (const query of [{}, { q: name }, { q: `dsp ${panic.callId}` }]) {
      const { ids, text } = await find(other.lead, query);
      expect([ids, text.includes(name)]).toEqual([[], false]);
    }
    expect((await app.call(getPanic, { params: { id: panic.id } }, as(other.lead))).status).toBe(404);
    await goOffDuty(get(), of.lead);
    expect((await app.call(getPanic, { params: { id: panic.id } }, as(of.lead))).output).toMatchObject({ rings: false });
  });

  test("are counted by their end, with how fast a job acknowledged", async () => {
    const { app } = get();
    const { lead, officer, colleague } = await team(get());
    const first = await pressed(get(), officer);
    await earlier(get(), first.id, 20_000);
    await acknowledge(lead, first);
    await end(lead, first, "test");
    const second = await pressed(get(), colleague);
    await end(lead, second, "real");
    const { output } = await app.call(getPanicStatistics, {}, as(lead));
    expect(output).toMatchObject({
      states: [
        { state: "real", count: 1 },
        { state: "test", count: 1 },
      ],
      acknowledged: 1,
      repeated: 0,
    });
    expect(Math.round(output.medianSeconds! / 10)).toBe(2);
    expect(output.slowestSeconds).toBe(output.medianSeconds);
  });

  test("rules name a job that exists and is another one", async () => {
    const { app } = get();
    const { lead, job } = await team(get());
    const put = async (to: string) => (await app.call(putPanicRules, { body: { version: 0, to } }, as(lead))).body.code;
    expect([await put(job), await put("nosuchjob")]).toEqual(["panic.ownJob", "panic.jobNotFound"]);
    const { output } = await app.call(getPanicRules, {}, as(lead));
    expect([output.rules, output.jobs.some(({ name }) => name === job)]).toEqual([{ version: 0, to: null }, false]);
  });
});
