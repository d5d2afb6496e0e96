import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { channelOf, decodeStateFrame, defineTopic, stateFields, StateTable } from "#core/contract/index.ts";
import type { Broker } from "#core/ports/index.ts";
import { createTestClock } from "#testkit/clock.ts";
import { Collector, embeddedHarness, type Harness, natsHarness, natsReachable, text } from "../broker/broker.testkit.ts";
import { eventStream } from "../outbox/wire.ts";
import type { RealtimeHub, RealtimeOptions } from "./hub.ts";
import { editors, TestClient, units, withStream, World } from "./realtime.testkit.ts";

const fields = stateFields(units.message);
const hasNats = await natsReachable();

/** The table that a client builds from its frames. */
function tableOf(client: TestClient, frames = client.frames(), of = fields): Record<string, unknown> {
  const table = new StateTable(of);
  for (const frame of frames) table.apply(frame);
  return Object.fromEntries([...table.values].map(([key, { value }]) => [key, value]));
}

describe("realtime states", { timeout: 20_000 }, () => {
  let harness: Harness;
  let broker: Broker;
  let world: World;
  let clock: ReturnType<typeof createTestClock>;
  const hubs: RealtimeHub[] = [];
  beforeEach(async () => {
    harness = embeddedHarness();
    broker = await withStream(await harness.open());
    world = new World("ann", "bob");
    world.add("medic", { job: "ambulance" });
    clock = createTestClock();
  });
  afterEach(async () => {
    await Promise.all(hubs.splice(0).map((h) => h.close()));
    await harness.dispose();
  });
  async function hub(change: Partial<RealtimeOptions> = {}, on = broker): Promise<RealtimeHub> {
    const made = await world.hub(on, clock, change);
    hubs.push(made);
    return made;
  }
  /** A hub, and when values of other processes have reached it. */
  async function observedHub(on: Broker) {
    const keys = new Collector<string>();
    const subscribe: Broker["subscribe"] = (subject, handle) =>
      on.subscribe(subject, (message) => {
        handle(message);
        const { entries = [] } = JSON.parse(text(message.data) ?? "{}") as { entries?: [key: string][] };
        for (const [key] of entries) keys.add(key);
      });
    const observed = new Proxy(on, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        return name === "subscribe" ? subscribe : typeof member === "function" ? member.bind(target) : member;
      },
    });
    const made = await hub({}, observed);
    // The server handles a connection's requests in order: an answer means that the subscriptions are in place.
    await on.streamInfo(eventStream.name);
    return { hub: made, received: async (key: string) => await keys.until((all) => all.includes(key)) };
  }
  const at = (x: number, job = "police", name?: string) => ({ x, y: 0, job, ...(name ? { name } : {}) });

  it("start with all values, then send changes", async () => {
    const made = await hub();
    made.state.publish(units, "u1", at(1));
    made.state.publish(units, "u2", at(2));
    const client = await TestClient.signedIn(made, "ann");
    const subscribed = await client.subscribe("units");
    expect(subscribed).toMatchObject({ mode: "state", channel: expect.any(Number) });
    expect(tableOf(client)).toEqual({ u1: at(1), u2: at(2) });
    made.state.publish(units, "u1", at(1.5));
    made.state.publish(units, "u2", null);
    await clock.advance(250);
    expect(client.frames()).toHaveLength(2);
    const delta = decodeStateFrame(fields, client.frames()[1] ?? new Uint8Array());
    expect(delta).toMatchObject({
      full: false,
      channel: subscribed?.channel,
      entries: [{ key: null, fields: { x: 1.5 } }],
      removed: [1],
    });
    expect(Object.keys(delta.entries[0]?.fields ?? {})).toEqual(["x"]);
    expect(tableOf(client)).toEqual({ u1: at(1.5) });
  });

  it("send the latest value at their rate, however often it is published", async () => {
    const made = await hub();
    const client = await TestClient.signedIn(made, "ann");
    await client.subscribe("units");
    for (let i = 0; i < 100; i++) {
      made.state.publish(units, "u1", at(i));
      await clock.advance(10);
    }
    // The full frame, the first change at once, and four in the second after it.
    expect(client.frames().length).toBeLessThanOrEqual(1 + 1 + 4);
    expect(client.frames().length).toBeGreaterThanOrEqual(1 + 1 + 3);
    await clock.advance(250);
    expect(tableOf(client)).toEqual({ u1: at(99) });
  });

  it("follow the rate of a topic, and send nothing without a change", async () => {
    const slow = defineTopic({ ...units, rate: 1 });
    const made = await hub({ bindings: [{ topic: slow, authorize: async () => ({ class: "", view: (data) => data }) }] });
    const client = await TestClient.signedIn(made, "ann");
    await client.subscribe("units");
    made.state.publish(units, "u1", at(1));
    await clock.advance(1);
    expect(client.frames()).toHaveLength(2);
    made.state.publish(units, "u1", at(2));
    await clock.advance(900);
    expect(client.frames()).toHaveLength(2);
    await clock.advance(200);
    expect(client.frames()).toHaveLength(3);
    await clock.advance(30_000);
    expect(client.frames()).toHaveLength(3);
    made.state.publish(units, "u1", at(3));
    await clock.advance(1);
    expect(client.frames()).toHaveLength(4);
  });

  it("show each class of viewers its own values, with one frame for the whole class", async () => {
    const made = await hub();
    const [ann, bob, medic] = [
      await TestClient.signedIn(made, "ann"),
      await TestClient.signedIn(made, "bob"),
      await TestClient.signedIn(made, "medic"),
    ];
    const channels = [];
    for (const c of [ann, bob, medic]) channels.push((await c.subscribe("units"))?.channel);
    expect(channels[0]).toBe(channels[1]);
    expect(channels[2]).not.toBe(channels[0]);
    made.state.publish(units, "u1", at(1, "undercover", "Serpico"));
    made.state.publish(units, "u2", at(2, "police", "Pat"));
    await clock.advance(250);
    expect(tableOf(ann)).toEqual({ u1: at(1, "undercover", "Serpico"), u2: at(2, "police", "Pat") });
    expect(ann.frames()[1]).toEqual(bob.frames()[1]);
    expect(tableOf(medic)).toEqual({ u2: at(2, "police") });
    expect(Buffer.concat(medic.frames()).includes("Serpico")).toBe(false);
    made.state.publish(units, "u2", at(2, "undercover", "Pat"));
    await clock.advance(250);
    expect(tableOf(medic)).toEqual({});
  });

  it("drop frames for slow readers, and send a full one later", async () => {
    const made = await hub();
    const [slow, fast] = [await TestClient.signedIn(made, "ann"), await TestClient.signedIn(made, "bob")];
    for (const c of [slow, fast]) await c.subscribe("units");
    made.state.publish(units, "u1", at(1));
    await clock.advance(250);
    slow.backlog = made.limits.stateBacklogBytes + 1;
    for (let i = 2; i < 6; i++) {
      made.state.publish(units, `u${i}`, at(i));
      await clock.advance(250);
    }
    expect(slow.frames()).toHaveLength(2);
    expect(slow.closed).toBeNull();
    slow.backlog = 0;
    await clock.advance(250);
    expect(decodeStateFrame(fields, slow.frames().at(-1) ?? new Uint8Array()).full).toBe(true);
    expect(tableOf(slow)).toEqual(tableOf(fast));
    made.state.publish(units, "u9", at(9));
    await clock.advance(250);
    expect(tableOf(slow)).toEqual(tableOf(fast));
  });

  it("send a viewer of one object only that object", async () => {
    const made = await hub();
    made.state.publish(editors, "doc1/ann", { name: "Ann" });
    made.state.publish(editors, "doc10/eve", { name: "Eve" });
    const client = await TestClient.signedIn(made, "ann");
    await client.subscribe("editors/doc1");
    made.state.publish(editors, "doc1/bob", { name: "Bob" });
    made.state.publish(editors, "doc2/carl", { name: "Carl" });
    await clock.advance(250);
    expect(tableOf(client, client.frames(), stateFields(editors.message))).toEqual({
      "doc1/ann": { name: "Ann" },
      "doc1/bob": { name: "Bob" },
    });
  });

  it("move a viewer to another channel when the rights change", async () => {
    const made = await hub();
    made.state.publish(units, "u1", at(1, "undercover", "Serpico"));
    const client = await TestClient.signedIn(made, "ann");
    const before = await client.subscribe("units");
    world.add("ann", { job: "ambulance", account: 1 });
    await made.sessions.rightsChanged("test", () => true);
    const after = client.of("subscribed").at(-1);
    expect(after?.channel).not.toBe(before?.channel);
    const own = client.frames().filter((f) => channelOf(f) === after?.channel);
    expect(own).toHaveLength(1);
    expect(tableOf(client, own)).toEqual({});
  });

  it("continue on their channel after a check that changes nothing, with one full frame for those that were missed", async () => {
    const gate = Promise.withResolvers<void>();
    const refreshing = Promise.withResolvers<void>();
    const made = await hub({
      refresh: async (viewer) => {
        refreshing.resolve();
        await gate.promise;
        return world.viewer(viewer.username);
      },
    });
    const [client, witness] = [await TestClient.signedIn(made, "ann"), await TestClient.signedIn(made, "bob")];
    for (const c of [client, witness]) await c.subscribe("units");
    made.state.publish(units, "u1", at(1));
    await clock.advance(250);
    const checked = made.sessions.rightsChanged("test", ({ username }) => username === "ann");
    await refreshing.promise;
    made.state.publish(units, "u1", at(2));
    await clock.advance(250);
    made.state.publish(units, "u2", at(3));
    await clock.advance(250);
    expect([client, witness].map((c) => c.frames().length)).toEqual([2, 4]);
    gate.resolve();
    await checked;
    await clock.advance(250);
    made.state.publish(units, "u1", at(4));
    await clock.advance(250);
    expect(client.frames().at(-1)).toEqual(witness.frames().at(-1));
    expect(tableOf(client)).toEqual({ u1: at(4), u2: at(3) });
    expect(client.frames().map((frame) => decodeStateFrame(fields, frame).full)).toEqual([true, false, true, false]);
    expect(client.of("subscribed")).toHaveLength(1);
  });

  it("continue without a frame after a check during which nothing changed", async () => {
    const made = await hub();
    const client = await TestClient.signedIn(made, "ann");
    await client.subscribe("units");
    await made.sessions.rightsChanged("test", () => true);
    await clock.advance(250);
    made.state.publish(units, "u1", at(1));
    await clock.advance(250);
    expect(client.frames().map((frame) => decodeStateFrame(fields, frame).full)).toEqual([true, false]);
  });

  it("send nothing after a check that was hidden while it ran", async () => {
    const gate = Promise.withResolvers<void>();
    const made = await hub({
      refresh: async (viewer) => {
        await gate.promise;
        return world.viewer(viewer.username);
      },
    });
    const medic = await TestClient.signedIn(made, "medic");
    await medic.subscribe("units");
    const checked = made.sessions.rightsChanged("test", () => true);
    made.state.publish(units, "u1", at(77, "police"));
    await clock.advance(250);
    made.state.publish(units, "u1", at(77, "undercover"));
    await clock.advance(250);
    gate.resolve();
    await checked;
    await clock.advance(250);
    expect(Buffer.concat(medic.frames()).includes("u1")).toBe(false);
    expect(tableOf(medic)).toEqual({});
  });

  it("send nothing by the rights of a check that another one has overtaken", async () => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const begun = Promise.withResolvers<void>();
    let count = 0;
    const made = await hub({
      // Reads at once, and answers late.
      refresh: async (viewer) => {
        const read = world.viewer(viewer.username);
        begun.resolve();
        await gates[count++]?.promise;
        return read;
      },
    });
    const medic = await TestClient.signedIn(made, "medic");
    await medic.subscribe("units");
    made.state.publish(units, "u1", at(77, "undercover"));
    await clock.advance(250);
    world.add("medic", { job: "police" });
    const first = made.sessions.rightsChanged("test", () => true);
    await begun.promise;
    world.add("medic", { job: "ambulance" });
    const second = made.sessions.rightsChanged("test", () => true);
    gates[0]?.resolve();
    await first;
    made.state.publish(units, "u2", at(78, "undercover"));
    await clock.advance(250);
    gates[1]?.resolve();
    await second;
    await clock.advance(250);
    expect(medic.frames().flatMap((frame) => decodeStateFrame(fields, frame).entries)).toEqual([]);
  });

  it("send nothing of what waited during a check to a viewer of another class", async () => {
    const gate = Promise.withResolvers<void>();
    const made = await hub({
      refresh: async (viewer) => {
        await gate.promise;
        return world.viewer(viewer.username);
      },
    });
    const client = await TestClient.signedIn(made, "ann");
    await client.subscribe("units");
    world.add("ann", { job: "ambulance", account: 1 });
    const checked = made.sessions.rightsChanged("test", () => true);
    made.state.publish(units, "u1", at(1, "undercover", "Serpico"));
    await clock.advance(250);
    client.send({ type: "subscribe", topic: "editors/doc1" });
    gate.resolve();
    await checked;
    await client.received.until(() => client.of("subscribed").length === 3);
    made.state.publish(units, "u2", at(2));
    await clock.advance(250);
    expect(Buffer.concat(client.frames()).includes("Serpico")).toBe(false);
    const channel = client.of("subscribed").find((m, i) => i > 0 && m.topic === "units")?.channel;
    const own = client.frames().filter((frame) => channelOf(frame) === channel);
    expect(own.map((frame) => decodeStateFrame(fields, frame).full)).toEqual([true, false]);
    expect(tableOf(client, own)).toEqual({ u2: at(2) });
  });

  it("catch up with a full frame when the reader is slow after a check", async () => {
    const gate = Promise.withResolvers<void>();
    const made = await hub({
      refresh: async (viewer) => {
        await gate.promise;
        return world.viewer(viewer.username);
      },
    });
    const client = await TestClient.signedIn(made, "ann");
    await client.subscribe("units");
    const checked = made.sessions.rightsChanged("test", () => true);
    made.state.publish(units, "u1", at(1));
    await clock.advance(250);
    client.backlog = made.limits.stateBacklogBytes + 1;
    gate.resolve();
    await checked;
    client.backlog = 0;
    await clock.advance(250);
    expect(tableOf(client)).toEqual({ u1: at(1) });
  });

  it("carry the age of a value, and drop one that is not renewed", async () => {
    const made = await hub();
    made.state.publish(units, "u1", at(1));
    await clock.advance(3000);
    const client = await TestClient.signedIn(made, "ann");
    await client.subscribe("units");
    const table = new StateTable(fields);
    table.apply(client.frames()[0] ?? new Uint8Array());
    expect(clock.now() - (table.values.get("u1")?.at ?? 0)).toBe(3000);
    const alive = async (ms: number) => {
      for (const end = clock.now() + ms; clock.now() < end;) {
        client.send({ type: "pong" });
        await clock.advance(Math.min(30_000, end - clock.now()));
      }
    };
    await alive(units.maxAgeMs - 3000 - 1);
    expect(tableOf(client)).toEqual({ u1: at(1) });
    await alive(1 + 1000 / units.rate);
    expect(tableOf(client)).toEqual({});
  });

  it.skipIf(!hasNats)("are the same in every process, including one that starts late", async () => {
    const nats = natsHarness();
    try {
      const [one, two] = [await observedHub(await withStream(await nats.open())), await observedHub(await nats.open())];
      const [a, b] = [await TestClient.signedIn(one.hub, "ann"), await TestClient.signedIn(two.hub, "ann")];
      for (const c of [a, b]) await c.subscribe("units");
      one.hub.state.publish(units, "u1", at(1));
      two.hub.state.publish(units, "u2", at(2));
      await clock.advance(50);
      await Promise.all([one.received("u2"), two.received("u1")]);
      await clock.advance(250);
      const expected = { u1: at(1), u2: at(2) };
      expect([tableOf(a), tableOf(b)]).toEqual([expected, expected]);
      const three = await observedHub(await nats.open());
      const late = await TestClient.signedIn(three.hub, "ann");
      await late.subscribe("units");
      await Promise.all([three.received("u1"), three.received("u2")]);
      await clock.advance(250);
      expect(tableOf(late)).toEqual(expected);
    } finally {
      await Promise.all(hubs.splice(0).map((h) => h.close()));
      await nats.dispose();
    }
  });
});
