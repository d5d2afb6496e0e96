import { describe, expect, it } from "vitest";
import { fakeServer, openClient, steppedTiming } from "./client.testkit.ts";
import type { SyncClientOptions } from "./client.ts";
import type { PositionsSyncBody } from "./generated/types.ts";

const place = (identifier: string, x = 1) => ({ identifier, x, y: 2 });

async function setUp(options: Partial<SyncClientOptions> = {}, limits?: Parameters<typeof fakeServer>[0]) {
  const server = await fakeServer(limits);
  const time = steppedTiming();
  const opened = openClient({ url: server.url, boot: "boot-1", ...options }, time.timing);
  const bodies = () => server.sends().map(({ body }) => body as unknown as PositionsSyncBody);
  return {
    ...{ server, time, bodies, ...opened },
    /** Of each call, the first values of `x` by character. */
    sent: () =>
      bodies().map(({ items }) => Object.fromEntries(items.map(({ identifier, x, remove }) => [identifier, remove ?? x]))),
    /** Resolves once so many calls of positions were answered. */
    async answered(count: number) {
      await server.calls(count + 1);
      await time.settled();
    },
  };
}

describe("positions", () => {
  it("are sent together, the newest of each, at most so many times a second", async () => {
    const { client, time, answered, sent, bodies } = await setUp({ positionsPerSecond: 2 });
    client.positions.set([place("a"), place("b")]);
    client.positions.set([place("a", 5)]);
    await answered(1);
    expect(sent()).toEqual([{ a: 5, b: 1 }]);
    for (let x = 10; x < 20; x += 1) client.positions.set([place("b", x)]);
    await time.advance(499);
    expect(sent()).toHaveLength(1);
    await time.advance(1);
    await answered(2);
    expect(sent()[1]).toEqual({ b: 19 });
    expect(bodies()[0]).toMatchObject({ source: "city-1", boot: "boot-1" });
    expect(bodies()[1].at).toBeGreaterThan(bodies()[0].at!);
  });

  it("that do not change are repeated as signs of life while they are set, and an empty call says that the source is there", async () => {
    const { client, time, answered, sent } = await setUp();
    client.positions.set([place("a")]);
    await answered(1);
    await time.advance(9000);
    client.positions.set([place("a")]);
    await time.advance(900);
    expect(sent()).toHaveLength(1);
    await time.advance(100);
    client.positions.set([place("a")]);
    await answered(2);
    expect(sent()[1]).toEqual({ a: 1 });
    await time.advance(20_000);
    await answered(3);
    expect(sent()[2]).toEqual({});
  });

  it("are removed, and cleared", async () => {
    const { client, time, answered, sent, bodies } = await setUp();
    client.positions.set([place("old")]);
    client.positions.clear();
    client.positions.set([place("a"), place("b"), place("c")]);
    client.positions.remove(["c"]);
    await answered(1);
    expect(sent()).toEqual([{ c: true, a: 1, b: 1 }]);
    expect(bodies()[0].clear).toBe(true);
    client.positions.remove(["a"]);
    client.positions.set([place("a", 3)]);
    client.positions.remove(["b"]);
    await time.advance(1000);
    await answered(2);
    expect(sent()[1]).toEqual({ b: true, a: 3 });
    expect(bodies()[1].clear).toBeUndefined();
  });

  it("are dropped while the server cannot be reached, and sent whole once it answers again", async () => {
    const { client, time, server, answered, sent, typesOf, bodies } = await setUp();
    client.positions.clear();
    client.positions.set([place("a"), place("b")]);
    await answered(1);
    server.failAlways({ status: 503 });
    client.positions.clear();
    client.positions.set([place("a", 2), place("b", 2), place("c", 2)]);
    await time.advance(1000);
    await answered(2);
    client.positions.remove(["b"]);
    for (let x = 3; x < 8; x += 1) {
      client.positions.set([place("a", x)]);
      await time.advance(2000);
    }
    server.failAlways(null);
    const before = bodies().length;
    await time.advance(10_000);
    await answered(before + 1);
    expect(sent()[before]).toEqual({ b: true, a: 7, c: 2 });
    expect(bodies()[before].clear).toBe(true);
    expect(before).toBeLessThan(8);
    expect(typesOf()).toEqual(["positionsPaused", "positionsResumed"]);
  });

  it("are cut by the limit that the server publishes, and cleared by the first call alone", async () => {
    const limits = { batchItems: 3, bodyBytes: 4000, manifestIds: 1, items: [{ kind: "positions", items: 2 }] };
    const { client, answered, sent, bodies } = await setUp({}, limits);
    client.positions.clear();
    client.positions.set(["a", "b", "c", "d", "e"].map((one) => place(one)));
    await answered(3);
    expect(sent()).toEqual([{ a: 1, b: 1 }, { c: 1, d: 1 }, { e: 1 }]);
    expect(bodies().map(({ clear }) => clear)).toEqual([true, undefined, undefined]);
  });

  it("that the server rejects are reported once until it takes one", async () => {
    const { client, time, answered, events } = await setUp();
    for (let x = 1; x <= 3; x += 1) {
      client.positions.set([place("a", x), place("bad1", x)]);
      await answered(x);
      await time.advance(1000);
    }
    expect(events).toEqual([{ type: "positionsRejected", rejected: [expect.objectContaining({ index: 1, id: "bad1" })] }]);
  });

  it("that the server rejects are forgotten with the place, and reported again when it comes back", async () => {
    const { client, time, answered, events } = await setUp();
    const isGone = [() => client.positions.remove(["bad1"]), () => client.positions.clear()];
    let calls = 0;
    const next = async () => {
      await answered((calls += 1));
      await time.advance(1000);
    };
    for (const remove of isGone) {
      client.positions.set([place("bad1")]);
      await next();
      remove();
      await next();
    }
    client.positions.set([place("bad1")]);
    await next();
    const reported = events.map((event) =>
      event.type === "positionsRejected" ? event.rejected.map(({ id }) => id) : event.type,
    );
    expect(reported).toEqual([["bad1"], ["bad1"], ["bad1"]]);
  });

  it("are cleared once, also when a later call of the same round fails", async () => {
    const limits = { batchItems: 3, bodyBytes: 4000, manifestIds: 1, items: [{ kind: "positions", items: 2 }] };
    const { client, server, time, answered, bodies } = await setUp({}, limits);
    client.positions.clear();
    client.positions.set(["a", "b", "c"].map((one) => place(one)));
    // The first one asks for the limits.
    server.fail(null, null, { status: 503 });
    await answered(2);
    await time.advance(20_000);
    await answered(4);
    expect(bodies().map(({ clear }) => clear)).toEqual([true, undefined, undefined, undefined]);
    expect(
      bodies()
        .slice(2)
        .flatMap(({ items }) => items.map(({ identifier }) => identifier)),
    ).toEqual(["a", "b", "c"]);
  });

  it("of one round are each newer than those before, so that who was cleared is there again", async () => {
    const limits = { batchItems: 3, bodyBytes: 4000, manifestIds: 1, items: [{ kind: "positions", items: 1 }] };
    const { client, answered, bodies } = await setUp({}, limits);
    client.positions.clear();
    client.positions.set([place("a"), place("b"), place("c")]);
    await answered(3);
    const at = bodies().map((body) => body.at!);
    expect(at).toEqual([at[0], at[0] + 1, at[0] + 2]);
  });

  it("carry a clock that stands still when the machine's is set back a little, and follows it when it was far ahead", async () => {
    const { client, time, answered, bodies } = await setUp();
    client.positions.set([place("a")]);
    await answered(1);
    time.setBack(60_000);
    client.positions.set([place("a", 2)]);
    await time.advance(1000);
    await answered(2);
    expect(bodies()[1].at! - bodies()[0].at!).toBe(1);
    time.setBack(3_600_000);
    client.positions.set([place("a", 3)]);
    await time.advance(1000);
    await answered(3);
    expect(bodies()[2].at! - bodies()[0].at!).toBe(2000 - 60_000 - 3_600_000);
  });

  it("end with the client", async () => {
    const { client, time, answered, sent } = await setUp();
    client.positions.set([place("a")]);
    await answered(1);
    await client.close();
    client.positions.set([place("a", 2)]);
    await time.advance(60_000);
    expect(sent()).toHaveLength(1);
  });
});
