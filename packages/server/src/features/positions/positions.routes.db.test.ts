import { describe, expect, test } from "vitest";
import { decodeStateFrame, stateFields } from "#core/contract/index.ts";
import { syncDuty } from "#features/duty/duty.contract.ts";
import { TestClient } from "#infra/realtime/realtime.testkit.ts";
import { testSecrets } from "#testkit/app.ts";
import { everythingIn } from "#testkit/database.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { getOwnPlace, ownPlaceTopic, positionsTopic, syncPositions, type SyncPosition } from "./positions.contract.ts";

const token = { token: testSecrets.sync };
let counter = 0;

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
    return (await get().app.call(syncPositions, { body: { source, items: items as SyncPosition[], ...more } }, token)).body as {
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
