import { expect, test } from "vitest";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import {
  cancelCall,
  createCall,
  getCall,
  listOwnCalls,
  listPresent,
  mostAlerts,
  putRules,
  type SyncCall,
  syncCall,
  syncCloseCalls,
  usualRules,
} from "./calls.contract.ts";
import { addType, dispatcher, longAgo, makeCall } from "./calls.testkit.ts";

describeApps("calls of the same", (get) => {
  const as = ({ token }: { readonly token: string }) => ({ token });
  const at = { x: 200, y: -800 };

  const send = async (job: string, more: Partial<SyncCall> = {}) => {
    const body = { source: "city-1", jobs: [job], message: "Shots", ...at, ...more };
    const { output } = await get().app.call(syncCall, { body }, { token: testSecrets.sync });
    return { ...output, id: output.id! };
  };

  /** A job that everybody may call, and who dispatches it. */
  const open = async () => {
    const who = await dispatcher(get());
    const { status } = await get().app.call(putRules, { body: { ...usualRules, version: 0, public: true } }, as(who));
    expect(status).toBe(200);
    const citizen = async () => await get().world.actor({ job: "unemployed", grade: 0, rights: { "calls.create": true } });
    return { who, citizen };
  };

  test("told by five callers are one call, which keeps what each of them said", async () => {
    const { app, world } = get();
    const who = await dispatcher(get());
    const [mara, jan] = [await world.actor({ job: "unemployed", grade: 0 }), await world.actor({ job: "unemployed", grade: 0 })];
    const first = await send(who.job, { identifier: `char1:${mara.licence}`, message: "Shots at the bank" });
    const others = [
      await send(who.job, { identifier: `char1:${jan.licence}`, x: at.x + 30, message: "Somebody shoots" }),
      await send(who.job, { identifier: `char1:${jan.licence}`, anonymous: true, phone: "555-1", message: "I saw nothing" }),
      await send(who.job, { y: at.y - 44, message: "Alarm" }),
      await send(who.job, { identifier: `char1:${jan.licence}`, x: null, y: null, message: "Where are you?" }),
    ];
    expect(others).toEqual(others.map(() => ({ ...first, folded: true })));
    expect(first.folded).toBe(false);
    const { output } = await app.call(getCall, { params: { id: first.id } }, as(who));
    expect(output).toMatchObject({ message: "Shots at the bank", alerts: 5, version: 1, state: "open" });
    expect(output.callers.map(({ anonymous, citizen, phone }) => [anonymous, citizen?.id ?? null, phone])).toEqual([
      [false, mara.characterId, null],
      [false, jan.characterId, null],
      [true, null, null],
    ]);
    expect(output.reports.map(({ message, anonymous, citizen }) => [message, anonymous, citizen?.id ?? null])).toEqual([
      ["Where are you?", false, jan.characterId],
      ["Alarm", false, null],
      ["I saw nothing", true, null],
      ["Somebody shoots", false, jan.characterId],
      ["Shots at the bank", false, mara.characterId],
    ]);
    const present = await app.call(listPresent, {}, as(who));
    expect(present.output).toMatchObject({ open: 1, items: [{ id: first.id, alerts: 5 }] });
  });

  test("are of the same type and jobs, near it and of the last three minutes; another one is a call of its own", async () => {
    const who = await dispatcher(get());
    const other = await dispatcher(get());
    const type = await addType(get(), who);
    const { id } = await send(who.job);
    expect(await send(who.job, { type: type.code })).toMatchObject({ folded: false });
    expect(await send(who.job, { jobs: [who.job, other.job] })).toMatchObject({ folded: false });
    expect(await send(who.job, { x: at.x + 46 })).toMatchObject({ folded: false });
    expect(await send(who.job, { x: null, y: null })).toMatchObject({ folded: false });
    expect(await send(who.job)).toMatchObject({ folded: true, id });
    // That somebody named and somebody unknown were one person would say who the unknown one is.
    const person = { identifier: `char1:${other.licence}`, x: null, y: null };
    const unknown = await send(who.job, { ...person, anonymous: true });
    expect(await send(who.job, person)).toMatchObject({ folded: false });
    expect(await send(who.job, { ...person, anonymous: true })).toMatchObject({ folded: true, id: unknown.id });
    await longAgo(get(), id);
    const later = await send(who.job);
    expect(later.folded).toBe(false);
    await get().app.call(cancelCall, { params: { id: later.id }, body: { version: 1, reason: "False alarm" } }, as(who));
    expect(await send(who.job)).toMatchObject({ folded: false });
  });

  test("sent at the same moment are one", async () => {
    const who = await dispatcher(get());
    const answers = await Promise.all(
      Array.from({ length: 6 }, async (_none, i) => await send(who.job, { message: `Shot ${i}` })),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers.filter(({ folded }) => !folded)).toHaveLength(1);
    const { output } = await get().app.call(getCall, { params: { id: answers[0]!.id } }, as(who));
    expect([output.alerts, output.reports.length]).toEqual([6, 6]);
  });

  test("of hundreds of callers stay one row, with the latest of what they say", async () => {
    const { app } = get();
    const who = await dispatcher(get());
    const { id } = await send(who.job);
    for (let i = 0; i < 60; i += 1) await send(who.job, { message: `Shot ${i}` });
    const shown = async () => (await app.call(getCall, { params: { id } }, as(who))).output;
    const { alerts, reports, timeline } = await shown();
    expect([alerts, reports.length, reports[0]!.message]).toEqual([61, mostAlerts, "Shot 59"]);
    expect(timeline.map(({ kind }) => kind)).toEqual(["created"]);
  });

  test("tell a second caller nothing of the first one, who no longer cancels alone", async () => {
    const { app } = get();
    const { who, citizen } = await open();
    const [first, second] = [await citizen(), await citizen()];
    const call = { jobs: [who.job], postal: null };
    const { id } = (await makeCall(get(), first, { ...call, message: "My neighbour Ida shoots" })).output;
    await app.process.container.db.exclusive("test.place", async ({ connection }) => {
      await connection.execute("update calls set x = 200, y = -800 where id = ?", [id]);
    });
    const body = { source: "city-1", jobs: [who.job], message: "I hear shots", ...at };
    await app.call(syncCall, { body: { ...body, identifier: `char1:${second.licence}` } }, { token: testSecrets.sync });
    const seen = await app.call(getCall, { params: { id } }, as(second));
    expect(seen.output).toMatchObject({ message: "I hear shots", alerts: 1, reports: [], may: [] });
    // Nor is the first one's name in the timeline.
    expect(seen.output.timeline.map(({ kind, by }) => [kind, by])).toEqual([["created", null]]);
    expect(seen.output.callers.map((one) => one.citizen?.id)).toEqual([second.characterId]);
    const own = await app.call(listOwnCalls, {}, as(second));
    for (const { text } of [seen, own]) expect(text).not.toContain("Ida");
    for (const one of [first, second]) {
      const cancelled = await app.call(cancelCall, { params: { id }, body: { version: 1, reason: "Solved" } }, as(one));
      expect(cancelled.body.code).toBe("calls.notDispatcher");
    }
    const close = { source: "city-1", identifier: `char1:${first.licence}` };
    expect((await app.call(syncCloseCalls, { body: close }, { token: testSecrets.sync })).output).toEqual({ closed: 0 });
  });

  test("count for the limit of a person, each", async () => {
    const { who, citizen } = await open();
    const caller = await citizen();
    const answers = [];
    for (let i = 0; i < 4; i += 1) answers.push(await makeCall(get(), caller, { jobs: [who.job] }));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 409]);
    expect(answers[3]!.body.code).toBe("calls.tooMany");
    expect(new Set(answers.slice(0, 3).map(({ output }) => output.id)).size).toBe(1);
    const anonymous = { jobs: [who.job], anonymous: true };
    expect((await get().app.call(createCall, { body: { typeId: null, message: "Help", ...anonymous } }, as(caller))).status).toBe(
      409,
    );
  });
});
