import { expect, test } from "vitest";
import { decodeStateFrame, stateFields } from "#core/contract/index.ts";
import { callsTopic } from "#features/calls/calls.contract.ts";
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
  panicPlacesTopic,
  panicRaised,
  panicTopic,
  panicUnanswered,
  repeatPanic,
} from "./panic.contract.ts";
import { as, dispatcherRights, pressed, team } from "./panic.testkit.ts";

const soon = { timeout: 20_000 };
const fields = stateFields(panicPlacesTopic.message);

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
    const [first] = await timers(panic);
    await runTask(get(), repeatPanic, { id: panic.id, job, at: first!.at });
    await runTask(get(), repeatPanic, { id: panic.id, job, at: first!.at });
    const [next] = await timers(panic);
    expect((await present(lead))[0]!.alarms[0]!.repeats).toBe(1);
    const { clock } = get().app.process.container.ports;
    expect(next!.dueAt - clock.now()).toBeGreaterThan(25_000);
    const body = { version: panic.version, outcome: "real" as const };
    await get().app.call(endPanic, { params: { id: panic.id }, body }, as(lead));
    expect(await timers(panic)).toEqual([]);
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
    const text = (client: TestClient) => JSON.stringify(client.frames().map((frame) => decodeStateFrame(fields, frame)));
    await expect.poll(() => text(seeing), soon).toContain("12");
    expect([blind.frames(), resting.frames().length]).toEqual([[], 0]);
    const end = { version: panic.version, outcome: "real" as const };
    await app.call(endPanic, { params: { id: panic.id }, body: end }, as(lead));
    const count = seeing.frames().length;
    await app.call(syncPositions, { body: { ...body, items: [{ identifier, x: 99, y: 99 }] } }, sync);
    await expect.poll(() => seeing.frames().length, soon).toBeGreaterThan(count - 1);
    expect(text(seeing)).not.toContain("99");
  });
});
