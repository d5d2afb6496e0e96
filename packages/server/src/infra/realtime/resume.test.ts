import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Broker, TopicBinding } from "#core/ports/index.ts";
import { createTestClock } from "#testkit/clock.ts";
import { embeddedHarness, type Harness } from "../broker/broker.testkit.ts";
import type { RealtimeHub } from "./hub.ts";
import type { RealtimeLimits } from "./limits.ts";
import { peopleTopics, seePeople, TestClient, withStream, World } from "./realtime.testkit.ts";

describe("repeated resuming", { timeout: 30_000 }, () => {
  let harness: Harness;
  let broker: Broker;
  let hub: RealtimeHub;
  let world: World;
  const clock = createTestClock();
  beforeEach(async () => {
    harness = embeddedHarness();
    broker = await withStream(await harness.open());
    world = new World("ann", "bob");
  });
  afterEach(async () => {
    await hub.close();
    await harness.dispose();
  });

  /** A hub with `count` events after the returned position. */
  async function withEvents(count: number, limits: Partial<RealtimeLimits> = {}, bindings?: TopicBinding[], name = "n") {
    hub = await world.hub(broker, clock, { limits, ...(bindings ? { bindings } : {}) });
    const first = await TestClient.signedIn(hub, "bob");
    const start = await first.subscribe("people");
    for (let i = 0; i < count; i += 1) await world.change(broker, i, `${name}${i}`);
    await first.untilName("people", `${name}${count - 1}`);
    return { epoch: start?.epoch ?? "", seq: start?.seq ?? 0 };
  }

  it("gets snapshots once the account's event budget is used up, over all connections and topics", async () => {
    const after = await withEvents(30, { accountResumeEvents: 100, accountResumeEventsPerSecond: 10 });
    const [one, two] = [await TestClient.signedIn(hub, "ann"), await TestClient.signedIn(hub, "ann")];
    const modes = [];
    for (let i = 0; i < 10; i += 1)
      modes.push((await (i % 2 === 0 ? one : two).subscribe(i % 3 === 0 ? "people" : `people/${i}`, after))?.mode);
    expect(modes).toEqual([...Array<string>(3).fill("resumed"), ...Array<string>(7).fill("snapshot")]);
    const other = await TestClient.signedIn(hub, "bob");
    expect((await other.subscribe("people", after))?.mode).toBe("resumed");
    await clock.advance(3000);
    expect((await one.subscribe("people", after))?.mode).toBe("resumed");
    await world.change(broker, 99, "later");
    for (const client of [one, other]) await client.untilName("people", "later");
  });

  it("gets a snapshot once the account's byte budget is used up", async () => {
    const after = await withEvents(
      50,
      { accountResumeBytes: 30_000, accountResumeBytesPerSecond: 1 },
      undefined,
      "n".repeat(500),
    );
    const client = await TestClient.signedIn(hub, "ann");
    for (let i = 0; i < 20; i += 1) await client.subscribe("people", after);
    await client.received.until(() => client.of("subscribed").filter(({ mode }) => mode === "snapshot").length >= 18);
    const bytes = client.events("people").reduce((sum, event) => sum + JSON.stringify(event).length, 0);
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThan(32_000);
    await world.change(broker, 99, "later");
    await client.untilName("people", "later");
  });

  it("lets other work run between the events", async () => {
    const after = await withEvents(2000);
    const client = await TestClient.signedIn(hub, "ann");
    let turns = 0;
    let stop = false;
    const turn = () => {
      if (client.events("people").length > 0) turns += 1;
      if (!stop) setImmediate(turn);
    };
    setImmediate(turn);
    await client.subscribe("people", after);
    await client.untilName("people", "n1999");
    stop = true;
    expect(client.names("people")).toEqual(Array.from({ length: 2000 }, (_, i) => `n${i}`));
    expect(client.unbroken("people")).toBe(true);
    expect(turns).toBeGreaterThan(20);
  });

  it("runs one resume of an account at a time", async () => {
    let viewed: string[] = [];
    const bindings = peopleTopics().map((binding): TopicBinding => ({
      ...binding,
      authorize: async (viewer, key) => ({ class: `${viewer.sessionId} ${key}`, view: (data) => (viewed.push(`${key}`), data) }),
    }));
    const after = await withEvents(500, {}, bindings);
    const [one, two] = [await TestClient.signedIn(hub, "ann"), await TestClient.signedIn(hub, "ann")];
    viewed = [];
    await Promise.all([one.subscribe("people", after), two.subscribe("people", after)]);
    two.send({ type: "subscribe", topic: "people", after });
    const seen = (client: TestClient) => client.events("people").length;
    await two.received.until(() => seen(two) >= 1);
    expect(seen(one)).toBe(500);
    await two.received.until(() => seen(two) === 1000);
    expect(viewed).toHaveLength(1500);
  });

  it("sends nothing more once the rights change during a resume", async () => {
    const after = await withEvents(3000);
    const [client, waiting] = [await TestClient.signedIn(hub, "ann"), await TestClient.signedIn(hub, "ann")];
    await client.subscribe("people", after);
    waiting.send({ type: "subscribe", topic: "people", after });
    await client.received.until(() => client.events("people").length > 0);
    world.add("ann", { rights: new Set(), epoch: 2, account: 1 });
    await hub.sessions.rightsChanged("test", ({ username }) => username === "ann");
    for (const one of [client, waiting]) expect(one.of("revoked")).toMatchObject([{ topic: "people" }]);
    expect(client.events("people").length).toBeLessThan(3000);
    expect(waiting.events("people")).toEqual([]);
    world.add("ann", { rights: new Set([seePeople.id]), epoch: 3, account: 1 });
    await hub.sessions.rightsChanged("test", ({ username }) => username === "ann");
    expect((await client.subscribe("people", after))?.mode).toBe("resumed");
  });

  it("continues where it was after a recheck with unchanged rights", async () => {
    const after = await withEvents(3000);
    const client = await TestClient.signedIn(hub, "ann");
    await client.subscribe("people", after);
    await client.received.until(() => client.events("people").length > 0);
    await hub.sessions.rightsChanged("test", ({ username }) => username === "ann");
    await client.untilName("people", "n2999");
    expect(client.names("people")).toHaveLength(3000);
    expect(client.unbroken("people")).toBe(true);
  });

  it("falls back to a snapshot when the reader does not keep up, rather than closing the connection", async () => {
    const after = await withEvents(300, { slowReaderBytes: 4000 });
    const client = await TestClient.signedIn(hub, "ann");
    client.backlog = 3000;
    await client.subscribe("people", after);
    await client.received.until(() => client.of("subscribed").some(({ mode }) => mode === "snapshot"));
    expect(client.closed).toBeNull();
    expect(client.events("people").length).toBeLessThan(100);
  });
});
