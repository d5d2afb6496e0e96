import { expect, test } from "vitest";
import { decodeStateFrame, stateFields } from "#core/contract/index.ts";
import { callsTopic, getCall } from "#features/calls/calls.contract.ts";
import { putWorkRules, takeCall, usualRules } from "#features/assignments/assignments.contract.ts";
import { team as crewTeam } from "#features/assignments/assignments.testkit.ts";
import { listNotifications } from "#features/notifications/notifications.contract.ts";
import { syncPositions } from "#features/positions/positions.contract.ts";
import { goOffDuty, goOnDuty, planned, runTask } from "#features/units/units.testkit.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  acknowledgePanic,
  endPanic,
  listPresentPanics,
  type Panic,
  panicAbandoned,
  panicPermissions,
  panicPlacesTopic,
  panicRaised,
  panicTopic,
  panicUnanswered,
  repeatPanic,
} from "./panic.contract.ts";
import { as, dispatcherRights, earlier, late, pressed, team } from "./panic.testkit.ts";

const soon = { timeout: 20_000 };
const fields = stateFields(panicPlacesTopic.message);

/** The first coordinates of the places that arrived, in their order. */
const shownX = (client: TestClient) =>
  client.frames().flatMap((frame) => decodeStateFrame(fields, frame).entries.flatMap((entry) => entry.fields["x"] ?? []));

