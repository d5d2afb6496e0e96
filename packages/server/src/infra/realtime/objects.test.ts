import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Broker, TopicBinding } from "#core/ports/index.ts";
import { createTestClock } from "#testkit/clock.ts";
import { embeddedHarness, type Harness } from "../broker/broker.testkit.ts";
import type { RealtimeHub } from "./hub.ts";
import { peopleTopics, TestClient, withStream, World } from "./realtime.testkit.ts";

describe("a change of the access to objects", () => {
  const clock = createTestClock();
  const hidden = new Set<string | null>();
  /** Who was authorized for which person, in order. */
  let authorized: string[];
  /** While it is set, answers were found but have not arrived. */
  let wait: Promise<void> | null;
  let harness: Harness;
  let broker: Broker;
  let world: World;
  let hub: RealtimeHub;

  beforeEach(async () => {
    hidden.clear();
    authorized = [];
    wait = null;
    harness = embeddedHarness();
    broker = await withStream(await harness.open());
    world = new World("ann", "bob");
    const [list, one] = peopleTopics() as [TopicBinding, TopicBinding];
    const authorize: TopicBinding["authorize"] = async (viewer, key) => {
      authorized.push(`${viewer.username} ${key}`);
      const grant = hidden.has(key) ? null : { class: "all", view: (data: unknown) => data };
      await wait;
      return grant;
    };
    hub = await world.hub(broker, clock, { bindings: [list, { ...one, authorize }] });
  });
  afterEach(async () => {
    await hub.close();
    await harness.dispose();
  });

  const follows = async (name: string, ...topics: string[]) => {
    const client = await TestClient.signedIn(hub, name);
    for (const topic of topics) await client.subscribe(topic);
    return client;
  };

  it("ends the subscriptions of that object, and checks nobody else", async () => {
    const ann = await follows("ann", "people/7", "people/8");
    const bob = await follows("bob", "people/8", "people");
    hidden.add("7");
    authorized = [];
    await hub.sessions.objectsChanged("test", { of: "people/:id", keys: ["7"] });
    expect(ann.of("revoked").map(({ topic, code }) => [topic, code])).toEqual([["people/7", "realtime.unknownTopic"]]);
    expect(authorized).toEqual(["ann 7", "ann 8"]);
    await world.change(broker, 7, "Seven");
    await world.change(broker, 8, "Eight");
    await Promise.all([ann.untilName("people/8", "Eight"), bob.untilName("people/8", "Eight")]);
    expect(ann.names("people/7")).toEqual([]);
    expect([ann.unbroken("people/8"), bob.unbroken("people")]).toEqual([true, true]);
  });

  it("concerns all that follow one of them when it names none", async () => {
    const [ann, bob] = [await follows("ann", "people/7"), await follows("bob", "people")];
    authorized = [];
    await hub.sessions.objectsChanged("test", { of: "people/:id", keys: null });
    expect([authorized, ann.of("revoked"), bob.of("revoked")]).toEqual([["ann 7"], [], []]);
  });

  it("also ends a subscription that was being authorized, before anything is sent to it", async () => {
    const ann = await TestClient.signedIn(hub, "ann");
    const answer = Promise.withResolvers<void>();
    wait = answer.promise;
    ann.send({ type: "subscribe", topic: "people/7" });
    await expect.poll(() => authorized).toEqual(["ann 7"]);
    hidden.add("7");
    const checked = hub.sessions.objectsChanged("test", { of: "people/:id", keys: ["7"] });
    await world.change(broker, 7, "Seven");
    answer.resolve();
    await checked;
    expect(ann.of("revoked").map(({ topic }) => topic)).toEqual(["people/7"]);
    expect(ann.names("people/7")).toEqual([]);
  });
});
