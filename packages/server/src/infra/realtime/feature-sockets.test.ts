import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { AppError } from "#core/errors.ts";
import { access, closeCodes, defineErrors, defineSocket } from "#core/contract/index.ts";
import type { Broker, PeerHandler, SocketPeer } from "#core/ports/index.ts";
import { bindSocket } from "#core/ports/index.ts";
import { createTestClock } from "#testkit/clock.ts";
import { embeddedHarness, type Harness } from "../broker/broker.testkit.ts";
import { openFeatureSocket } from "./feature-sockets.ts";
import type { RealtimeHub } from "./hub.ts";
import { seePeople, seePhones, TestClient, withStream, World } from "./realtime.testkit.ts";

const { rejected } = defineErrors("papers", { rejected: { status: 400 } });
const papers = defineSocket({
  id: "papers.editing",
  keyed: true,
  access: access.permission(seePeople),
  frameBytes: 100_000,
  messagesPerMinute: 50,
});

/** Sends every frame back to all who have the same paper open, in front of it what the sender may do. */
class Papers {
  readonly peers = new Map<SocketPeer, { key: string | null; phones: boolean }>();
  readonly ended: string[] = [];
  readonly secret = new Set<string | null>(["secret"]);
  wait: Promise<void> | null = null;

  readonly binding = bindSocket<{ phones: boolean }>({
    socket: papers,
    authorize: async (viewer, key) => (this.secret.has(key) ? null : { phones: viewer.rights.has(seePhones.id) }),
    open: (peer, key, grant): PeerHandler<{ phones: boolean }> => {
      this.peers.set(peer, { key, ...grant });
      return {
        frame: async (bytes) => {
          await this.wait;
          if (bytes[0] === 0) throw new AppError(rejected);
          const own = this.peers.get(peer)!;
          for (const [other, { key: opened }] of this.peers)
            if (opened === own.key) other.send(Uint8Array.of(own.phones ? 1 : 0, ...bytes));
        },
        granted: (changed) => void this.peers.set(peer, { key, ...changed }),
        closed: () => {
          this.peers.delete(peer);
          this.ended.push(peer.viewer.username);
        },
      };
    },
  });
}

