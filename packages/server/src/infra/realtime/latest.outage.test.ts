import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Broker } from "#core/ports/index.ts";
import { createTestClock, type TestClock } from "#testkit/clock.ts";
import { Collector, natsHarness, natsServerInstalled, PrivateNats, text, whenState } from "../broker/broker.testkit.ts";
import { eventStream } from "../outbox/wire.ts";
import type { RealtimeHub } from "./hub.ts";
import { createLatestValues } from "./latest.ts";
import {
  connections,
  crewBindings,
  crews,
  everSeen,
  latestBrokers,
  seen,
  store,
  stored,
  TestConnection,
} from "./latest.testkit.ts";
import { TestClient, World } from "./realtime.testkit.ts";

const world = new World("ann");

async function hubOn(broker: Broker, clock: TestClock): Promise<RealtimeHub> {
  await broker.ensureStream(eventStream);
  return await world.hub(broker, clock, { bindings: crewBindings });
}

async function viewerOf(hub: RealtimeHub): Promise<TestClient> {
  const client = await TestClient.signedIn(hub, "ann");
  await client.subscribe("crews");
  return client;
}

/** Lets time pass until it is so. */
async function eventually(clock: TestClock, read: () => unknown, expected: unknown): Promise<void> {
  await expect
    .poll(async () => {
      await clock.advance(50);
      return await read();
    })
    .toEqual(expected);
}

describe.each(latestBrokers)("latest values after an interruption of $name", (kind) => {
  let broker: ReturnType<typeof connections>;
  let clock: TestClock;
  let process: TestConnection;
  let hub: RealtimeHub;
  let viewer: TestClient;
  /** The connection of `process`, without its interruptions. */
  let own: Broker;
  let other: Broker;
  const hubs: RealtimeHub[] = [];
  beforeEach(async () => {
    broker = connections(kind);
    clock = createTestClock();
    own = await broker.connect();
    process = new TestConnection(own);
    other = await broker.connect();
    hub = await hubOn(process.broker, clock);
    hubs.push(hub);
    viewer = await viewerOf(hub);
  });
  afterEach(async () => {
    await Promise.all(hubs.splice(0).map(async (one) => await one.close()));
    await broker.dispose();
  });

  it("are written and reach the others when the broker is back", async () => {
    const second = await hubOn(other, clock);
    hubs.push(second);
    const elsewhere = await viewerOf(second);
    hub.state.publish(crews, "before", { x: 1 });
    await eventually(clock, async () => await stored(other), { before: 1 });
    process.writes.length = 0;
    process.up = false;
    hub.state.publish(crews, "before", null);
    hub.state.publish(crews, "during", { x: 2 });
    await clock.advance(5000);
    expect(seen(viewer)).toEqual({ during: 2 });
    expect(process.writes).toEqual([]);
    process.up = true;
    await eventually(clock, async () => await stored(other), { during: 2 });
    await eventually(clock, () => seen(elsewhere), { during: 2 });
  });

  it("are read and written when the broker answers at last", async () => {
    process.up = false;
    await store(other, "there", 1, clock.now());
    process.failures = 3;
    process.up = true;
    hub.state.publish(crews, "here", { x: 2 });
    await eventually(clock, () => seen(viewer), { there: 1, here: 2 });
    await eventually(clock, async () => await stored(other), { there: 1, here: 2 });
    expect(process.failures).toBeLessThan(0);
  });

  it("are the newest of memory and bucket", async () => {
    hub.state.publish(crews, "newerHere", { x: 5 });
    hub.state.publish(crews, "newerThere", { x: 5 });
    await eventually(clock, async () => await stored(other), { newerHere: 5, newerThere: 5 });
    process.up = false;
    await store(other, "newerHere", 1, clock.now() - 5000);
    await store(other, "newerThere", 9, clock.now() + 1);
    await store(other, "tooOld", 1, clock.now() - crews.maxAgeMs);
    process.up = true;
    await eventually(clock, () => seen(viewer), { newerHere: 5, newerThere: 9 });
    await eventually(clock, async () => await stored(other), { newerHere: 5, newerThere: 9, tooOld: 1 });
    expect(everSeen(viewer, "newerHere")).not.toContain(1);
  });

  it("stay deleted, also those that this process published before another one deleted them", async () => {
    const deleting = new TestConnection(other);
    const second = await hubOn(deleting.broker, clock);
    hubs.push(second);
    const elsewhere = await viewerOf(second);
    hub.state.publish(crews, "c1", { x: 1 });
    await eventually(clock, async () => [seen(elsewhere), await stored(other)], [{ c1: 1 }, { c1: 1 }]);
    process.up = false;
    process.writes.length = 0;
    second.state.publish(crews, "c1", null);
    await eventually(clock, async () => await stored(other), {});
    await clock.advance(5000);
    expect(seen(viewer)).toEqual({ c1: 1 });
    const release = deleting.hold();
    process.up = true;
    hub.state.publish(crews, "after", { x: 2 });
    await eventually(clock, async () => await stored(other), { after: 2 });
    expect(process.writes).toEqual(["put _after"]);
    release();
    await eventually(clock, () => seen(viewer), { after: 2 });
  });

  it("stay deleted when the deletion is received after this process wrote the value", async () => {
    const deleting = new TestConnection(other);
    const second = await hubOn(deleting.broker, clock);
    hubs.push(second);
    process.up = false;
    hub.state.publish(crews, "c1", { x: 1 });
    await clock.advance(1000);
    second.state.publish(crews, "c1", null);
    const delivered = new Collector<string>();
    own.subscribe("state.>", ({ data }) => delivered.add(text(data) ?? ""));
    // An answer means that the subscription is in place.
    await stored(own);
    await eventually(clock, () => [deleting.writes, delivered.items.length], [["delete _c1"], 1]);
    const release = deleting.hold();
    process.up = true;
    await eventually(clock, async () => await stored(other), { c1: 1 });
    release();
    await eventually(clock, async () => [await stored(other), seen(viewer)], [{}, {}]);
  });

  it("are those of the last of two processes that publish the same key", async () => {
    const later = createTestClock(clock.now() + 1);
    const second = await hubOn(other, later);
    hubs.push(second);
    let arrived = () => {};
    process.broker.subscribe("test-echo", () => arrived());
    await stored(own);
    // Arrives after everything that the other process sent before.
    const received = async () => {
      const echo = new Promise<void>((resolve) => (arrived = resolve));
      await other.publish("test-echo", new Uint8Array());
      await echo;
    };
    hub.state.publish(crews, "c1", { x: 2 });
    second.state.publish(crews, "c1", { x: 3 });
    await eventually(later, async () => await stored(other), { c1: 3 });
    await received();
    hub.state.publish(crews, "c2", { x: 2 });
    await eventually(clock, async () => await stored(other), { c1: 3, c2: 2 });
    expect(process.writes).toEqual(["put _c2"]);

    const release = process.hold();
    hub.state.publish(crews, "c1", { x: 4 });
    await eventually(clock, () => process.writes, ["put _c2", "put _c1"]);
    second.state.publish(crews, "c1", { x: 5 });
    await eventually(later, async () => await stored(other), { c1: 5, c2: 2 });
    await received();
    release();
    await eventually(clock, () => process.writes, ["put _c2", "put _c1", "put _c1"]);
    await eventually(clock, async () => await stored(other), { c1: 5, c2: 2 });
  });

  it("are not brought back by a value that arrives late", async () => {
    hub.state.publish(crews, "c1", { x: 1 });
    await eventually(clock, async () => await stored(other), { c1: 1 });
    const at = clock.now();
    hub.state.publish(crews, "c1", null);
    await eventually(clock, async () => await stored(other), {});
    process.up = false;
    await store(other, "c1", 1, at - 1);
    process.up = true;
    await eventually(clock, async () => await stored(other), {});
    expect(seen(viewer)).toEqual({});
  });
});

