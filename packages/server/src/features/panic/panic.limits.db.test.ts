import { expect, test } from "vitest";
import { offered, team as crewTeam } from "#features/assignments/assignments.testkit.ts";
import { callsPermissions, getCall, mostUnitEntries } from "#features/calls/calls.contract.ts";
import { citizensPurged } from "#features/citizens/citizens.contract.ts";
import { syncJobsDelete } from "#features/jobs/jobs.contract.ts";
import { goOffDuty, goOnDuty } from "#features/units/units.testkit.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { testSecrets } from "#testkit/app.ts";
import { runReaction } from "#testkit/reactions.ts";
import { countRechecks, settled } from "#testkit/rechecks.ts";
import { silentLog } from "#testkit/silence.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import {
  acknowledgePanic,
  endPanic,
  listPresentPanics,
  type Panic,
  panicPlacesTopic,
  putPanicRules,
  syncPanic,
} from "./panic.contract.ts";
import { PanicPlaces } from "./panic.places.service.ts";
import { as, dispatcherRights, earlier, pressed, team } from "./panic.testkit.ts";

describeApps("what panics write, refuse and forget", (get) => {
  const callOf = async (who: TestActor, { callId }: Pick<Panic, "callId">) =>
    await get().app.call(getCall, { params: { id: callId } }, as(who));
  const lines = async (who: TestActor, panic: Panic) =>
    (await callOf(who, panic)).output.timeline.map(({ kind, text }) => [kind, text]);
  const end = async (who: TestActor, { id, version }: Panic, note: string | null = null) =>
    await get().app.call(endPanic, { params: { id }, body: { version, outcome: "real", note } }, as(who));

  test("further presses write one line a minute, with how many there were", async () => {
    const { lead, officer } = await team(get());
    const panic = await pressed(get(), officer);
    for (const _time of [1, 2, 3, 4]) {
      await earlier(get(), panic.id, 5_000);
      await pressed(get(), officer);
    }
    expect(await pressed(get(), officer)).toMatchObject({ presses: 5 });
    expect(await lines(lead, panic)).toEqual([
      ["created", null],
      ["pressedAgain", "2"],
    ]);
    await earlier(get(), panic.id, 46_000);
    expect(await pressed(get(), officer)).toMatchObject({ presses: 6 });
    expect((await lines(lead, panic)).slice(2)).toEqual([["pressedAgain", "6"]]);
  });

  test("what a unit wrote leaves room for who acknowledges and dispatches", async () => {
    const { app, world } = get();
    const of = await crewTeam(get());
    const officer = await world.actor({ job: of.job, grade: 1 });
    const lead = { ...(await world.actor({ job: of.job, grade: 4, rights: dispatcherRights })), job: of.job };
    await goOnDuty(get(), of.job, officer, lead);
    const panic = await pressed(get(), officer);
    await app.process.container.db.exclusive("test.lines", async ({ connection }) => {
      const line = "insert into calls_entries (call_id, at, kind) values (?, 0, 'needsHelp')";
      for (let at = 0; at < mostUnitEntries; at += 1) await connection.execute(line, [panic.callId]);
    });
    expect((await app.call(acknowledgePanic, { params: { id: panic.id } }, as(lead))).status).toBe(200);
    await offered(get(), { ...of, lead }, { id: panic.callId });
    const kinds = (await lines(lead, panic)).map(([kind]) => kind).filter((kind) => kind !== "needsHelp");
    expect(kinds).toEqual(["created", "acknowledged", "offered"]);
  });

  test("who may end one but not see those of before reads that it has ended, and not how", async () => {
    const { job, lead, officer } = await team(get());
    const rights = { [callsPermissions.view.id]: true, [callsPermissions.dispatch.id]: true } as const;
    const other = await get().world.actor({ job, grade: 2, rights });
    const panic = await pressed(get(), officer);
    await end(lead, panic, "Knocked over at the pier");
    const late = await end(other, panic);
    expect([late.status, late.body.code]).toEqual([409, "panic.ended"]);
    expect(late.text).not.toContain("pier");
    // Who sees it gets it as it is now.
    expect((await end(lead, panic)).body.code).toBe("panic.stale");
  });

  test("what was noted at the end is forgotten with the person", async () => {
    const { lead, officer } = await team(get());
    const panic = await pressed(get(), officer);
    await end(lead, panic, "Knocked over at the pier");
    expect((await callOf(lead, panic)).text).toContain("pier");
    await runReaction(get(), "calls.purgeCitizens", citizensPurged, { citizenIds: [officer.characterId] });
    const after = await callOf(lead, panic);
    expect(after.text).not.toContain("pier");
    expect(after.output).toMatchObject({ state: "completed", ended: { text: null } });
  });

  test("a job that was removed is not alarmed, but the one that gets its panics is", async () => {
    const { app } = get();
    const [shop, alone, centre] = [await team(get()), await team(get()), await team(get())];
    await app.call(putPanicRules, { body: { version: 0, to: centre.job } }, as(shop.lead));
    const token = { token: testSecrets.sync };
    await app.call(syncJobsDelete, { body: { source: "city-removed", names: [shop.job, alone.job] } }, token);
    const press = async ({ licence }: TestActor) =>
      await app.call(syncPanic, { body: { source: "city-removed", identifier: `char1:${licence}` } }, token);
    expect((await press(shop.officer)).status).toBe(200);
    const { items } = (await app.call(listPresentPanics, {}, as(centre.lead))).output;
    expect(items.map(({ alarms }) => alarms.map(({ job }) => job.name))).toEqual([[centre.job]]);
    expect((await press(alone.officer)).body.code).toBe("panic.notOnDuty");
  });

  test("a change of duty checks who it is about, and nobody else who follows places", async () => {
    const { app, world } = get();
    const { job, lead, officer } = await team(get());
    const second = await world.actor({ job, grade: 3, rights: dispatcherRights });
    await goOnDuty(get(), job, second);
    const clients = await Promise.all([lead, second].map(async ({ token }) => await TestClient.signedIn(app.process.hub, token)));
    for (const client of clients) await client.subscribe(panicPlacesTopic.name);
    const checks = async (work: () => Promise<void>) => {
      const before = await countRechecks(app);
      await work();
      await settled(clients);
      return (await countRechecks(app)) - before;
    };
    expect(await checks(async () => await goOffDuty(get(), officer))).toBe(0);
    expect(await checks(async () => await goOffDuty(get(), second))).toBe(1);
  });
});

test("a panic that ends while active ones are read is not followed, and one that begins then is", async () => {
  const published: unknown[] = [];
  const read = Promise.withResolvers<void>();
  const followers: ((place: object) => void)[] = [];
  const row = (id: number) => ({ id, citizen_id: id, place_until: 10_000 });
  const places = new PanicPlaces({
    clock: { now: () => 1000 },
    log: silentLog,
    db: { read: async () => await read.promise.then(() => ({ rows: [row(1), row(2)], alarms: new Map() })) },
    state: { publish: (_topic: unknown, key: string, data: unknown) => published.push([key, data === null]) },
    positions: { place: () => null, follow: (follower: (place: object) => void) => followers.push(follower) },
    seen: { put: () => undefined, flush: async () => undefined },
  } as never);
  const started = places.start();
  const changed = (id: number, active: boolean) =>
    places.changed({ jobs: ["police"], people: [id], panic: { id, version: 1, citizenId: id, active, until: 10_000 } });
  changed(1, false);
  changed(3, true);
  read.resolve();
  await started;
  published.length = 0;
  for (const id of [1, 2, 3]) followers[0]!({ id, x: 1, y: 1, postal: null });
  expect(published).toEqual([
    ["2", false],
    ["3", false],
  ]);
});
