import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Viewer } from "#core/actor.ts";
import type { Broker } from "#core/ports/index.ts";
import { createTestClock } from "#testkit/clock.ts";
import { embeddedHarness, type Harness } from "../broker/broker.testkit.ts";
import type { RealtimeHub } from "./hub.ts";
import { seePeople, seePhones, TestClient, withStream, World } from "./realtime.testkit.ts";

const minutes = 60_000;

/** Like job admin for five minutes: phones are visible until the clock reaches `until`. */
class TimedWorld extends World {
  readonly clock = createTestClock();
  readonly until = this.clock.now() + 5 * minutes;
  refreshed = 0;

  override viewer = (name: string): Viewer | null => {
    const entered = name === "ann" && this.clock.now() < this.until;
    this.people.get(name)!.rights = new Set(entered ? [seePeople.id, seePhones.id] : [seePeople.id]);
    this.people.get(name)!.epoch = entered ? 2 : 1;
    const viewer = this.viewerOf(name);
    return viewer && { ...viewer, standingUntil: entered ? this.until : null };
  };
}

describe("a mode that expires", () => {
  let harness: Harness;
  let broker: Broker;
  let world: TimedWorld;
  let hub: RealtimeHub;
  beforeEach(async () => {
    harness = embeddedHarness();
    broker = await withStream(await harness.open());
    world = new TimedWorld("ann", "bob");
    hub = await world.hub(broker, world.clock, {
      refresh: async (viewer) => {
        world.refreshed += 1;
        return world.viewer(viewer.username);
      },
    });
  });
  afterEach(async () => {
    await hub.close();
    await harness.dispose();
  });

  const phones = (client: TestClient) => client.events("people").map(({ data }) => (data as { phone?: string }).phone ?? null);

  it("causes a recheck of the rights at that instant, on an otherwise idle connection", async () => {
    const client = await TestClient.signedIn(hub, "ann");
    await client.subscribe("people");
    await world.change(broker, 1, "before", { phone: "1" });
    await client.untilName("people", "before");
    for (let i = 0; i < 19; i += 1) {
      await world.clock.advance(15_000);
      client.send({ type: "pong" });
    }
    expect([world.refreshed, client.of("rights")]).toEqual([0, []]);
    await world.clock.advance(15_000);
    await client.next("rights");
    expect(client.of("subscribed").at(-1)).toMatchObject({ topic: "people", mode: "snapshot" });
    await world.change(broker, 1, "after", { phone: "2" });
    await client.untilName("people", "after");
    expect(phones(client)).toEqual(["1", null]);
    expect(client.closed).toBeNull();
  });

  it("grants nothing afterwards, even if the timers are late", async () => {
    const client = await TestClient.signedIn(hub, "ann");
    await client.subscribe("people");
    const witness = await TestClient.signedIn(hub, "bob");
    await witness.subscribe("people");
    world.clock.step(5 * minutes);
    await world.change(broker, 1, "late", { phone: "2" });
    await world.change(broker, 2, "later", { phone: "3" });
    await witness.untilName("people", "later");
    expect(client.events("people")).toEqual([]);
    await world.clock.advance(5_000);
    await client.next("rights");
    await world.change(broker, 3, "last", { phone: "4" });
    await client.untilName("people", "last");
    expect(phones(client)).toEqual([null]);
  });
});