describeApps("panics, as time goes on", (get) => {
  const present = async (who: TestActor) => (await get().app.call(listPresentPanics, {}, as(who))).output.items;
  const kinds = async (who: TestActor) =>
    (await get().app.call(listNotifications, { query: {} }, as(who))).output.items.flatMap(({ kind }) =>
      kind.startsWith("panic.") ? [kind] : [],
    );

  /** The timers of a panic, as they are stored. */
  const timers = async ({ id }: Panic) =>
    (await planned(get(), repeatPanic)).filter((one) => one.id === id) as unknown as {
      readonly at: number;
      readonly dueAt: number;
    }[];

  const repeat = async (panic: Panic, job: string) => {
    const [timer] = await timers(panic);
    await runTask(get(), repeatPanic, { id: panic.id, job, at: timer!.at });
  };

  test("which nobody acknowledges alarm everybody on duty, again and again, until somebody does", async () => {
    const { lead, officer, colleague, job } = await team(get());
    const panic = await pressed(get(), officer);
    expect([await kinds(lead), await kinds(colleague)]).toEqual([[panicRaised.id], []]);
    expect((await timers(panic)).map(({ dueAt }) => dueAt - panic.pressedAt)).toEqual([30_000]);
    await repeat(panic, job);
    expect(await kinds(colleague)).toEqual([panicUnanswered.id]);
    expect(await kinds(officer)).toEqual([]);
    expect((await present(colleague)).map(({ id, rings, may }) => [id, rings, may])).toEqual([[panic.id, true, ["acknowledge"]]]);
    await repeat(panic, job);
    expect((await present(lead))[0]!.alarms[0]).toMatchObject({ state: "ringing", repeats: 2 });
    const [last] = await timers(panic);
    const answer = await get().app.call(acknowledgePanic, { params: { id: panic.id } }, as(colleague));
    expect(answer.output).toMatchObject({ rings: false, alarms: [{ state: "acknowledged", repeats: 2 }] });
    expect(await timers(panic)).toEqual([]);
    // A timer that was on its way.
    await runTask(get(), repeatPanic, { id: panic.id, job, at: last!.at });
    expect([(await present(lead))[0]!.alarms[0]!.repeats, await timers(panic)]).toEqual([2, []]);
  });

  test("after an outage a timer fires once, and then after its usual time", async () => {
    const { lead, officer, job } = await team(get());
    const panic = await pressed(get(), officer);
    const at = await late(get(), panic.id, 10 * 60_000);
    const { clock } = get().app.process.container.ports;
    const before = clock.now();
    await runTask(get(), repeatPanic, { id: panic.id, job, at });
    const after = clock.now();
    await runTask(get(), repeatPanic, { id: panic.id, job, at });
    const [next, ...others] = await timers(panic);
    expect(others).toEqual([]);
    expect((await present(lead))[0]!.alarms[0]!.repeats).toBe(1);
    expect([next!.dueAt >= before + 30_000, next!.dueAt <= after + 30_000]).toEqual([true, true]);
    const body = { version: panic.version, outcome: "real" as const };
    await get().app.call(endPanic, { params: { id: panic.id }, body }, as(lead));
    expect(await timers(panic)).toEqual([]);
  });

  test("after a quarter of an hour everybody is notified for the last time, and the panic stays open", async () => {
    const { lead, officer, colleague, job } = await team(get());
    const panic = await pressed(get(), officer);
    await repeat(panic, job);
    const at = await late(get(), panic.id, 15 * 60_000);
    await runTask(get(), repeatPanic, { id: panic.id, job, at });
    expect(await kinds(colleague)).toEqual([panicAbandoned.id, panicUnanswered.id]);
    expect((await present(lead))[0]).toMatchObject({ state: "active", rings: true, alarms: [{ state: "ringing", repeats: 2 }] });
    const call = await get().app.call(getCall, { params: { id: panic.callId } }, as(lead));
    expect(call.output.timeline.map(({ kind }) => kind)).toEqual(["created", "unanswered", "unanswered"]);
    await runTask(get(), repeatPanic, { id: panic.id, job, at });
    expect((await present(lead))[0]!.alarms[0]!.repeats).toBe(2);
    const answer = await get().app.call(acknowledgePanic, { params: { id: panic.id } }, as(colleague));
    expect(answer.output.alarms[0]).toMatchObject({ state: "acknowledged", repeats: 2 });
  });

  test("with nobody on duty who answers, everybody on duty is alarmed at once", async () => {
    const { lead, officer, colleague } = await team(get());
    // The one who answers is the one in danger.
    const own = await pressed(get(), lead);
    expect([await kinds(officer), await kinds(colleague), await kinds(lead)]).toEqual([[panicRaised.id], [panicRaised.id], []]);
    expect((await present(colleague)).map(({ id, rings, alarms }) => [id, rings, alarms[0]!.repeats])).toEqual([
      [own.id, true, 0],
    ]);
    await goOffDuty(get(), lead);
    const next = await pressed(get(), officer);
    expect((await present(colleague)).find(({ id }) => id === next.id)).toMatchObject({ rings: true, may: ["acknowledge"] });
  });

  test("who answers always has it in the bell off duty too, and nobody else off duty", async () => {
    const { world } = get();
    const { officer, job, lead } = await team(get());
    const rights = { [panicPermissions.answer.id]: true, [panicPermissions.always.id]: true } as const;
    // Of the grade above, which is the only one with both.
    await world.job(job, [0, 1, 2, 3, 4]);
    const always = await world.actor({ job, grade: 4, rights });
    await goOffDuty(get(), lead);
    const panic = await pressed(get(), officer);
    expect([await kinds(always), await kinds(lead)]).toEqual([[panicRaised.id], []]);
    expect((await present(always)).map(({ id, rings }) => [id, rings])).toEqual([[panic.id, true]]);
  });

  test("reach who goes on duty later, and leave who goes off duty", async () => {
    const { lead, officer } = await team(get());
    await goOffDuty(get(), lead);
    await pressed(get(), officer);
    expect(await present(lead)).toEqual([]);
    const client = await TestClient.signedIn(get().app.process.hub, lead.token);
    await client.subscribe(panicTopic.name);
    await goOnDuty(get(), (await present(officer))[0]!.job.name, lead);
    await expect.poll(() => client.events(panicTopic.name).length, soon).toBeGreaterThan(0);
    expect((await present(lead))[0]).toMatchObject({ rings: true });
  });

  test("a crew takes it also where dispatchers alone decide", async () => {
    const { app, world } = get();
    const of = await crewTeam(get());
    await app.call(putWorkRules, { body: { ...usualRules, mode: "central" } }, as(of.lead));
    const presser = await world.actor({ job: of.job, grade: 1 });
    await goOnDuty(get(), of.job, presser);
    const { callId } = await pressed(get(), presser);
    const taken = await app.call(takeCall, { params: { id: callId } }, as(of.crew[0]!));
    expect([taken.status, taken.output.units.map(({ state }) => state)]).toEqual([200, ["accepted"]]);
  });

  test("nothing of it reaches a job that is not alarmed", async () => {
    const { app } = get();
    const [of, other] = [await team(get()), await team(get())];
    const clients = await Promise.all(
      [of.lead, other.lead].map(async ({ token }) => await TestClient.signedIn(app.process.hub, token)),
    );
    const [seeing, blind] = clients as [TestClient, TestClient];
    for (const client of clients)
      for (const topic of [panicTopic, panicPlacesTopic, callsTopic]) await client.subscribe(topic.name);
    const identifier = `char1:${of.officer.licence}`;
    const sync = { token: testSecrets.sync };
    const move = async (x: number) =>
      await app.call(syncPositions, { body: { source: `city-${of.job}`, items: [{ identifier, x, y: 5, hidden: true }] } }, sync);
    const before = blind.received.items.length;
    await move(1);
    const panic = await pressed(get(), of.officer);
    const shown = () => seeing.frames().map((frame) => decodeStateFrame(fields, frame));
    await expect.poll(() => shown().length, soon).toBeGreaterThan(0);
    await move(2);
    await app.call(acknowledgePanic, { params: { id: panic.id } }, as(of.lead));
    await expect.poll(() => seeing.events(panicTopic.name).length, soon).toBeGreaterThan(1);
    const body = { version: panic.version, outcome: "test" as const };
    await app.call(endPanic, { params: { id: panic.id }, body }, as(of.lead));
    await expect.poll(() => seeing.events(panicTopic.name).length, soon).toBeGreaterThan(2);
    // That they went on duty themselves may arrive late.
    const ofOthers = blind.received.items.slice(before).filter((one) => !("kind" in one && one.kind === "duty.changed"));
    expect(ofOthers).toEqual([]);
    expect((await app.call(listPresentPanics, {}, as(other.lead))).text).not.toContain(panic.person!.name);
  });

  test("the place is followed also while it is hidden, for who answers, until the panic ends", async () => {
    const { app, world } = get();
    const { lead, officer, colleague, job } = await team(get());
    const watch = async ({ token }: TestActor) => {
      const client = await TestClient.signedIn(app.process.hub, token);
      client.send({ type: "subscribe", topic: panicPlacesTopic.name });
      return client;
    };
    const [seeing, blind] = [await watch(lead), await watch(colleague)];
    const off = await world.actor({ job, grade: 3, rights: dispatcherRights });
    const resting = await watch(off);
    const panic = await pressed(get(), officer);
    const identifier = `char1:${officer.licence}`;
    const sync = { token: testSecrets.sync };
    const body = { source: `city-${job}`, items: [{ identifier, x: 12, y: 34, hidden: true }] };
    await app.call(syncPositions, { body }, sync);
    await expect.poll(() => shownX(seeing), soon).toEqual([12]);
    expect([blind.frames(), resting.frames().length]).toEqual([[], 0]);
    const end = { version: panic.version, outcome: "real" as const };
    await app.call(endPanic, { params: { id: panic.id }, body: end }, as(lead));
    await app.call(syncPositions, { body: { ...body, items: [{ identifier, x: 99, y: 99 }] } }, sync);
    // What comes later has arrived, so what was before it would have.
    await pressed(get(), colleague);
    const marker = { identifier: `char1:${colleague.licence}`, x: 77, y: 1 };
    await app.call(syncPositions, { body: { ...body, items: [marker] } }, sync);
    await expect.poll(() => shownX(seeing), soon).toContain(77);
    expect(shownX(seeing)).toEqual([12, 77]);
  });

  test("the last place stays for who answers, with its instant, and goes with the end of the panic", async () => {
    const { app } = get();
    const { lead, officer, job } = await team(get());
    const client = await TestClient.signedIn(app.process.hub, lead.token);
    client.send({ type: "subscribe", topic: panicPlacesTopic.name });
    const identifier = `char1:${officer.licence}`;
    const move = async (x: number) =>
      await app.call(
        syncPositions,
        { body: { source: `city-${job}`, items: [{ identifier, x, y: 34, hidden: true }] } },
        { token: testSecrets.sync },
      );
    const { clock } = app.process.container.ports;
    const before = clock.now();
    await move(12);
    const panic = await pressed(get(), officer);
    const pressedAt = panic.lastSeen!.at;
    expect([panic.lastSeen!.x, pressedAt >= before, pressedAt <= clock.now()]).toEqual([12, true, true]);
    await expect.poll(() => shownX(client), soon).toEqual([12]);
    const moved = clock.now();
    await move(56);
    // A quarter of an hour is over: what follows says so to the processes, and the place is stored at once.
    await earlier(get(), panic.id, 15 * 60_000);
    await app.call(acknowledgePanic, { params: { id: panic.id } }, as(lead));
    await expect.poll(async () => (await present(lead))[0]!.lastSeen?.x, soon).toBe(56);
    expect((await present(lead))[0]!.lastSeen!.at).toBeGreaterThanOrEqual(moved);
    expect((await present(officer))[0]!.lastSeen!.x).toBe(12);
    const body = { version: panic.version, outcome: "real" as const };
    const ended = await app.call(endPanic, { params: { id: panic.id }, body }, as(lead));
    expect(ended.output.lastSeen!.x).toBe(12);
    const { rows } = await app.process.container.db.exclusive(
      "test.seen",
      async ({ connection }) => await connection.execute("select seen_x, seen_at from panic where id = ?", [panic.id]),
    );
    expect(rows).toEqual([{ seen_x: null, seen_at: null }]);
  });
});
