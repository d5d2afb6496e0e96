import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Type } from "typebox";
import { access, closeCodes, defineSecretLink, defineTopic } from "#core/contract/index.ts";
import type { Broker, OpenLink, TopicBinding } from "#core/ports/index.ts";
import { createTestClock } from "#testkit/clock.ts";
import { embeddedHarness, type Harness } from "../broker/broker.testkit.ts";
import type { RealtimeHub } from "./hub.ts";
import { peopleTopics, TestClient, withStream, World } from "./realtime.testkit.ts";

const minute = 60_000;
/** Shorter than what closes a silent connection. */
const lifeMs = 30_000;

const board = defineSecretLink({
  id: "people.board",
  operations: [],
  topics: ["people", "boards"],
  maxAgeMs: 60 * minute,
  uses: null,
  budget: { perMinute: 60 },
});
const boards = defineTopic({
  name: "boards",
  kind: "event",
  access: access.link(board),
  message: Type.Object({ id: Type.Integer(), name: Type.String() }),
});

/** The topics of people, of which links open the list and see one person alone: their subject. */
function topics(): TopicBinding[] {
  const authorizeLink: TopicBinding["authorizeLink"] = async ({ subject }) => ({
    class: subject,
    view: (data) => ((data as { id: number }).id === Number(subject) ? { ...(data as object), phone: undefined } : null),
  });
  const [list, one] = peopleTopics() as [TopicBinding, TopicBinding];
  const grant = { class: "", view: (data: unknown) => data };
  const ofBoard: TopicBinding = {
    topic: boards,
    authorize: async () => grant,
    authorizeLink: async () => grant,
    project: () => [],
  };
  return [{ ...list, authorizeLink }, { ...one, authorizeLink }, ofBoard];
}

describe("a connection of a link", () => {
  const clock = createTestClock();
  const links = new Map<string, OpenLink>();
  const networks: string[] = [];
  let harness: Harness;
  let broker: Broker;
  let world: World;
  let hub: RealtimeHub;
  beforeEach(async () => {
    links.clear();
    for (const linkId of [1, 2])
      links.set(`secret ${linkId}`, {
        linkId,
        definition: board,
        subject: String(linkId),
        label: `board ${linkId}`,
        expiresAt: clock.now() + lifeMs,
      });
    networks.length = 0;
    harness = embeddedHarness();
    broker = await withStream(await harness.open());
    world = new World("ann");
    hub = await world.hub(broker, clock, {
      bindings: topics(),
      limits: { connectionsPerLink: 2 },
      links: {
        async find(secret, network) {
          networks.push(network);
          return links.get(secret) ?? null;
        },
        present: async (linkId) =>
          [...links.values()].find((link) => link.linkId === linkId && link.expiresAt > clock.now()) ?? null,
      },
    });
  });
  afterEach(async () => {
    await hub.close();
    await harness.dispose();
  });

  const opened = async (secret: string) => {
    const client = new TestClient(hub, "its network");
    client.send({ type: "link", secret });
    await client.next("ready");
    return client;
  };

  it("gets the topics that the link opens, as its subject sees them, and no others", async () => {
    const client = await opened("secret 1");
    expect(networks).toEqual(["its network"]);
    expect(await client.subscribe("people")).toMatchObject({ mode: "live" });
    expect(await client.subscribe("people/1")).toBeNull();
    expect(client.of("refused")[0]).toMatchObject({ topic: "people/1", code: "realtime.forbidden" });
    await world.change(broker, 2, "Bob");
    await world.change(broker, 1, "Ann", { phone: "555" });
    await client.untilName("people", "Ann");
    expect(client.events("people").map(({ data }) => data)).toEqual([{ id: 1, name: "Ann" }]);
    expect(hub.viewers()).toEqual([]);
  });

  it("is refused with a wrong secret, as with a wrong token, and before it said who it is", async () => {
    for (const message of [
      { type: "link", secret: "wrong" },
      { type: "subscribe", topic: "boards" },
    ]) {
      const client = new TestClient(hub);
      client.send(message);
      expect((await client.end()).code).toBe(closeCodes.unauthenticated);
    }
  });

  it("says who it is once, and renews nothing", async () => {
    for (const message of [
      { type: "auth", token: "ann" },
      { type: "link", secret: "secret 2" },
      { type: "renew", token: "ann" },
    ]) {
      const client = await opened("secret 1");
      client.send(message);
      expect((await client.end()).code).toBe(closeCodes.badMessage);
    }
    const account = await TestClient.signedIn(hub, "ann");
    account.send({ type: "link", secret: "secret 1" });
    expect((await account.end()).code).toBe(closeCodes.badMessage);
  });

  it("gets nothing any more from the instant when the link expires, and is closed", async () => {
    const client = await opened("secret 1");
    await client.subscribe("people");
    await clock.advance(lifeMs - 1);
    expect(client.closed).toBeNull();
    await clock.advance(1);
    await world.change(broker, 1, "Too late");
    expect((await client.end()).code).toBe(closeCodes.linkEnded);
    expect(client.names("people")).toEqual([]);
  });

  it("is closed when its link was revoked; those of other links and of accounts stay", async () => {
    const [revoked, other] = [await opened("secret 1"), await opened("secret 2")];
    const account = await TestClient.signedIn(hub, "ann");
    links.delete("secret 1");
    await hub.sessions.linksChanged("test", [1]);
    expect((await revoked.end()).code).toBe(closeCodes.linkEnded);
    await hub.sessions.linksChanged("missed", null);
    expect([other.closed, account.closed]).toEqual([null, null]);
    links.delete("secret 2");
    await hub.sessions.linksChanged("missed", null);
    expect([other.closed?.code, account.closed]).toEqual([closeCodes.linkEnded, null]);
  });

  it("shares the limit of connections with those of its link alone", async () => {
    const first = await opened("secret 1");
    await opened("secret 1");
    const third = new TestClient(hub);
    third.send({ type: "link", secret: "secret 1" });
    expect((await third.end()).code).toBe(closeCodes.tooManyConnections);
    await opened("secret 2");
    first.leave();
    await opened("secret 1");
  });

  it("is needed for a topic that only links open", async () => {
    const account = await TestClient.signedIn(hub, "ann");
    expect(await account.subscribe("boards")).toBeNull();
    expect(account.of("refused")[0]).toMatchObject({ topic: "boards", code: "realtime.forbidden" });
    expect(await (await opened("secret 1")).subscribe("boards")).toMatchObject({ mode: "live" });
  });
});
