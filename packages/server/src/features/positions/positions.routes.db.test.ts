import { describe, expect, test } from "vitest";
import { decodeStateFrame, stateFields } from "#core/contract/index.ts";
import { syncUsers } from "#features/citizens/citizens.contract.ts";
import { dutyApi } from "#features/duty/duty.api.ts";
import { syncDuty } from "#features/duty/duty.contract.ts";
import { jobsApi } from "#features/jobs/jobs.api.ts";
import { postalsApi } from "#features/postals/postals.api.ts";
import { syncApi } from "#features/sync/sync.api.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { testSecrets } from "#testkit/app.ts";
import { everythingIn } from "#testkit/database.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { positionsApi } from "./positions.api.ts";
import { getOwnPlace, ownPlaceTopic, positionsTopic, syncPositions, type SyncPosition } from "./positions.contract.ts";

import { PositionsService } from "./positions.service.ts";

const token = { token: testSecrets.sync };
let counter = 0;
/** The instants of calls count from here. */
const begun = Date.now() - 60_000;

describeApps("positions", (get) => {
  interface Member extends TestActor {
    readonly job: string;
    readonly identifier: string;
  }

  async function sql(statement: string, values: (string | number)[] = []) {
    const { db } = get().app.process.container;
    return (await db.exclusive("test.sql", async ({ connection }) => await connection.execute(statement, values))).rows;
  }

  async function member(): Promise<Member> {
    counter += 1;
    const job = `crew${counter}`;
    const actor = await get().world.actor({ job, grade: 1, rights: { "positions.view": { jobs: { [job]: 3 } } } });
    const [row] = await sql("select identifier from citizens where id = ?", [actor.characterId]);
    return { ...actor, job, identifier: String(row?.["identifier"]) };
  }

  async function send(source: string, items: readonly Partial<SyncPosition>[], more: { at?: number; clear?: boolean } = {}) {
    const at = more.at === undefined ? {} : { at: begun + more.at };
    const body = { source, items: items as SyncPosition[], ...more, ...at };
    return (await get().app.call(syncPositions, { body }, token)).body as {
      accepted: number;
      ignored: number;
      rejected: { index: number; message: string }[];
    };
  }
  async function duty(source: string, who: Member, event: "on" | "off" | "dropped") {
    counter += 1;
    const item = { identifier: who.identifier, event, job: who.job, at: Date.now(), key: `duty-${counter}` };
    await get().app.call(syncDuty, { body: { source, items: [item] } }, token);
  }
  const own = async (who: Member) => (await get().app.call(getOwnPlace, {}, who)).output;
  const place = (who: Member, more: Partial<SyncPosition> = {}) => ({ identifier: who.identifier, x: 1, y: 2, ...more });

  describe("of a game server that reports no duty", () => {
    test("begin and end duty in the job that the character holds", async () => {
      const who = await member();
      expect(await send("trackers", [place(who)])).toEqual({ accepted: 1, ignored: 0, rejected: [] });
      expect(await own(who)).toMatchObject({ onDuty: true, known: true, hidden: false, exempt: false });
      await send("trackers", [{ identifier: who.identifier, remove: true }]);
      expect(await own(who)).toMatchObject({ onDuty: false, known: false });
    });

    test("end the duty of whoever is not named in a call that clears", async () => {
      const [stays, leaves] = [await member(), await member()];
      await send("clearing", [place(stays), place(leaves)]);
      await send("clearing", [place(stays)], { clear: true });
      expect([(await own(stays)).onDuty, (await own(leaves)).onDuty]).toEqual([true, false]);
      expect((await own(leaves)).known).toBe(false);
      const [row] = await sql("select licence from duty_people where citizen_id = ?", [leaves.characterId]);
      expect(row?.["licence"]).not.toBe("");
    });
  });

  describe("of a game server that reports duty", () => {
    test("begin none, and bring back who dropped", async () => {
      const who = await member();
      await duty("city", who, "off");
      await send("city", [place(who)]);
      expect(await own(who)).toMatchObject({ onDuty: false, known: true });
      await duty("city", who, "on");
      await duty("city", who, "dropped");
      expect(await sql("select missing_at is null as back from duty_people where citizen_id = ?", [who.characterId])).toEqual([
        { back: 0 },
      ]);
      await send("city", [place(who)]);
      expect(await sql("select missing_at is null as back from duty_people where citizen_id = ?", [who.characterId])).toEqual([
        { back: 1 },
      ]);
    });
  });

  test("that are late are ignored by the order of their source; of one instant the later call counts", async () => {
    const who = await member();
    expect(await send("clock", [place(who)], { at: 1000 })).toMatchObject({ accepted: 1, ignored: 0 });
    expect(await send("clock", [place(who)], { at: 999 })).toMatchObject({ accepted: 0, ignored: 1 });
    expect(await send("clock", [place(who, { hidden: true })], { at: 1000 })).toMatchObject({ accepted: 1 });
    expect(await own(who)).toMatchObject({ hidden: true });
    await send("clock", [{ identifier: who.identifier, remove: true }], { at: 1000 });
    expect((await own(who)).known).toBe(false);
  });

  test("with an instant that is none in milliseconds are refused with the remedy, and decide no order", async () => {
    const who = await member();
    const problemAt = async (at: number) => {
      const { status, body } = await get().app.call(syncPositions, { body: { source: "units", at, items: [place(who)] } }, token);
      return [status, (body as { params?: { field: string; problem: string } }).params];
    };
    const seconds = "is in milliseconds since 1970; this looks like seconds, so multiply it by 1000";
    expect(await problemAt(Math.floor(Date.now() / 1000))).toEqual([400, { field: "at", problem: seconds }]);
    expect(await problemAt(99_999_999_999_999)).toEqual([400, { field: "at", problem: expect.stringContaining("microseconds") }]);
    expect((await own(who)).known).toBe(false);
    expect(await send("units", [place(who)], { at: 0 })).toMatchObject({ accepted: 1 });
  });

  test("of a clock that is ahead count in the order in which they arrive", async () => {
    const who = await member();
    expect(await send("ahead", [place(who)], { at: 3_600_000 })).toMatchObject({ accepted: 1 });
    expect(await send("ahead", [place(who)])).toMatchObject({ accepted: 1 });
  });

  test("of before bring back nobody who was removed, and clear nobody who was reported since", async () => {
    const who = await member();
    await send("late", [place(who)], { at: 10 });
    await send("late", [{ identifier: who.identifier, remove: true }], { at: 20 });
    expect(await send("late", [place(who)], { at: 15 })).toMatchObject({ accepted: 0, ignored: 1 });
    expect((await own(who)).known).toBe(false);
    await send("late", [place(who)], { at: 30 });
    await send("late", [], { at: 25, clear: true });
    expect((await own(who)).known).toBe(true);
  });

  test("of before bring back nobody whom another process removed, and begin no duty", async () => {
    const who = await member();
    const { container, assembly, hub } = get().app.process;
    const other = new PositionsService({
      db: container.db,
      clock: container.ports.clock,
      state: hub.state,
      latest: container.ports.latest,
      duty: assembly.api(dutyApi),
      jobs: assembly.api(jobsApi),
      sync: assembly.api(syncApi),
      postals: assembly.api(postalsApi),
      duties: { of: () => null } as never,
    });
    await send("processes", [place(who)], { at: 10 });
    await other.sync({} as never, { source: "processes", at: begun + 20, items: [{ identifier: who.identifier, remove: true }] });
    expect(await own(who)).toMatchObject({ onDuty: false, known: false, at: null });
    expect(await send("processes", [place(who)], { at: 15 })).toMatchObject({ accepted: 0, ignored: 1 });
    expect(await own(who)).toMatchObject({ onDuty: false, known: false });
    // The latest values are written shortly after they were published.
    await expect.poll(async () => await assembly.api(positionsApi).playing([who.characterId])).toEqual(new Map());
    expect(await send("processes", [place(who)], { at: 30 })).toMatchObject({ accepted: 1 });
    expect(await own(who)).toMatchObject({ onDuty: true, known: true });
  });

  test("are published in the order of the calls, also while the first one changes somebody's duty", async () => {
    const who = await member();
    const first = send("racing", [place(who)], { at: 1 });
    const second = send("racing", [place(who, { hidden: true })], { at: 2 });
    await Promise.all([first, second]);
    expect((await own(who)).hidden).toBe(true);
  });

  test("of one's own character are told it live: hidden, shown or gone, and nothing while it only moves", async () => {
    const [who, other] = [await member(), await member()];
    const { app, world } = get();
    expect(await own(who)).toMatchObject({ known: false, at: null });
    const client = await TestClient.signedIn(app.process.hub, await world.tokenOf(who));
    const name = `positions/${who.characterId}`;
    await client.subscribe(name);
    const fields = stateFields(ownPlaceTopic.message);
    const told = () =>
      client.frames().flatMap((frame) => {
        const { removed, entries } = decodeStateFrame(fields, frame);
        return [...removed.map(() => "gone"), ...entries.map(({ fields: one }) => one["hidden"])];
      });
    const before = Date.now();
    await send("own", [place(who), place(other, { hidden: true })]);
    await expect.poll(told).toEqual([false]);
    expect((await own(who)).at).toBeGreaterThanOrEqual(before);
    const toldAt = () => app.process.hub.state.publishedAt(ownPlaceTopic, String(who.characterId));
    const first = toldAt();
    await send("own", [place(who, { x: 5 })]);
    await send("own", [place(who, { x: 6 })]);
    expect(toldAt()).toBe(first);
    await send("own", [place(who, { hidden: true })]);
    await expect.poll(told).toEqual([false, true]);
    await send("own", [{ identifier: who.identifier, remove: true }]);
    await expect.poll(told).toEqual([false, true, "gone"]);
    expect((await own(who)).at).toBeNull();
    client.send({ type: "subscribe", topic: `positions/${other.characterId}` });
    expect(await client.next("refused")).toMatchObject({ topic: `positions/${other.characterId}` });
    client.leave();
  });

  test("of somebody on duty show the new name as soon as the game sends it", async () => {
    const [who, viewer] = [await member(), await member()];
    const { app, world } = get();
    await world.grant(viewer.job, 1, { "positions.view": { jobs: { [who.job]: 3 } } });
    await send("renaming", [place(who), place(viewer)]);
    const client = await TestClient.signedIn(app.process.hub, await world.tokenOf(viewer));
    await client.subscribe("positions");
    const fields = stateFields(positionsTopic.message);
    const names = () => {
      const entries = client.frames().flatMap((frame) => decodeStateFrame(fields, frame).entries);
      // Only the first frame with a key names it; the others have its number.
      const index = entries.find(({ key }) => key === String(who.characterId))?.index;
      return entries.filter((one) => one.index === index).flatMap(({ fields: { name } }) => (name === undefined ? [] : [name]));
    };
    await expect.poll(names).not.toEqual([]);
    const jobs = [{ name: who.job, grade: 1 }];
    const item = { identifier: who.identifier, firstName: "Zoe", lastName: "Renamed", jobs };
    const { body } = await app.call(syncUsers, { body: { items: [item] } }, token);
    expect(body).toMatchObject({ accepted: 1 });
    await send("renaming", [place(who, { x: 3 })]);
    await expect.poll(() => names().at(-1)).toBe("Zoe Renamed");
    expect((await own(who)).onDuty).toBe(true);
  });

  test("of others are shown to who is on duty in the job that the rights follow, not in a second one", async () => {
    const { app, world } = get();
    const viewer = await member();
    const colleague = { ...(await world.actor({ job: viewer.job, grade: 1 })), job: viewer.job };
    const [row] = await sql("select identifier from citizens where id = ?", [colleague.characterId]);
    const other = { ...colleague, identifier: String(row?.["identifier"]) };
    const second = `second${viewer.job}`;
    await world.job(second);
    const jobs = [
      { name: viewer.job, grade: 1, primary: true },
      { name: second, grade: 0 },
    ];
    const user = { identifier: viewer.identifier, firstName: "Ada", lastName: "Two", jobs };
    await app.call(syncUsers, { body: { items: [user] } }, token);
    await duty("jobs", other, "on");
    await duty("jobs", { ...viewer, job: second }, "on");
    await send("jobs", [place(other, { x: 77 }), place(viewer)]);
    expect(await own(viewer)).toMatchObject({ onDuty: false, known: true });
    const client = await TestClient.signedIn(app.process.hub, await world.tokenOf(viewer));
    await client.subscribe("positions");
    const fields = stateFields(positionsTopic.message);
    const seen = () =>
      client.frames().map((frame) => decodeStateFrame(fields, frame).entries.some(({ fields: one }) => one["x"] === 77));
    await expect.poll(seen).toEqual([false]);
    await duty("jobs", viewer, "on");
    await expect.poll(() => seen().at(-1)).toBe(true);
    const frames = seen().length;
    await duty("jobs", { ...viewer, job: second }, "on");
    // A full frame without places.
    await expect.poll(() => seen().length).toBeGreaterThan(frames);
    await send("jobs", [place(other, { x: 78 })]);
    await expect.poll(async () => await own(viewer)).toMatchObject({ onDuty: false });
    expect(
      client
        .frames()
        .slice(frames)
        .flatMap((frame) => decodeStateFrame(fields, frame).entries),
    ).toEqual([]);
    client.leave();
  });

  test("that are wrong are rejected one by one, with the reason", async () => {
    const who = await member();
    const { accepted, rejected } = await send("wrong", [
      place(who),
      { identifier: "nobody", x: 1, y: 2 },
      { identifier: "no-place" },
      { identifier: "far", x: 1e9, y: 0 },
    ]);
    expect(accepted).toBe(1);
    expect(rejected.map(({ index, message }) => [index, message.split(";")[0]])).toEqual([
      [1, "identifier is not known"],
      [2, "x is missing"],
      [3, expect.stringContaining("x")],
    ]);
  });

  test("write nothing while nobody's duty changes", async () => {
    const who = await member();
    await duty("steady", who, "on");
    await send("steady", [place(who)]);
    const writes = get().writes();
    for (let i = 0; i < 5; i += 1) await send("steady", [place(who, { x: i })]);
    expect(writes.tables().filter((table) => table.startsWith("duty"))).toEqual([]);
  });

  test("a hidden place is on the broker, and in no table: so in no backup and no export", async () => {
    const who = await member();
    const x = 31415.9265;
    await send("hiding", [place(who, { x, hidden: true })]);
    const { latest } = get().app.process.container.ports;
    const kept = async () => (await latest.get(positionsTopic, String(who.characterId)))?.value;
    await expect.poll(kept, { timeout: 5000 }).toMatchObject({ x, hidden: true });
    // The sign of life has reached SQL.
    await expect.poll(async () => (await own(who)).onDuty).toBe(true);
    const rows = await everythingIn(get().app.process.container.db);
    expect(rows.filter((row) => row.includes(who.identifier))).not.toEqual([]);
    expect(rows.filter((row) => row.includes(String(x)))).toEqual([]);
  });
});
