import { describe, expect, test } from "vitest";
import { queries } from "#core/db/index.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import { syncPanic } from "#features/panic/panic.contract.ts";
import { team } from "#features/panic/panic.testkit.ts";
import {
  callsPermissions,
  createCall,
  dismissStorm,
  getCall,
  getStorm,
  listPresent,
  listStormAlerts,
  listStorms,
  mostAlertsOfPerson,
  mostAlertsOfSource,
  openStorm,
  type Storm,
  type SyncCall,
  syncCall,
} from "./calls.contract.ts";
import type { CallsTables } from "./calls.schema.ts";
import { forgetInStorms, removeStorms } from "./calls.storm.repo.ts";
import { allRights, dispatcher, newJob } from "./calls.testkit.ts";

type Sender = Awaited<ReturnType<typeof dispatcher>>;

describeApps("storms of alerts", (get) => {
  const as = ({ token }: { readonly token: string }) => ({ token });
  const sync = { token: testSecrets.sync };
  /** Alerts this far apart are not added to one another. */
  const apart = 100;

  const send = async (job: string, at: number, more: Partial<SyncCall> = {}, headers: Record<string, string> = {}) => {
    const body = { source: job, jobs: [job], message: `Alert ${at}`, x: (at % 9) * apart, y: 0, ...more };
    const answer = await get().app.call(syncCall, { body }, { ...sync, headers });
    expect(answer.status).toBe(200);
    return answer.output;
  };
  const citizen = async () => await get().world.actor({ job: "unemployed", grade: 0, rights: { "calls.create": true } });

  /** A person who sends more than the limit; the answers above it. */
  const flood = async (job: string, licence: string, above: number, more: Partial<SyncCall> = {}) => {
    const own = { identifier: `char1:${licence}`, ...more };
    for (let at = 0; at < mostAlertsOfPerson; at += 1) expect(await send(job, at, own)).toMatchObject({ storm: null });
    const answers = [];
    for (let at = 0; at < above; at += 1) answers.push(await send(job, at, own));
    return answers;
  };

  const stormsOf = async (who: Sender): Promise<Storm[]> => (await get().app.call(listStorms, {}, as(who))).output.items;
  const alertsOf = async (who: Sender, id: number, query: { place?: string; cursor?: string; limit?: number } = {}) =>
    (await get().app.call(listStormAlerts, { params: { id }, query }, as(who))).output;

  /** Everything that came so far came a minute earlier. */
  const minuteLater = async () =>
    await get().app.process.container.db.write("test.later", async (tx) => {
      const db = queries<CallsTables>(tx);
      await db
        .updateTable("calls_arrivals")
        .set((e) => ({ at: e("at", "-", 60_000) }))
        .execute();
      await db
        .updateTable("calls_storms")
        .set((e) => ({ above_at: e("above_at", "-", 60_000) }))
        .execute();
    });

  test("of one person wait above 20 a minute, each alert kept, and are calls again a minute after the last one above", async () => {
    const [who, person] = [await dispatcher(get()), await citizen()];
    const answers = await flood(who.job, person.licence, 12);
    const [first] = answers;
    expect(first).toMatchObject({ id: null, ref: null, folded: true, storm: { ref: `STM-${first!.storm!.id}` } });
    expect(answers).toEqual(answers.map(() => first));
    const { open } = (await get().app.call(listPresent, {}, as(who))).output;
    expect(open).toBe(9);
    const [storm, ...more] = await stormsOf(who);
    expect(more).toEqual([]);
    expect(storm).toMatchObject({ id: first!.storm!.id, state: "open", source: who.job, alerts: 12, left: 12, places: 9 });
    expect(storm).toMatchObject({ running: true, may: ["open", "dismiss"], jobs: [{ name: who.job }] });
    const { items, total } = await alertsOf(who, storm!.id);
    expect([total, items.map(({ message }) => message)]).toEqual([12, answers.map((_one, at) => `Alert ${11 - at}`)]);
    expect(items[0]!.citizen?.id).toBe(person.characterId);
    await minuteLater();
    expect(await send(who.job, 50, { identifier: `char1:${person.licence}` })).toMatchObject({ storm: null });
    expect((await stormsOf(who))[0]).toMatchObject({ running: false, alerts: 12 });
  });

  test("take what comes below the limit too, until a minute without one above it", async () => {
    const [who, person] = [await dispatcher(get()), await citizen()];
    const [, last] = await flood(who.job, person.licence, 2);
    await get().app.process.container.db.write("test.fewer", async (tx) => {
      await queries<CallsTables>(tx).deleteFrom("calls_arrivals").execute();
    });
    const identifier = `char1:${person.licence}`;
    expect(await send(who.job, 3, { identifier })).toEqual(last);
    const other = newJob("other");
    await get().world.job(other, [0]);
    expect(await send(who.job, 3, { identifier, jobs: [other] })).toMatchObject({ storm: null });
    expect(await send(who.job, 3)).toMatchObject({ storm: null });
  });

  test("of one source wait above 200 a minute, whoever calls, and other sources and a panic stay calls", async () => {
    const who = await dispatcher(get());
    for (let at = 0; at < mostAlertsOfSource; at += 1) expect((await send(who.job, at)).storm).toBeNull();
    const above = await Promise.all(Array.from({ length: 12 }, async (_none, at) => await send(who.job, at)));
    expect(new Set(above.map(({ storm }) => storm?.id)).size).toBe(1);
    const person = await citizen();
    expect((await send(who.job, 3, { identifier: `char1:${person.licence}` })).storm).toEqual(above[0]!.storm);
    expect((await send(who.job, 3, { source: "another" })).storm).toBeNull();
    expect((await stormsOf(who))[0]).toMatchObject({ alerts: 13, places: 9 });
    // From a job of its own, whose panics come from the source of the storm.
    const { officer } = await team(get());
    const panic = { source: who.job, identifier: `char1:${officer.licence}` };
    const pressed = await get().app.call(syncPanic, { body: panic }, sync);
    expect([pressed.status, pressed.output.ref]).toEqual([200, expect.stringMatching(/^DSP-/)]);
    expect((await stormsOf(who))[0]).toMatchObject({ alerts: 13 });
  });

  test("keep who called anonymously to themselves, and count it apart", async () => {
    const { app } = get();
    const [who, person] = [await dispatcher(get()), await citizen()];
    const [storm] = await flood(who.job, person.licence, 3, { anonymous: true, phone: "555-7777" });
    const named = await send(who.job, 1, { identifier: `char1:${person.licence}` });
    expect(named.storm).toBeNull();
    const id = storm!.storm!.id;
    const texts = [
      (await app.call(listStorms, {}, as(who))).text,
      (await app.call(getStorm, { params: { id } }, as(who))).text,
      (await app.call(listStormAlerts, { params: { id }, query: {} }, as(who))).text,
    ];
    const place = (await app.call(getStorm, { params: { id } }, as(who))).output.byPlace[0]!.key;
    const { output } = await app.call(openStorm, { params: { id }, body: { place } }, as(who));
    texts.push((await app.call(getCall, { params: { id: output.callId } }, as(who))).text);
    for (const text of texts) {
      expect(text).not.toContain(person.licence);
      expect(text).not.toMatch(new RegExp(`"id":${person.characterId}\\b[^}]*"name"`));
      expect(text).not.toContain("555-7777");
    }
    expect((await alertsOf(who, id)).items[0]).toMatchObject({ anonymous: true, citizen: null, phone: null });
  });

  test("answer a repeated alert as the first time, and have it once", async () => {
    const [who, person] = [await dispatcher(get()), await citizen()];
    await flood(who.job, person.licence, 1);
    const own = { identifier: `char1:${person.licence}` };
    const headers = { "idempotency-key": `storm-${who.job}` };
    const [first, second] = [await send(who.job, 3, own, headers), await send(who.job, 3, own, headers)];
    expect(first.storm).not.toBeNull();
    expect(second).toEqual(first);
    expect((await stormsOf(who))[0]!.alerts).toBe(2);
  });

  test("count for the limit of a person, who cannot call past it", async () => {
    const { app } = get();
    const [who, person] = [await dispatcher(get()), await citizen()];
    await flood(who.job, person.licence, 4);
    await get().app.process.container.db.write("test.calls", async (tx) => {
      await queries<CallsTables>(tx).updateTable("calls_alerts").set({ at: 0 }).execute();
    });
    const body = { typeId: null, message: "Help", jobs: [who.job] };
    expect((await app.call(createCall, { body }, as(person))).body.code).toBe("calls.tooMany");
  });

  describe("by hand", () => {
    /** Seven alerts, of which those of the first two places come twice. */
    const waiting = async () => {
      const [who, person] = [await dispatcher(get()), await citizen()];
      await flood(who.job, person.licence, 0);
      const own = { identifier: `char1:${person.licence}` };
      for (const at of [0, 1, 2, 3, 4, 0, 1]) await send(who.job, at, own);
      const [storm] = await stormsOf(who);
      return { who, person, id: storm!.id };
    };
    const open = async (who: { token: string }, id: number, body: { alertId?: number; place?: string }) =>
      await get().app.call(openStorm, { params: { id }, body }, as(who));

    test("one alert is a call of its own, once", async () => {
      const { who, person, id } = await waiting();
      const [newest] = (await alertsOf(who, id)).items;
      const { output } = await open(who, id, { alertId: newest!.id });
      expect(output.alerts).toBe(1);
      const call = (await get().app.call(getCall, { params: { id: output.callId } }, as(who))).output;
      expect(call).toMatchObject({ state: "open", message: "Alert 1", alerts: 1, place: { x: apart, y: 0 } });
      expect(call.callers.map((one) => one.citizen?.id)).toEqual([person.characterId]);
      expect((await open(who, id, { alertId: newest!.id })).body.code).toBe("calls.stormTaken");
      expect((await stormsOf(who))[0]).toMatchObject({ alerts: 7, left: 6 });
      expect((await alertsOf(who, id)).items[0]).toMatchObject({ callId: output.callId });
      expect((await open(who, id, {})).status).toBe(400);
      expect((await open(who, id, { alertId: 1, place: "none" })).status).toBe(400);
    });

    test("all alerts of a place are one call, which counts them", async () => {
      const { who, id } = await waiting();
      const { byPlace } = (await get().app.call(getStorm, { params: { id } }, as(who))).output;
      expect(byPlace.map(({ alerts }) => alerts)).toEqual([2, 2, 1, 1, 1]);
      const [place] = byPlace;
      expect((await alertsOf(who, id, { place: place!.key })).total).toBe(2);
      const { output } = await open(who, id, { place: place!.key });
      const call = (await get().app.call(getCall, { params: { id: output.callId } }, as(who))).output;
      expect([output.alerts, call.alerts, call.reports.length, call.callers.length]).toEqual([2, 2, 2, 1]);
      expect((await open(who, id, { place: place!.key })).body.code).toBe("calls.stormTaken");
      const after = (await get().app.call(getStorm, { params: { id } }, as(who))).output;
      expect([after.left, after.byPlace.find(({ key }) => key === place!.key)?.left]).toEqual([5, 0]);
    });

    test("two who want the same alert get one call", async () => {
      const { who, id } = await waiting();
      const [newest] = (await alertsOf(who, id)).items;
      const answers = await Promise.all([1, 2, 3].map(async () => await open(who, id, { alertId: newest!.id })));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    });

    test("alerts are read page by page", async () => {
      const { who, id } = await waiting();
      const first = await alertsOf(who, id, { limit: 4 });
      const second = await alertsOf(who, id, { limit: 4, cursor: first.next! });
      expect([first.items.length, second.items.length, second.next, first.total]).toEqual([4, 3, null, 7]);
    });

    test("what is left is dismissed with a reason; what comes then is a storm of its own", async () => {
      const { who, person, id } = await waiting();
      const dismiss = async (reason: string) => await get().app.call(dismissStorm, { params: { id }, body: { reason } }, as(who));
      expect((await dismiss("  ")).status).toBe(400);
      const { output } = await dismiss("A fault of the alarm script");
      expect(output).toMatchObject({
        state: "dismissed",
        running: false,
        may: [],
        ended: { text: "A fault of the alarm script" },
      });
      expect(await stormsOf(who)).toEqual([]);
      expect((await dismiss("Once more")).body.code).toBe("calls.stormEnded");
      expect((await open(who, id, { place: "none" })).body.code).toBe("calls.stormEnded");
      const later = await send(who.job, 1, { identifier: `char1:${person.licence}` });
      expect(later.storm?.id).not.toBe(id);
      expect(later.storm).not.toBeNull();
    });

    test("people of other jobs and without the right have none of it", async () => {
      const { who, id } = await waiting();
      const other = await dispatcher(get());
      expect(await stormsOf(other)).toEqual([]);
      for (const answer of [
        await get().app.call(getStorm, { params: { id } }, as(other)),
        await get().app.call(listStormAlerts, { params: { id }, query: {} }, as(other)),
        await open(other, id, { place: "none" }),
        await get().app.call(dismissStorm, { params: { id }, body: { reason: "Mine" } }, as(other)),
      ])
        expect([answer.status, answer.body.code]).toEqual([404, "calls.stormNotFound"]);
      const { [callsPermissions.dispatch.id]: _dispatch, ...rights } = allRights;
      const member = await get().world.actor({ job: who.job, grade: 0, rights });
      expect((await get().app.call(listStorms, {}, as(member))).status).toBe(403);
    });

    test("people who were removed for good leave nothing in it, and an old one is removed with its alerts", async () => {
      const { who, person, id } = await waiting();
      const { db } = get().app.process.container;
      await db.write("test.forget", async (tx) => await forgetInStorms(tx, [person.characterId]));
      expect((await alertsOf(who, id)).items.map((one) => one.citizen)).toEqual(Array.from({ length: 7 }, () => null));
      await get().app.call(dismissStorm, { params: { id }, body: { reason: "Over" } }, as(who));
      const rows = async () => await get().count("calls_storms_alerts");
      const before = await rows();
      await db.write("test.old", async (tx) => {
        await queries<CallsTables>(tx).updateTable("calls_storms").set({ ended_at: 1 }).where("id", "=", id).execute();
        expect(await removeStorms(tx, 2, 10)).toBe(1);
      });
      expect(await rows()).toBe(before - 7);
    });
  });

  test("cost as much with the hundredth alert as with the second", async () => {
    const [who, person] = [await dispatcher(get()), await citizen()];
    await flood(who.job, person.licence, 1);
    let statements = 0;
    get().app.process.container.db.observe(({ unit }) => {
      if (unit === syncCall.id) statements += 1;
    });
    const costs: number[] = [];
    for (let at = 0; at < 100; at += 1) {
      const before = statements;
      await send(who.job, 0, { identifier: `char1:${person.licence}` });
      costs.push(statements - before);
    }
    // One in a second says that pages read it again.
    expect(Math.max(...costs)).toBeLessThanOrEqual(Math.min(...costs) + 3);
    expect(costs.at(-1)).toBeLessThan(30);
  });
});
