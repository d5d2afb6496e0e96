import { expect, test } from "vitest";
import { pollRequests, putReceipts } from "#features/gamerequests/gamerequests.contract.ts";
import { syncPositions } from "#features/positions/positions.contract.ts";
import { testSecrets } from "#testkit/app.ts";
import { describeApps } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { getWaypoint, setWaypoint, waypointLimits } from "./ingame.contract.ts";

const token = { token: testSecrets.sync };
let counter = 0;

describeApps("a waypoint in the game", (get) => {
  async function player(): Promise<TestActor & { identifier: string; source: string }> {
    counter += 1;
    const actor = await get().world.actor();
    const { db } = get().app.process.container;
    const { rows } = await db.exclusive("test.sql", async ({ connection }) => {
      return await connection.execute("select identifier from citizens where id = ?", [actor.characterId]);
    });
    return { ...actor, identifier: String(rows[0]?.["identifier"]), source: `map-${counter}` };
  }
  type Player = Awaited<ReturnType<typeof player>>;
  const appear = async ({ source, identifier }: Player) =>
    await get().app.call(syncPositions, { body: { source, items: [{ identifier, x: 10, y: 20 }] } }, token);
  const poll = async ({ source }: Player) => (await get().app.call(pollRequests, { query: { source } }, token)).output.requests;
  const set = async (who: Player) => await get().app.call(setWaypoint, { body: { target: { x: 100, y: -50.5 } } }, who);
  const state = async (who: Player) => (await get().app.call(getWaypoint, {}, who)).output.waypoint;

  test("is refused while the character is not in the game, and while its game server is not connected", async () => {
    const who = await player();
    expect((await set(who)).body).toMatchObject({ status: 409, code: "ingame.notInGame" });
    await appear(who);
    expect((await set(who)).body).toMatchObject({ code: "ingame.noGameServer", params: { source: who.source } });
    expect(await state(who)).toBeNull();
  });

  test("reaches the game server of the character, and says what became of it", async () => {
    const who = await player();
    await appear(who);
    await poll(who);
    expect((await set(who)).output.waypoint).toMatchObject({ state: "open", endedAt: null });
    const [request] = await poll(who);
    expect(request).toMatchObject({
      kind: "ingame.waypoint",
      payload: { identifier: who.identifier, x: 100, y: -50.5, label: "" },
    });
    expect((await state(who))?.state).toBe("delivered");
    const receipt = { id: request!.id, outcome: "refused", reason: "in a loading screen" } as const;
    await get().app.call(putReceipts, { body: { source: who.source, receipts: [receipt] } }, token);
    expect(await state(who)).toMatchObject({ state: "refused", reason: "in a loading screen" });
  });

  test("replaces one that nobody has fetched", async () => {
    const who = await player();
    await appear(who);
    await poll(who);
    await set(who);
    await get().app.call(setWaypoint, { body: { target: { x: 1, y: 2 } } }, who);
    expect((await poll(who)).map(({ payload }) => payload["x"])).toEqual([1]);
  });

  test("is refused once there were too many at once, before anything is written, and others go on", async () => {
    const [who, other] = [await player(), await player()];
    for (const one of [who, other]) {
      await appear(one);
      await poll(one);
    }
    const { burst } = waypointLimits;
    let writes = get().writes();
    let answer = await set(who);
    let sent = 0;
    // On a slow machine some come back meanwhile.
    while (answer.status === 200 && (sent += 1) < 3 * burst) {
      writes = get().writes();
      answer = await set(who);
    }
    expect(sent).toBeGreaterThanOrEqual(burst);
    expect(answer.body).toMatchObject({
      status: 429,
      code: "system.rateLimited",
      params: { seconds: expect.any(Number) as number },
    });
    expect(writes.tables().filter((table) => table.startsWith("gamerequests") || table.startsWith("audit"))).toEqual([]);
    expect((await set(other)).status).toBe(200);
  });

  test("of a postal that does not exist, or of half a place, is refused", async () => {
    const who = await player();
    await appear(who);
    const { body } = await get().app.call(setWaypoint, { body: { target: { postal: "nowhere" } } }, who);
    expect(body).toMatchObject({ status: 404, code: "ingame.postalUnknown", params: { postal: "nowhere" } });
    expect((await get().app.call(setWaypoint, { body: { target: { x: 1 } } }, who)).status).toBe(400);
  });
});