describe("a feature's socket", () => {
  let harness: Harness;
  let broker: Broker;
  let hub: RealtimeHub;
  let served: Papers;
  const world = new World("ann", "bob");
  const clock = createTestClock();

  beforeEach(async () => {
    world.add("ann", { account: 1 });
    world.add("bob", { account: 2 });
    harness = embeddedHarness();
    broker = await withStream(await harness.open());
    hub = await world.hub(broker, clock, { limits: { slowReaderBytes: 1000 } });
    served = new Papers();
  });
  afterEach(async () => {
    await hub.close();
    await harness.dispose();
  });

  const at = (key: string) => ({
    open: (socket: Parameters<RealtimeHub["open"]>[0], network: string) =>
      openFeatureSocket({ sessions: hub.sessions, limits: hub.limits, clock }, served.binding, key, { socket, network }),
  });
  const opened = async (name: string, key = "7") => {
    const before = served.peers.size;
    const client = await TestClient.signedIn(at(key), name);
    await expect.poll(() => served.peers.size).toBe(before + 1);
    return client;
  };

  it("signs in as /api/realtime does, and carries the frames of those who have the object open", async () => {
    const [ann, bob, other] = [await opened("ann"), await opened("bob"), await opened("bob", "8")];
    expect(await ann.next("ready")).toMatchObject({ limits: { subscriptions: 0, frameBytes: 100_000 } });
    ann.sendBinary(Uint8Array.of(5, 6));
    await bob.received.until(() => bob.frames().length === 1);
    expect([ann.frames(), bob.frames(), other.frames()]).toEqual([[Uint8Array.of(0, 5, 6)], [Uint8Array.of(0, 5, 6)], []]);
  });

  it("refuses unknown tokens, frames before the token, missing rights and invisible objects", async () => {
    const unknown = new TestClient(at("7"));
    unknown.send({ type: "auth", token: "nobody" });
    expect((await unknown.end()).code).toBe(closeCodes.unauthenticated);
    const hasty = new TestClient(at("7"));
    hasty.sendBinary(Uint8Array.of(1));
    expect((await hasty.end()).code).toBe(closeCodes.badMessage);
    world.add("ann", { account: 1, rights: new Set() });
    const powerless = await TestClient.signedIn(at("7"), "ann");
    expect((await powerless.end()).code).toBe(closeCodes.forbidden);
    expect(powerless.of("error")).toMatchObject([{ code: "realtime.forbidden", params: { permissions: "people.see" } }]);
    const curious = await TestClient.signedIn(at("secret"), "bob");
    expect((await curious.end()).code).toBe(closeCodes.forbidden);
    expect(curious.of("error")).toMatchObject([{ code: "realtime.unknownTopic" }]);
    expect(served.peers.size).toBe(0);
  });

  it("is checked again when rights change, and holds what it sends meanwhile", async () => {
    const [ann, bob] = [await opened("ann"), await opened("bob")];
    world.add("ann", { account: 1, rights: new Set([seePeople.id, seePhones.id]), epoch: 2 });
    const checked = hub.sessions.rightsChanged("test", ({ username }) => username === "ann");
    for (const peer of served.peers.keys()) peer.send(Uint8Array.of(9));
    expect([ann.frames().length, bob.frames().length]).toEqual([0, 1]);
    await checked;
    expect(ann.frames()).toEqual([Uint8Array.of(9)]);
    expect(ann.of("rights").length).toBe(1);
    ann.sendBinary(Uint8Array.of(3));
    await bob.received.until(() => bob.frames().length === 2);
    expect(bob.frames()[1]).toEqual(Uint8Array.of(1, 3));
  });

  it("ends when the right is taken, or the session ends, and says so to the feature", async () => {
    const [ann, bob] = [await opened("ann"), await opened("bob")];
    world.add("ann", { account: 1, rights: new Set(), epoch: 2 });
    world.people.delete("bob");
    await hub.sessions.rightsChanged("test", () => true);
    expect([(await ann.end()).code, (await bob.end()).code]).toEqual([closeCodes.forbidden, closeCodes.sessionEnded]);
    expect(served.ended.toSorted()).toEqual(["ann", "bob"]);
  });

  it("ends for the object alone whose access ended", async () => {
    const [ann, bob, other] = [await opened("ann"), await opened("bob"), await opened("bob", "8")];
    served.secret.add("7");
    await hub.sessions.objectsChanged("test", { of: "papers.reading", keys: null });
    await hub.sessions.objectsChanged("test", { of: papers.id, keys: ["8", "9"] });
    expect([ann.closed, bob.closed, other.closed]).toEqual([null, null, null]);
    await hub.sessions.objectsChanged("test", { of: papers.id, keys: ["7"] });
    expect([(await ann.end()).code, (await bob.end()).code]).toEqual([closeCodes.forbidden, closeCodes.forbidden]);
    expect([other.closed, served.peers.size]).toEqual([null, 1]);
  });

  it("ends a client that reads too slowly, sends too much, or sends what the feature refuses", async () => {
    const slow = await opened("ann");
    slow.backlog = 1001;
    for (const peer of served.peers.keys()) peer.send(Uint8Array.of(1));
    expect((await slow.end()).code).toBe(closeCodes.slowReader);
    const fast = await opened("bob");
    for (let i = 0; i < 60; i += 1) fast.sendBinary(Uint8Array.of(1));
    expect((await fast.end()).code).toBe(closeCodes.tooManyMessages);
    const wrong = await opened("ann");
    wrong.sendBinary(Uint8Array.of(0));
    expect((await wrong.end()).code).toBe(closeCodes.badMessage);
    expect(wrong.of("error")).toMatchObject([{ code: "papers.rejected" }]);
  });

  it("ends a client whose frames arrive faster than they are handled", async () => {
    const ann = await opened("ann");
    const blocked = Promise.withResolvers<void>();
    served.wait = blocked.promise;
    for (let i = 0; i < 9; i += 1) ann.sendBinary(new Uint8Array(papers.frameBytes).fill(1));
    expect((await ann.end()).code).toBe(closeCodes.tooManyMessages);
    blocked.resolve();
  });

  it("does not accept topics", async () => {
    const ann = await opened("ann");
    ann.send({ type: "subscribe", topic: "people" });
    expect((await ann.end()).code).toBe(closeCodes.badMessage);
  });
});
