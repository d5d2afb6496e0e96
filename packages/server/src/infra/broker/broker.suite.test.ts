import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Broker, MessageTooLarge, type StreamInfo, StreamPositionLost, maxMessageBytes } from "#core/ports/index.ts";
import { bytes, Collector, type Harness, testedBrokers, text } from "./broker.testkit.ts";

const adapters = await testedBrokers();
const stream = { name: "EVENTS", subjects: ["events.>"], maxAgeMs: 3_600_000, duplicateWindowMs: 60_000 };

interface Seen {
  seq: number;
  text: string | null;
  attempt: number;
}
const seen = (m: { seq: number; data: Uint8Array; attempt: number }): Seen => ({
  seq: m.seq,
  text: text(m.data),
  attempt: m.attempt,
});

/** The broker under test; a test that restarts it sets the new one. */
interface Subject {
  harness: Harness;
  broker: Broker;
}

async function appendAll(at: Subject, ...names: string[]): Promise<void> {
  for (const name of names) await at.broker.append("events.t.x", bytes(name), { id: name });
}

function publishing(at: Subject): void {
  describe("publish and subscribe", () => {
    it("reaches exact, one-word and open-ended patterns and nothing else", async () => {
      const got = new Collector<string>();
      for (const pattern of ["a.b.c", "a.*.c", "a.>", "a.*", "b.>", "a.b.c.>"]) {
        at.broker.subscribe(pattern, (m) => got.add(`${pattern} ${m.subject} ${text(m.data)}`));
      }
      await at.broker.publish("a.b.c", bytes("1"));
      await at.broker.publish("a.x", bytes("2"));
      await at.broker.publish("b.end", bytes("3"));
      await got.until((all) => all.some((x) => x.endsWith("3")));
      expect([...got.items].sort()).toEqual([
        "a.* a.x 2",
        "a.*.c a.b.c 1",
        "a.> a.b.c 1",
        "a.> a.x 2",
        "a.b.c a.b.c 1",
        "b.> b.end 3",
      ]);
    });

    it("keeps the order of a publisher and survives a throwing handler", async () => {
      const got = new Collector<string | null>();
      at.broker.subscribe("n.>", () => {
        throw new Error("listener failed");
      });
      at.broker.subscribe("n.*", (m) => got.add(text(m.data)));
      for (let i = 0; i < 50; i++) await at.broker.publish("n.x", bytes(String(i)));
      expect(await got.count(50)).toEqual(Array.from({ length: 50 }, (_, i) => String(i)));
    });

    it("stops after close and refuses malformed subjects", async () => {
      const got = new Collector<string | null>();
      const closed = at.broker.subscribe("c.>", () => got.add("closed one"));
      at.broker.subscribe("c.>", (m) => got.add(text(m.data)));
      await closed.close();
      await at.broker.publish("c.x", bytes("only"));
      expect(await got.count(1)).toEqual(["only"]);
      await expect(at.broker.publish("c.*", bytes(""))).rejects.toThrow(/not a subject/);
      expect(() => at.broker.subscribe("c.>.x", () => {})).toThrow(/not a subject pattern/);
    });
  });
}

