import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defineTopic } from "#core/contract/index.ts";
import { BrokerUnavailable, type Broker, type Clock } from "#core/ports/index.ts";
import { createTestClock, type TestClock } from "#testkit/clock.ts";
import { systemClock } from "../clock.ts";
import { eventStream } from "../outbox/wire.ts";
import type { RealtimeHub } from "./hub.ts";
import { createLatestValues, openLatest } from "./latest.ts";
import {
  agesIn,
  bindingOf,
  connections,
  TestConnection,
  crewBindings,
  crews,
  latestBrokers,
  seen,
  stored,
} from "./latest.testkit.ts";
import { TestClient, World } from "./realtime.testkit.ts";

describe.each(latestBrokers)("latest values over $name", (kind) => {
  let broker: ReturnType<typeof connections>;
  let world: World;
  let clock: TestClock;
  let hubs: RealtimeHub[];
  beforeEach(() => {
    broker = connections(kind);
    world = new World("ann");
    clock = createTestClock();
    hubs = [];
  });
  afterEach(async () => {
    await Promise.all(hubs.map(async (hub) => await hub.close()));
    await broker.dispose();
  });

  async function start(on?: Broker, change: { clock?: Clock; bindings?: typeof crewBindings } = {}): Promise<RealtimeHub> {
    const own = on ?? (await broker.connect());
    await own.ensureStream(eventStream);
    const hub = await world.hub(own, change.clock ?? clock, { bindings: change.bindings ?? crewBindings });
    hubs.push(hub);
    return hub;
  }
  async function viewerOf(hub: RealtimeHub): Promise<TestClient> {
    const client = await TestClient.signedIn(hub, "ann");
    await client.subscribe("crews");
    return client;
  }
  /** Lets time pass until it is so. */
  async function eventually(read: () => unknown, expected: unknown): Promise<void> {
    await expect
      .poll(async () => {
        await clock.advance(50);
        return await read();
      })
      .toEqual(expected);
  }

  it("are sent to a newcomer with their age after their publisher ended", async () => {
    const publisher = await start();
    publisher.state.publish(crews, "c1", { x: 1 });
    await clock.advance(2000);
    publisher.state.publish(crews, "c2", { x: 2 });
    await publisher.close();
    await clock.advance(3000);
    const viewer = await viewerOf(await start());
    expect(seen(viewer)).toEqual({ c1: 1, c2: 2 });
    expect(agesIn(viewer)).toEqual({ c1: 5000, c2: 3000 });
  });

  it("are sent to the viewers of a process whose publisher ended", async () => {
    const [publisher, other] = [await start(), await start()];
    publisher.state.publish(crews, "c1", { x: 1 });
    const early = await viewerOf(other);
    await eventually(() => seen(early), { c1: 1 });
    await publisher.close();
    expect(seen(await viewerOf(other))).toEqual({ c1: 1 });
  });

  it("can be read without a hub, one or all that begin alike", async () => {
    const latest = createLatestValues({ broker: await broker.connect(), clock });
    expect(await latest.list(crews)).toEqual([]);
    const publisher = await start();
    for (const [i, key] of ["b/1", "a/2", "a/1", ""].entries()) publisher.state.publish(crews, key, { x: i });
    await eventually(async () => (await latest.list(crews)).map(({ key }) => key), ["", "a/1", "a/2", "b/1"]);
    const of = (key: string, x: number) => ({ key, value: { x }, ageMs: expect.any(Number) });
    expect(await latest.list(crews, "a/")).toEqual([of("a/1", 2), of("a/2", 1)]);
    expect(await latest.get(crews, "b/1")).toEqual(of("b/1", 0));
    expect(await latest.get(crews, "b")).toBeNull();
    publisher.state.publish(crews, "b/1", null);
    await eventually(async () => await latest.get(crews, "b/1"), null);
    const cut = new TestConnection(await broker.connect());
    cut.up = false;
    await expect(createLatestValues({ broker: cut.broker, clock }).list(crews)).rejects.toThrow(BrokerUnavailable);
  });

  it("are forgotten exactly at their age, by readers, viewers and newcomers", async () => {
    const own = await broker.connect();
    const latest = createLatestValues({ broker: own, clock });
    const publisher = await start();
    publisher.state.publish(crews, "c1", { x: 1 });
    await publisher.close();
    await clock.advance(crews.maxAgeMs - 1);
    expect(await latest.get(crews, "c1")).toMatchObject({ ageMs: crews.maxAgeMs - 1 });
    const hub = await start();
    const viewer = await viewerOf(hub);
    expect(seen(viewer)).toEqual({ c1: 1 });
    await clock.advance(1);
    expect([await latest.get(crews, "c1"), await latest.list(crews)]).toEqual([null, []]);
    expect(seen(await viewerOf(await start()))).toEqual({});
    await clock.advance(1000 / crews.rate);
    expect(seen(viewer)).toEqual({});
    // The broker keeps it for as long as that from its last write, by its own clock.
    expect(await stored(own)).toEqual({ c1: 1 });
  });

  it("leave the broker after their age, and stay while they are renewed", async () => {
    const brief = defineTopic({ ...crews, name: "brief", maxAgeMs: 400, rate: 50 });
    const own = await broker.connect();
    const publisher = await start(own, { clock: systemClock, bindings: [bindingOf(brief)] });
    const latest = createLatestValues({ broker: own, clock: systemClock });
    const keys = async () => (await latest.list(brief)).map(({ key }) => key);
    publisher.state.publish(brief, "once", { x: 1 });
    publisher.state.publish(brief, "renewed", { x: 1 });
    await expect.poll(keys).toContain("once");
    await expect
      .poll(async () => {
        publisher.state.publish(brief, "renewed", { x: 2 });
        return (await (await openLatest(own, brief)).entries()).entries.map(({ key }) => key);
      })
      .toEqual(["_renewed"]);
    await expect.poll(async () => (await (await openLatest(own, brief)).entries()).entries).toEqual([]);
  });

  it("are written less often where the topic says so, but at once when that decides who sees them, and at the end", async () => {
    const rare = defineTopic({ ...crews, name: "rare", keepEveryMs: 10_000 });
    const binding = bindingOf(rare);
    const aspectOf = (data: unknown) => String(data !== null && (data as { x: number }).x < 0);
    const bindings = [{ ...binding, ownValues: { characterOf: () => 7, aspectOf } }];
    const own = await broker.connect();
    const publisher = await start(own, { bindings });
    const latest = createLatestValues({ broker: own, clock });
    const kept = async () => (await latest.get(rare, "m"))?.value.x ?? null;
    publisher.state.publish(rare, "m", { x: 0 });
    await eventually(kept, 0);
    for (let x = 1; x <= 20; x += 1) {
      publisher.state.publish(rare, "m", { x });
      await clock.advance(250);
      expect(await kept()).toBe(0);
    }
    publisher.state.publish(rare, "m", { x: -1 });
    await clock.advance(300);
    await expect.poll(kept).toBe(-1);
    publisher.state.publish(rare, "m", { x: -2 });
    await clock.advance(5000);
    expect(await kept()).toBe(-1);
    await clock.advance(6000);
    await eventually(kept, -2);
    publisher.state.publish(rare, "m", { x: -3 });
    publisher.state.publish(rare, "m", null);
    await eventually(kept, null);
    publisher.state.publish(rare, "m", { x: -4 });
    publisher.state.publish(rare, "m", { x: -5 });
    await publisher.close();
    expect(await kept()).toBe(-5);
  });

  it("are written at most at the rate of the topic, however often they are published", async () => {
    const process = new TestConnection(await broker.connect());
    const publisher = await start(process.broker);
    const movers = Array.from({ length: 300 }, (_, i) => `m${i}`);
    const publishAll = (x: number) => movers.forEach((key) => publisher.state.publish(crews, key, { x }));
    publishAll(0);
    await eventually(() => process.writes.length, movers.length);
    await eventually(async () => Object.keys(await stored(process.broker)).length, movers.length);
    await clock.advance(1000);
    process.writes.length = 0;
    const latest = createLatestValues({ broker: process.broker, clock });
    for (let x = 1; x <= 100; x++) {
      publishAll(x);
      await clock.advance(10);
      // Answered after what was written before.
      await latest.get(crews, "m0");
    }
    const written = new Map<string, number>();
    for (const write of process.writes) written.set(write, (written.get(write) ?? 0) + 1);
    expect(Math.max(...written.values())).toBeLessThanOrEqual(crews.rate + 1);
    await eventually(async () => [...new Set(Object.values(await stored(process.broker)))], [100]);
    await clock.advance(1000);
    // Nothing changed, so nothing is written; and a burst waits for its turn.
    const before = process.writes.length;
    await clock.advance(10_000);
    for (let x = 101; x <= 120; x++) publishAll(x);
    expect(process.writes.length).toBe(before);
    await eventually(() => process.writes.length, before + movers.length);
    expect(process.writes.every((write) => write.startsWith("put "))).toBe(true);
  });

  it("stay deleted, for newcomers and readers", async () => {
    const own = await broker.connect();
    const publisher = await start(own);
    publisher.state.publish(crews, "kept", { x: 1 });
    publisher.state.publish(crews, "gone", { x: 1 });
    publisher.state.publish(crews, "brief", { x: 1 });
    publisher.state.publish(crews, "brief", null);
    await eventually(async () => await stored(own), { kept: 1, gone: 1 });
    publisher.state.publish(crews, "gone", null);
    await publisher.close();
    expect(await stored(own)).toEqual({ kept: 1 });
    expect(seen(await viewerOf(await start()))).toEqual({ kept: 1 });
  });

  it("refuse two topics that would share a bucket", async () => {
    const bindings = ["crews.east", "crews/:east"].map((name) => bindingOf(defineTopic({ ...crews, name })));
    await expect(start(undefined, { bindings })).rejects.toThrow(
      "the topics crews.east and crews/:east would share the bucket LATEST_crews-east",
    );
  });

  it("are those of one installation", async () => {
    if (kind.name !== "nats") return;
    const neighbour = connections(kind);
    try {
      const publisher = await start();
      publisher.state.publish(crews, "c1", { x: 1 });
      await publisher.close();
      const other = await neighbour.connect();
      expect(await createLatestValues({ broker: other, clock }).list(crews)).toEqual([]);
      const hub = await start(other);
      expect(seen(await viewerOf(hub))).toEqual({});
      hub.state.publish(crews, "c1", null);
      await hub.close();
      expect(await stored(await broker.connect())).toEqual({ c1: 1 });
    } finally {
      await neighbour.dispose();
    }
  });
});
