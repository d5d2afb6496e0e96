import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { closeCodes, realtimeErrors } from "#core/contract/index.ts";
import type { Broker, Clock } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { embeddedHarness, type Harness, natsHarness, natsReachable } from "../broker/broker.testkit.ts";
import type { RealtimeHub, RealtimeOptions } from "./hub.ts";
import { peopleTopics, seePeople, seePhones, TestClient, withStream, World } from "./realtime.testkit.ts";

const hasNats = await natsReachable();

for (const adapter of [
  { name: "embedded", run: true, harness: embeddedHarness },
  { name: "nats", run: hasNats, harness: natsHarness },
]) {
  describe.skipIf(!adapter.run)(`realtime events on ${adapter.name}`, { timeout: 20_000 }, () => {
    let harness: Harness;
    let broker: Broker;
    let world: World;
    const hubs: RealtimeHub[] = [];
    beforeEach(async () => {
      harness = adapter.harness();
      broker = await withStream(await harness.open());
      world = new World("ann", "bob");
    });
    afterEach(async () => {
      await Promise.all(hubs.splice(0).map((h) => h.close()));
      await harness.dispose();
    });
    async function hub(change: Partial<RealtimeOptions> = {}, clock: Clock = systemClock, on = broker): Promise<RealtimeHub> {
      const made = await world.hub(on, clock, change);
      hubs.push(made);
      return made;
    }
    const change = (id: number, name: string, more = {}) => world.change(broker, id, name, more);

    it("sends events to a list and a single object, each with the sequence of the one before", async () => {
      const client = await TestClient.signedIn(await hub(), "ann");
      expect(await client.subscribe("people")).toMatchObject({ mode: "live", channel: null });
      await client.subscribe("people/1");
      for (const [id, name] of [
        [1, "a"],
        [2, "b"],
        [1, "c"],
      ] as const)
        await change(id, name);
      await change(3, "ignored", { type: "people.audited" });
      await change(9, "end");
      await client.untilName("people", "end");
      expect(client.names("people")).toEqual(["a", "b", "c", "end"]);
      expect(client.names("people/1")).toEqual(["a", "c"]);
      expect(client.unbroken("people") && client.unbroken("people/1")).toBe(true);
      expect(client.events("people")[0]).toMatchObject({
        kind: "people.changed",
        data: { id: 1, name: "a" },
        at: expect.any(Number),
      });
    });

    it("resumes without a gap on another process after the first one stopped", async () => {
      const [one, two] = [await hub(), await hub()];
      const first = await TestClient.signedIn(one, "ann");
      await first.subscribe("people");
      for (let i = 0; i < 10; i++) await change(i, `n${i}`);
      await first.untilName("people", "n9");
      first.leave();
      const seen = first.events("people").at(-1);
      for (let i = 10; i < 20; i++) await change(i, `n${i}`);
      const second = await TestClient.signedIn(two, "ann");
      const position = { epoch: seen?.epoch ?? "", seq: seen?.seq ?? 0 };
      expect(await second.subscribe("people", position)).toMatchObject({ mode: "resumed", ...position });
      await change(20, "n20");
      await second.untilName("people", "n20");
      expect(second.names("people")).toEqual(Array.from({ length: 11 }, (_, i) => `n${i + 10}`));
      expect(second.unbroken("people")).toBe(true);
    });

    it("resumes from the broker what is no longer in memory, while new events arrive", async () => {
      const small = await hub({ limits: { ringEvents: 5 } });
      const start = await TestClient.signedIn(small, "bob");
      const position = await start.subscribe("people");
      const expected = Array.from({ length: 450 }, (_, i) => `n${i}`);
      await Promise.all(expected.slice(0, 400).map((name, i) => change(i, name)));
      await start.received.until(() => start.events("people").length === 400);
      const client = await TestClient.signedIn(small, "ann");
      const resumed = client.subscribe("people", { epoch: position?.epoch ?? "", seq: position?.seq ?? 0 });
      for (let i = 400; i < 450; i++) await change(i, expected[i] ?? "");
      expect((await resumed)?.mode).toBe("resumed");
      await client.untilName("people", "n449");
      expect([...client.names("people")].sort()).toEqual([...expected].sort());
      expect(client.unbroken("people")).toBe(true);
    });

    it("answers with a snapshot if it cannot resume: another epoch, beyond the end, too far back", async () => {
      const made = await hub({ limits: { ringEvents: 2, resumeEvents: 10 } });
      const client = await TestClient.signedIn(made, "ann");
      const live = await client.subscribe("people");
      const epoch = live?.epoch ?? "";
      for (let i = 0; i < 30; i++) await change(i, `n${i}`);
      await client.untilName("people", "n29");
      const now = client.events("people").at(-1)?.seq ?? 0;
      for (const after of [
        { epoch: "elsewhere", seq: now },
        { epoch, seq: now + 1 },
        { epoch, seq: 1 },
      ]) {
        expect(await client.subscribe("people", after)).toMatchObject({ mode: "snapshot", epoch, seq: now });
      }
      expect(await client.subscribe("people", { epoch, seq: now })).toMatchObject({
        mode: "resumed",
        seq: now,
      });
      await change(99, "after");
      await client.untilName("people", "after");
      expect(client.events("people").at(-1)?.prev).toBe(now);
    });

    it("sends a snapshot to every client when the stream is created again, and continues in the new epoch", async () => {
      const client = await TestClient.signedIn(await hub(), "ann");
      const before = await client.subscribe("people");
      await change(1, "a");
      await client.untilName("people", "a");
      await harness.recreate(broker, "EVENTS");
      await change(2, "b");
      await client.untilName("people", "b");
      const [, renewed] = client.of("subscribed");
      expect(renewed).toMatchObject({ topic: "people", mode: "snapshot", seq: 0 });
      expect(renewed?.epoch).not.toBe(before?.epoch);
      expect(client.events("people").at(-1)).toMatchObject({ epoch: renewed?.epoch, seq: 1, prev: 0 });
    });

    it("removes fields that a viewer may not see, and hides whole messages", async () => {
      world.add("carl", { rights: new Set([seePeople.id, seePhones.id]) });
      const made = await hub();
      const [ann, carl] = [await TestClient.signedIn(made, "ann"), await TestClient.signedIn(made, "carl")];
      await ann.subscribe("people");
      await carl.subscribe("people");
      await change(1, "Pat", { phone: "555-0100" });
      await change(2, "Hidden", { phone: "555-0199" });
      await change(3, "end");
      await Promise.all([ann.untilName("people", "end"), carl.untilName("people", "end")]);
      expect(carl.events("people")[0]?.data).toEqual({ id: 1, name: "Pat", phone: "555-0100" });
      expect(JSON.stringify(ann.messages())).not.toContain("555-0100");
      expect(JSON.stringify([...ann.messages(), ...carl.messages()])).not.toContain("Hidden");
      expect(ann.unbroken("people")).toBe(true);
    });

    it("computes an event once for two hundred viewers of two classes", async () => {
      const count = { project: 0, view: 0 };
      const made = await hub({ bindings: peopleTopics(count), limits: { connectionsPerAccount: 500 } });
      world.add("carl", { rights: new Set([seePeople.id, seePhones.id]) });
      const clients = await Promise.all(Array.from({ length: 200 }, (_, i) => TestClient.signedIn(made, i % 2 ? "ann" : "carl")));
      await Promise.all(clients.map((c) => c.subscribe("people")));
      await change(1, "one");
      await Promise.all(clients.map((c) => c.untilName("people", "one")));
      expect(count).toEqual({ project: 1, view: 2 });
    });

    it("ends a subscription when its right is revoked, and filters more when rights shrink", async () => {
      world.add("carl", { rights: new Set([seePeople.id, seePhones.id]) });
      const made = await hub();
      const [ann, carl] = [await TestClient.signedIn(made, "ann"), await TestClient.signedIn(made, "carl")];
      for (const c of [ann, carl]) await c.subscribe("people");
      await change(1, "a", { phone: "1" });
      await Promise.all([ann, carl].map((c) => c.untilName("people", "a")));
      world.add("ann", { rights: new Set(), account: 1, epoch: 2 });
      world.add("carl", { account: 3, epoch: 2 });
      await made.sessions.rightsChanged("test", (viewer) => ["ann", "carl"].includes(viewer.username));
      expect([ann, carl].map((c) => c.of("rights"))).toEqual([[{ type: "rights" }], [{ type: "rights" }]]);
      expect(ann.of("revoked")).toEqual([
        {
          type: "revoked",
          topic: "people",
          code: realtimeErrors.forbidden.code,
          params: { topic: "people", permissions: seePeople.id },
        },
      ]);
      expect(carl.of("subscribed").at(-1)).toMatchObject({ topic: "people", mode: "snapshot" });
      await change(2, "b", { phone: "2" });
      await carl.untilName("people", "b");
      expect(carl.events("people").at(-1)?.data).toEqual({ id: 2, name: "b" });
      expect(ann.names("people")).toEqual(["a"]);
      expect(await ann.subscribe("people")).toBeNull();
    });

    it("keeps continuity for viewers with unchanged rights, including events during the recheck", async () => {
      const gate = Promise.withResolvers<void>();
      const refreshing = Promise.withResolvers<void>();
      const made = await hub({
        refresh: async (viewer) => {
          refreshing.resolve();
          await gate.promise;
          return world.viewer(viewer.username);
        },
      });
      const client = await TestClient.signedIn(made, "ann");
      const other = await TestClient.signedIn(made, "bob");
      await client.subscribe("people");
      await other.subscribe("people");
      const checked = made.sessions.rightsChanged("test", (viewer) => viewer.username === "ann");
      await refreshing.promise;
      await change(1, "during");
      await other.untilName("people", "during");
      expect(client.names("people")).toEqual([]);
      gate.resolve();
      await checked;
      await change(2, "after");
      await client.untilName("people", "after");
      expect(client.names("people")).toEqual(["during", "after"]);
      expect(client.unbroken("people")).toBe(true);
      expect([client.of("subscribed").length, client.of("rights").length]).toEqual([1, 0]);
    });

    it("checks again a viewer who changed while a change of rights for it was under way", async () => {
      const gate = Promise.withResolvers<void>();
      const loading = Promise.withResolvers<void>();
      const made = await hub({
        refresh: async (viewer) => {
          const found = world.viewer(viewer.username);
          loading.resolve();
          await gate.promise;
          return found;
        },
      });
      const client = await TestClient.signedIn(made, "ann");
      await client.subscribe("people");
      world.add("ann", { job: "ambulance", account: 1, epoch: 2 });
      const moved = made.sessions.rightsChanged("test", ({ username }) => username === "ann");
      await loading.promise;
      // Concerns the other job, in which this viewer already is: its connection does not know it yet.
      world.add("ann", { job: "ambulance", account: 1, epoch: 3, rights: new Set() });
      const revoked = made.sessions.rightsChanged("test", ({ job }) => job === "ambulance");
      gate.resolve();
      await Promise.all([moved, revoked]);
      expect(client.of("revoked")).toHaveLength(1);
    });

    it("checks again a viewer whose rights changed while it signed in", async () => {
      const gate = Promise.withResolvers<void>();
      const loading = Promise.withResolvers<void>();
      const made = await hub({
        authenticate: async (token) => {
          const viewer = world.viewer(token)!;
          loading.resolve();
          await gate.promise;
          return { viewer, expiresAt: Number.MAX_SAFE_INTEGER };
        },
      });
      const client = new TestClient(made);
      client.send({ type: "auth", token: "ann" });
      await loading.promise;
      world.add("ann", { rights: new Set(), account: 1, epoch: 2 });
      await made.sessions.rightsChanged("test", ({ username }) => username === "ann");
      gate.resolve();
      await client.next("rights");
      expect(await client.subscribe("people")).toBeNull();
    });

    it("closes the connection of an ended session", async () => {
      const made = await hub();
      const client = await TestClient.signedIn(made, "ann");
      world.people.delete("ann");
      await made.sessions.rightsChanged("test", () => true);
      expect(client.closed?.code).toBe(closeCodes.sessionEnded);
    });

    it("closes a slow reader, which resumes without a loss", async () => {
      const made = await hub();
      const client = await TestClient.signedIn(made, "ann");
      await client.subscribe("people");
      await change(1, "a");
      await client.untilName("people", "a");
      client.backlog = made.limits.slowReaderBytes + 1;
      await change(2, "b");
      expect(await client.end()).toEqual({
        code: closeCodes.slowReader,
        reason: expect.stringContaining("resume"),
      });
      const again = await TestClient.signedIn(made, "ann");
      const { epoch, seq } = client.events("people")[0] ?? { epoch: "", seq: 0 };
      await again.subscribe("people", { epoch, seq });
      await again.untilName("people", "b");
      expect(again.names("people")).toEqual(["b"]);
    });

    it("closes all connections when it stops", async () => {
      const made = await hub();
      const client = await TestClient.signedIn(made, "ann");
      const anonymous = new TestClient(made);
      await made.close();
      for (const c of [client, anonymous])
        expect(c.closed).toEqual({ code: 1012, reason: expect.stringContaining("connect again") });
    });
  });
}