function streams(at: Subject): void {
  describe("streams", () => {
    it("numbers messages from 1 and stores a repeated id once", async () => {
      expect(await at.broker.streamInfo("EVENTS")).toMatchObject({ first: 1, last: 0 });
      const first = await at.broker.append("events.a.b", bytes("x"), { id: "1" });
      const again = await at.broker.append("events.a.b", bytes("x"), { id: "1" });
      const next = await at.broker.append("events.a.c", bytes("y"), { id: "2" });
      expect([first, again, next]).toEqual([
        { seq: 1, duplicate: false },
        { seq: 1, duplicate: true },
        { seq: 2, duplicate: false },
      ]);
      expect(await at.broker.streamInfo("EVENTS")).toMatchObject({ first: 1, last: 2 });
    });

    it("reads a range with everything that was stored", async () => {
      const before = Date.now();
      await appendAll(at, "a", "b", "c", "d");
      const found = await at.broker.read("EVENTS", 2, 2);
      expect(found.map((m) => [m.seq, m.subject, m.id, text(m.data), m.attempt])).toEqual([
        [2, "events.t.x", "b", "b", 1],
        [3, "events.t.x", "c", "c", 1],
      ]);
      expect(found[0]?.at).toBeGreaterThan(before - 5000);
      expect(found[0]?.at).toBeLessThan(Date.now() + 5000);
      expect(await at.broker.read("EVENTS", 5, 10)).toEqual([]);
      expect(await at.broker.read("EVENTS", 99, 10)).toEqual([]);
      expect((await at.broker.read("EVENTS", 0, 10)).map((m) => m.seq)).toEqual([1, 2, 3, 4]);
    });

    it("refuses a message over the limit and a subject without a stream", async () => {
      await expect(at.broker.append("events.big", new Uint8Array(maxMessageBytes + 1), { id: "b" })).rejects.toThrow(
        MessageTooLarge,
      );
      await expect(at.broker.publish("big.one", new Uint8Array(maxMessageBytes + 1))).rejects.toThrow(MessageTooLarge);
      await expect(at.broker.append("elsewhere.x", bytes("x"), { id: "e" })).rejects.toThrow();
      await at.broker.append("events.big", new Uint8Array(maxMessageBytes), { id: "ok" });
      expect((await at.broker.read("EVENTS", 1, 1))[0]?.data.byteLength).toBe(maxMessageBytes);
    });

    it("drops the oldest over the byte limit, and a changed limit applies to an existing stream", async () => {
      const big = new Uint8Array(100_000);
      for (let i = 0; i < 5; i++) await at.broker.append("events.x", big, { id: `big${i}` });
      await at.broker.ensureStream({ ...stream, maxBytes: 250_000 });
      if ("sweep" in at.broker) await (at.broker as { sweep(): Promise<void> }).sweep();
      expect(await at.broker.streamInfo("EVENTS")).toMatchObject({ first: 4, last: 5 });
      expect((await at.broker.read("EVENTS", 1, 10)).map((m) => m.seq)).toEqual([4, 5]);
    });

    it("keeps its epoch across a restart and changes it when created again", async () => {
      const { epoch } = await at.broker.streamInfo("EVENTS");
      await appendAll(at, "a");
      await at.broker.close();
      at.broker = await at.harness.open();
      await at.broker.ensureStream(stream);
      expect(await at.broker.streamInfo("EVENTS")).toEqual({ epoch, first: 1, last: 1 });
      await at.harness.recreate(at.broker, "EVENTS");
      const recreated = await at.broker.streamInfo("EVENTS");
      expect(recreated).toMatchObject({ first: 1, last: 0 });
      expect(recreated.epoch).not.toBe(epoch);
    });
  });
}

function orderedConsumers(at: Subject): void {
  describe("ordered consumers", () => {
    it("receive everything from the start, from a sequence, or only new messages", async () => {
      await appendAll(at, "a", "b", "c");
      const [all, from, fresh] = [new Collector<Seen>(), new Collector<Seen>(), new Collector<Seen>()];
      await at.broker.consume("EVENTS", { start: "all" }, async (m) => all.add(seen(m)));
      await at.broker.consume("EVENTS", { start: { seq: 2 } }, async (m) => from.add(seen(m)));
      await at.broker.consume("EVENTS", { start: "new" }, async (m) => fresh.add(seen(m)));
      await appendAll(at, "d", "e");
      expect((await all.count(5)).map((m) => m.text)).toEqual(["a", "b", "c", "d", "e"]);
      expect((await from.count(4)).map((m) => m.seq)).toEqual([2, 3, 4, 5]);
      expect((await fresh.count(2)).map((m) => m.text)).toEqual(["d", "e"]);
    });

    it("refuse a start outside the stream", async () => {
      await appendAll(at, "a", "b");
      const nothing = async () => {};
      await expect(at.broker.consume("EVENTS", { start: { seq: 4 } }, nothing)).rejects.toThrow(StreamPositionLost);
      await expect(at.broker.consume("EVENTS", { start: { seq: 0 } }, nothing)).rejects.toThrow(StreamPositionLost);
      const next = new Collector<Seen>();
      await at.broker.consume("EVENTS", { start: { seq: 3 } }, async (m) => next.add(seen(m)));
      await appendAll(at, "c");
      expect((await next.count(1))[0]).toMatchObject({ seq: 3, text: "c" });
    });

    it("deliver one message at a time, and again if its handler threw, in order", async () => {
      await appendAll(at, "a", "b", "c");
      const got = new Collector<string>();
      let running = 0;
      await at.broker.consume("EVENTS", { start: "all" }, async (m) => {
        expect(++running).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        got.add(`${text(m.data)}${m.attempt}`);
        if (text(m.data) === "b" && m.attempt < 3) throw new Error("not yet");
      });
      expect(await got.count(5)).toEqual(["a1", "b1", "b2", "b3", "c1"]);
    });

    it("report that the stream was created again and continue with it", async () => {
      await appendAll(at, "a", "b");
      const { epoch } = await at.broker.streamInfo("EVENTS");
      const got = new Collector<Seen>();
      const resets = new Collector<{ info: StreamInfo; reason: string }>();
      await at.broker.consume("EVENTS", { start: "all", onReset: (info, reason) => resets.add({ info, reason }) }, async (m) =>
        got.add(seen(m)),
      );
      await got.count(2);
      await at.harness.recreate(at.broker, "EVENTS");
      await at.broker.append("events.t.x", bytes("new a"), { id: "na" });
      const [reset] = await resets.count(1);
      expect(reset?.reason).toBe("epoch");
      expect(reset?.info.epoch).not.toBe(epoch);
      expect((await got.count(3)).at(-1)).toMatchObject({ seq: 1, text: "new a" });
    });

    it("stop at close", async () => {
      const got = new Collector<Seen>();
      const closed = await at.broker.consume("EVENTS", { start: "all" }, async (m) => got.add({ ...seen(m), text: "closed" }));
      await closed.close();
      await at.broker.consume("EVENTS", { start: "all" }, async (m) => got.add(seen(m)));
      await appendAll(at, "a");
      expect((await got.count(1)).map((m) => m.text)).toEqual(["a"]);
    });
  });
}

