import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { closeCodes } from "#core/contract/index.ts";
import type { Broker } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { createTestClock } from "#testkit/clock.ts";
import { embeddedHarness, type Harness, quick, silent } from "../broker/broker.testkit.ts";
import { EmbeddedBroker } from "../broker/embedded/broker.ts";
import type { RealtimeHub, RealtimeOptions } from "./hub.ts";
import { seePeople, TestClient, withStream, World } from "./realtime.testkit.ts";

describe("realtime protocol", () => {
  let harness: Harness;
  let broker: Broker;
  let world: World;
  const clock = createTestClock();
  const hubs: RealtimeHub[] = [];
  beforeEach(async () => {
    harness = embeddedHarness();
    broker = await withStream(await harness.open());
    world = new World("ann", "bob");
  });
  afterEach(async () => {
    await Promise.all(hubs.splice(0).map((h) => h.close()));
    await harness.dispose();
  });
  async function hub(change: Partial<RealtimeOptions> = {}): Promise<RealtimeHub> {
    const made = await world.hub(broker, clock, change);
    hubs.push(made);
    return made;
  }

  it("answers auth with its limits and clock", async () => {
    const made = await hub();
    const client = new TestClient(made);
    client.send({ type: "auth", token: "ann" });
    expect(await client.next("ready")).toMatchObject({
      now: clock.now(),
      heartbeatMs: 20_000,
      feed: true,
      limits: { subscriptions: 100, frameBytes: 16_384 },
    });
    client.send({ type: "ping" });
    await client.next("pong");
  });

  it.each([
    ["a wrong token", { type: "auth", token: "mallory" }, closeCodes.unauthenticated, "realtime.unauthenticated"],
    ["anything before the token", { type: "subscribe", topic: "people" }, closeCodes.unauthenticated, "realtime.unauthenticated"],
    ["a message that is not JSON", "{", closeCodes.badMessage, "realtime.badMessage"],
    ["an unknown type", { type: "toString" }, closeCodes.badMessage, "realtime.badMessage"],
    ["a missing field", { type: "auth" }, closeCodes.badMessage, "realtime.badMessage"],
    ["an unknown field", { type: "auth", token: "ann", admin: true }, closeCodes.badMessage, "realtime.badMessage"],
    ["null", "null", closeCodes.badMessage, "realtime.badMessage"],
  ])("closes on %s", async (_what, message, code, error) => {
    const client = new TestClient(await hub());
    client.send(message);
    expect((await client.end()).code).toBe(code);
    expect(client.of("error")[0]?.code).toBe(error);
  });

  it("refuses an expired token, a second auth and a renewal with another session's token", async () => {
    const made = await hub();
    world.add("late", { expiresAt: clock.now() - 1 });
    const late = new TestClient(made);
    late.send({ type: "auth", token: "late" });
    expect((await late.end()).code).toBe(closeCodes.unauthenticated);
    const twice = await TestClient.signedIn(made, "ann");
    twice.send({ type: "auth", token: "ann" });
    expect((await twice.end()).code).toBe(closeCodes.badMessage);
    const thief = await TestClient.signedIn(made, "ann");
    thief.send({ type: "renew", token: "bob" });
    expect((await thief.end()).code).toBe(closeCodes.unauthenticated);
  });

  it("refuses a topic that is unknown, invisible or not permitted without closing", async () => {
    world.add("powerless", { rights: new Set() });
    const made = await hub();
    const client = await TestClient.signedIn(made, "ann");
    for (const topic of ["nowhere", "people/", "people/secret", "units/1"]) {
      expect(await client.subscribe(topic)).toBeNull();
      expect(client.of("refused").at(-1)).toEqual({
        type: "refused",
        topic,
        code: "realtime.unknownTopic",
        params: { topic },
      });
    }
    const powerless = await TestClient.signedIn(made, "powerless");
    await powerless.subscribe("people");
    expect(powerless.of("refused")[0]).toEqual({
      type: "refused",
      topic: "people",
      code: "realtime.forbidden",
      params: { topic: "people", permissions: seePeople.id },
    });
    expect([client.closed, powerless.closed]).toEqual([null, null]);
  });

  it("enforces the limits on subscriptions, connections and messages", async () => {
    const made = await hub({
      limits: { subscriptionsPerConnection: 2, connectionsPerAccount: 2, messagesPerMinute: 20 },
    });
    const client = await TestClient.signedIn(made, "ann");
    await client.subscribe("people/1");
    await client.subscribe("people/2");
    expect(await client.subscribe("people/3")).toBeNull();
    expect(client.of("refused")[0]).toMatchObject({
      code: "realtime.tooManySubscriptions",
      params: { limit: 2 },
    });
    expect(await client.subscribe("people/2")).toMatchObject({ mode: "live" });
    client.send({ type: "unsubscribe", topic: "people/1" });
    await client.next("unsubscribed");
    expect(await client.subscribe("people/3")).toBeDefined();
    await TestClient.signedIn(made, "ann");
    const third = new TestClient(made);
    third.send({ type: "auth", token: "ann" });
    expect((await third.end()).code).toBe(closeCodes.tooManyConnections);
    client.leave();
    const freed = await TestClient.signedIn(made, "ann");
    for (let i = 0; i < 30 && !freed.closed; i++) freed.send({ type: "ping" });
    expect(freed.closed?.code).toBe(closeCodes.tooManyMessages);
  });

  it("closes connections without a token, silent ones and those with an expired token, unless it is renewed", async () => {
    const made = await hub();
    const silent = new TestClient(made);
    world.add("short", { expiresAt: clock.now() + 60_000 });
    const [short, renewing, deaf] = [
      await TestClient.signedIn(made, "short"),
      await TestClient.signedIn(made, "short"),
      await TestClient.signedIn(made, "bob"),
    ];
    world.add("short", {
      expiresAt: clock.now() + 600_000,
      account: world.people.get("short")?.account ?? 0,
    });
    renewing.send({ type: "renew", token: "short" });
    expect(await renewing.next("renewed")).toEqual({ type: "renewed", expiresAt: clock.now() + 600_000 });
    for (let s = 0; s < 100; s += 5) {
      await clock.advance(5000);
      for (const c of [short, renewing]) if (!c.closed && c.of("ping").length > 0) c.send({ type: "pong" });
    }
    expect(silent.closed?.code).toBe(closeCodes.unauthenticated);
    expect(deaf.closed?.code).toBe(closeCodes.silent);
    expect(short.closed?.code).toBe(closeCodes.tokenExpired);
    expect(renewing.closed).toBeNull();
    expect(renewing.of("ping").length).toBeGreaterThan(2);
  });

  it("authorizes the topics again when a renewal changes the rights", async () => {
    const client = await TestClient.signedIn(await hub(), "ann");
    await client.subscribe("people");
    world.add("ann", { rights: new Set(), epoch: 2, account: 1 });
    client.send({ type: "renew", token: "ann" });
    expect(await client.next("revoked")).toMatchObject({ topic: "people" });
  });

  it("sends the snapshot before the first event when the broker is back, also when one arrives at once", async () => {
    const folder = mkdtempSync(join(tmpdir(), "rollcall-hub-"));
    const url = { kind: "embedded", file: join(folder, "broker.db") } as const;
    const real = await new EmbeddedBroker({ url, replicas: 1, log: silent, clock: systemClock, tuning: quick }).start();
    await withStream(real);
    const away = Promise.withResolvers<void>();
    const signedIn = Promise.withResolvers<TestClient>();
    let attempts = 0;
    const [streamInfo, consume] = [real.streamInfo.bind(real), real.consume.bind(real)];
    const broker = Object.assign(real, {
      async streamInfo(name: string) {
        attempts += 1;
        if (attempts === 1) throw new Error("the broker is away");
        await away.promise;
        return await streamInfo(name);
      },
      async consume(...options: Parameters<typeof consume>) {
        const reader = await consume(...options);
        await world.change(real, 1, "first");
        await (await signedIn.promise).untilName("people", "first");
        return reader;
      },
    });
    const made = await world.hub(broker, systemClock);
    hubs.push(made);
    const client = await TestClient.signedIn(made, "ann");
    expect(await client.subscribe("people")).toMatchObject({ mode: "live", epoch: "" });
    signedIn.resolve(client);
    away.resolve();
    await client.untilName("people", "first");
    const { epoch, seq } = client.of("subscribed").at(-1)!;
    expect(client.events("people")[0]).toMatchObject({ epoch, prev: seq });
    await made.close();
    await real.close();
    rmSync(folder, { recursive: true });
  });

  it("sends a snapshot to those who were there before the start, with the position that the first event follows", async () => {
    const made = world.unstartedHub(broker, clock);
    hubs.push(made);
    const client = await TestClient.signedIn(made, "ann");
    expect(await client.subscribe("people")).toMatchObject({ mode: "live", epoch: "" });
    await world.change(broker, 1, "before");
    await made.start();
    await world.change(broker, 2, "first");
    await client.untilName("people", "first");
    const { mode, epoch, seq } = client.of("subscribed").at(-1)!;
    expect([mode, seq, client.names("people")]).toEqual(["snapshot", 1, ["first"]]);
    expect(client.events("people")[0]).toMatchObject({ epoch, prev: seq });
  });

  it("says to those who signed in before the start that events are received now", async () => {
    const made = world.unstartedHub(broker, clock);
    hubs.push(made);
    const client = await TestClient.signedIn(made, "ann");
    expect(client.of("ready")[0]?.feed).toBe(false);
    await made.start();
    expect(await client.next("feed")).toMatchObject({ up: true });
    expect(client.of("feed")).toHaveLength(1);
  });

  it("accepts subscriptions without a broker, reports that the feed is down, and sends snapshots when it is back", async () => {
    const folder = mkdtempSync(join(tmpdir(), "rollcall-hub-"));
    const url = { kind: "embedded", file: join(folder, "broker.db") } as const;
    const input = { url, replicas: 1, log: silent, clock: systemClock, tuning: quick };
    const holder = await new EmbeddedBroker(input).start();
    await withStream(holder);
    const late = await new EmbeddedBroker({ ...input, start: "background" }).start();
    const made = await world.hub(late, systemClock);
    hubs.push(made);
    const client = await TestClient.signedIn(made, "ann");
    expect(client.of("ready")[0]?.feed).toBe(false);
    expect(await client.subscribe("people")).toMatchObject({ mode: "live", epoch: "", seq: 0 });
    await holder.close();
    expect(await client.next("feed")).toMatchObject({ up: true });
    expect(await client.next("subscribed", 2)).toMatchObject({
      mode: "snapshot",
      epoch: expect.stringMatching(/./),
    });
    await world.change(late, 1, "first");
    await client.untilName("people", "first");
    await made.close();
    await late.close();
    rmSync(folder, { recursive: true });
  });
});