describe.skipIf(!natsServerInstalled())("latest values on a NATS server that fails", { timeout: 30_000 }, () => {
  let nats: PrivateNats;
  let harness: ReturnType<typeof natsHarness>;
  let clock: TestClock;
  const hubs: RealtimeHub[] = [];
  beforeEach(async () => {
    nats = await PrivateNats.start();
    harness = natsHarness(nats.address);
    clock = createTestClock();
  });
  afterEach(async () => {
    await Promise.all(hubs.splice(0).map(async (hub) => await hub.close()));
    await harness.dispose();
    await nats.dispose();
  });

  async function started(): Promise<{ hub: RealtimeHub; broker: Broker }> {
    const broker = await harness.open();
    const hub = await hubOn(broker, clock);
    hubs.push(hub);
    return { hub, broker };
  }

  it("are there after a restart of the server, with what was published meanwhile", async () => {
    const { hub, broker } = await started();
    hub.state.publish(crews, "before", { x: 1 });
    await eventually(clock, async () => await stored(broker), { before: 1 });
    await nats.kill();
    await whenState(broker, false);
    hub.state.publish(crews, "during", { x: 2 });
    await clock.advance(2000);
    await nats.run();
    await whenState(broker, true);
    const latest = createLatestValues({ broker, clock });
    const keys = async () => (await latest.list(crews).catch(() => [])).map(({ key }) => key);
    await eventually(clock, keys, ["before", "during"]);
  });

  it("are written again when the server lost them, also those of a process that ended", async () => {
    const [ended, { hub, broker }] = [await started(), await started()];
    const viewer = await viewerOf(hub);
    ended.hub.state.publish(crews, "parked", { x: 1 });
    hub.state.publish(crews, "own", { x: 2 });
    hub.state.publish(crews, "deleted", { x: 3 });
    await eventually(clock, () => seen(viewer), { parked: 1, own: 2, deleted: 3 });
    hub.state.publish(crews, "deleted", null);
    await eventually(clock, async () => await stored(broker), { parked: 1, own: 2 });
    await ended.hub.close();
    await ended.broker.close();
    await nats.kill();
    nats.wipe();
    await nats.run();
    await whenState(broker, true);
    await eventually(clock, async () => await stored(broker).catch(() => null), { parked: 1, own: 2 });
    await hub.close();
    expect(seen(await viewerOf((await started()).hub))).toEqual({ parked: 1, own: 2 });
  });
});