function durableConsumers(at: Subject): void {
  describe("durable consumers", () => {
    it("repeat a message whose handler threw after a delay, counting attempts", async () => {
      const got = new Collector<string>();
      await at.broker.consume("EVENTS", { durable: "work", start: "all" }, async (m) => {
        got.add(`${text(m.data)}${m.attempt}`);
        if (m.attempt < 3) throw new Error("not yet");
      });
      await appendAll(at, "a");
      expect(await got.count(3)).toEqual(["a1", "a2", "a3"]);
    });

    it("continue after a restart without acknowledged messages", async () => {
      const before = new Collector<Seen>();
      await at.broker.consume("EVENTS", { durable: "work", start: "all" }, async (m) => {
        before.add(seen(m));
        if (text(m.data) === "b") throw new Error("left for the next process");
      });
      await appendAll(at, "a", "b");
      await before.until((all) => all.some((m) => m.text === "b"));
      await at.broker.close();
      at.broker = await at.harness.open();
      await at.broker.ensureStream(stream);
      const after = new Collector<Seen>();
      await at.broker.consume("EVENTS", { durable: "work", start: "all" }, async (m) => after.add(seen(m)));
      await appendAll(at, "c");
      await after.until((all) => ["b", "c"].every((x) => all.some((m) => m.text === x)));
      expect(after.items.map((m) => m.text).sort()).toEqual(["b", "c"]);
      expect(after.items.find((m) => m.text === "b")?.attempt).toBeGreaterThan(1);
    });

    it("share the messages between members, each delivered once", async () => {
      const got = new Collector<string>();
      const gate = Promise.withResolvers<void>();
      const bothBusy = Promise.withResolvers<void>();
      const busy = new Set<string>();
      for (const member of ["one", "two"]) {
        await at.broker.consume("EVENTS", { durable: "shared", start: "all" }, async (m) => {
          busy.add(member);
          if (busy.size === 2) bothBusy.resolve();
          await gate.promise;
          got.add(`${text(m.data)}`);
        });
      }
      const names = Array.from({ length: 100 }, (_, i) => `m${i}`);
      await Promise.all(names.map((name) => at.broker.append("events.t.x", bytes(name), { id: name })));
      await bothBusy.promise;
      gate.resolve();
      await got.count(100);
      expect([...got.items].sort()).toEqual([...names].sort());
    });

    it("start with new messages if requested, and return unhandled messages at close", async () => {
      await appendAll(at, "old");
      const first = new Collector<string>();
      const gate = Promise.withResolvers<void>();
      const reader = await at.broker.consume("EVENTS", { durable: "late", start: "new" }, async (m) => {
        first.add(`${text(m.data)}`);
        await gate.promise;
      });
      await appendAll(at, "a", "b", "c");
      await first.count(1);
      const closing = reader.close();
      gate.resolve();
      await closing;
      const second = new Collector<string>();
      await at.broker.consume("EVENTS", { durable: "late", start: "new" }, async (m) => second.add(`${text(m.data)}`));
      expect([...(await second.count(2))].sort()).toEqual(["b", "c"]);
      expect(first.items).toEqual(["a"]);
    });
  });
}

for (const adapter of adapters) {
  describe(`broker on ${adapter.name}`, { timeout: 20_000 }, () => {
    const at = {} as Subject;
    beforeEach(async () => {
      at.harness = adapter.harness();
      at.broker = await at.harness.open();
      await at.broker.ensureStream(stream);
    });
    afterEach(() => at.harness.dispose());

    for (const suite of [publishing, streams, orderedConsumers, durableConsumers]) suite(at);
  });
}
