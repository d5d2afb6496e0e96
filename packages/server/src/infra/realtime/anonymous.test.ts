import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { closeCodes } from "#core/contract/index.ts";
import type { Broker } from "#core/ports/index.ts";
import { createTestClock } from "#testkit/clock.ts";
import { embeddedHarness, type Harness } from "../broker/broker.testkit.ts";
import type { RealtimeHub } from "./hub.ts";
import type { RealtimeLimits } from "./limits.ts";
import { TestClient, withStream, World } from "./realtime.testkit.ts";

describe("connections before sign-in", () => {
  let harness: Harness;
  let broker: Broker;
  let hub: RealtimeHub;
  const world = new World("ann", "bob");
  const clock = createTestClock();
  beforeEach(async () => {
    harness = embeddedHarness();
    broker = await withStream(await harness.open());
  });
  afterEach(async () => {
    await hub.close();
    await harness.dispose();
  });
  const start = async (limits: Partial<RealtimeLimits> = {}) => (hub = await world.hub(broker, clock, { limits }));

  function refusedAs(network: string): unknown {
    try {
      hub.sessions.admit(network);
      return null;
    } catch (error) {
      const { definition, params } = error as { definition: { code: string; status: number }; params: object };
      return [definition.code, definition.status, params];
    }
  }

  it("are closed ten seconds after they opened, whatever they send", async () => {
    await start();
    const [still, lively] = [new TestClient(hub), new TestClient(hub)];
    for (let s = 0; s < 9; s += 1) {
      await clock.advance(1000);
      lively.pong();
      if (s % 3 === 0) lively.send({ type: "ping" });
    }
    await clock.advance(999);
    expect([still.closed, lively.closed]).toEqual([null, null]);
    await clock.advance(1);
    expect([still.closed?.code, lively.closed?.code]).toEqual([closeCodes.unauthenticated, closeCodes.unauthenticated]);
  });

  it("are limited per network, where those that signed in do not count", async () => {
    await start({ anonymousPerNetwork: 2 });
    const first = new TestClient(hub, "a");
    const second = new TestClient(hub, "a");
    expect(refusedAs("a")).toEqual(["realtime.tooManyWaiting", 429, { limit: 2, seconds: 2 }]);
    expect(refusedAs("b")).toBeNull();
    first.send({ type: "auth", token: "ann" });
    await first.next("ready");
    expect(refusedAs("a")).toBeNull();
    const third = new TestClient(hub, "a");
    expect(refusedAs("a")).not.toBeNull();
    second.leave();
    expect(refusedAs("a")).toBeNull();
    await clock.advance(10_000);
    expect([first.closed, third.closed?.code]).toEqual([null, closeCodes.unauthenticated]);
    for (let i = 0; i < 2; i += 1) expect([refusedAs("a"), new TestClient(hub, "a").closed]).toEqual([null, null]);
  });

  it("at the limit of a network lose the oldest one of this network that had time to sign in", async () => {
    await start({ anonymousPerNetwork: 2 });
    const clients = ["b", "a", "a"].map((network) => new TestClient(hub, network));
    await clock.advance(1999);
    expect(refusedAs("a")).not.toBeNull();
    await clock.advance(1);
    expect(refusedAs("a")).toBeNull();
    expect(clients.map(({ closed }) => closed?.code)).toEqual([undefined, closeCodes.unauthenticated, undefined]);
    expect(new TestClient(hub, "a").closed).toBeNull();
  });

  it("at the total limit lose the oldest one if it had time to sign in; otherwise the new one is refused", async () => {
    await start({ anonymousConnections: 3 });
    const clients = ["a", "b", "c"].map((network) => new TestClient(hub, network));
    expect(refusedAs("d")).toEqual(["realtime.busy", 503, { limit: 3, seconds: 2 }]);
    await clock.advance(2000);
    expect(refusedAs("d")).toBeNull();
    expect(clients.map(({ closed }) => closed?.code)).toEqual([closeCodes.unauthenticated, undefined, undefined]);
    expect(new TestClient(hub, "d").closed).toBeNull();
  });

  it("are closed after one large message or too many messages, including pings and pongs of the transport", async () => {
    await start();
    const long = new TestClient(hub);
    long.send({ type: "auth", token: "x".repeat(6000) });
    expect(long.closed?.code).toBe(closeCodes.badMessage);
    const talks = new TestClient(hub);
    for (let i = 0; i < 200 && !talks.closed; i += 1) talks.send({ type: "ping" });
    expect(talks.closed?.code).toBe(closeCodes.tooManyMessages);
    const pongs = new TestClient(hub);
    for (let i = 0; i < 200 && !pongs.closed; i += 1) pongs.pong();
    expect(pongs.closed?.code).toBe(closeCodes.tooManyMessages);
    const pipelines = new TestClient(hub);
    pipelines.send({ type: "auth", token: "ann" });
    for (let i = 0; i < 100; i += 1) pipelines.send({ type: "subscribe", topic: `people/${i}` });
    await pipelines.received.until(() => pipelines.of("subscribed").length === 100);
    for (let i = 0; i < 300; i += 1) pipelines.pong();
    expect(pipelines.closed).toBeNull();
  });
});
