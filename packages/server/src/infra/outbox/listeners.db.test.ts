import { AsyncLocalStorage } from "node:async_hooks";
import { expect, it } from "vitest";
import { listenTo } from "#core/feature.ts";
import type { Broker } from "#core/ports/index.ts";
import { describeDatabases } from "#testkit/database.ts";
import { recordingLog, silentLog } from "#testkit/silence.ts";
import { Collector, natsHarness, natsReachable, natsServerInstalled, PrivateNats, whenState } from "../broker/broker.testkit.ts";
import { EventListeners } from "./index.ts";
import { moved, OutboxFixture, renamed } from "./outbox.testkit.ts";
import { encodeEvent, subjectOf } from "./wire.ts";

const hasNats = await natsReachable();
const hasNatsServer = natsServerInstalled();

/** The listeners of one process, and what they received. */
function listeningProcess(names: readonly string[] = ["one"], log = silentLog) {
  const got = new Collector<string>();
  const listeners = new EventListeners(log);
  listeners.add(
    names.map((name) =>
      listenTo({
        event: renamed,
        onEvent: ({ key, payload }) => got.add(`${name} ${key} ${payload.name}`),
        onMissed: () => got.add(`${name} missed`),
      }),
    ),
  );
  return { got, listeners };
}

describeDatabases("listeners", (get) => {
  const at = new OutboxFixture(get);

  it("are called in their order when the write returns, without relay and broker", async () => {
    const { got, listeners } = listeningProcess(["first", "second", "third"]);
    await at.rename(at.outbox(undefined, listeners), "p1", 1);
    expect(got.items).toEqual(["first p1 p1 1", "second p1 p1 1", "third p1 p1 1"]);
  });

  it("receive the events of one commit in the order in which they were emitted, and only then", async () => {
    const { db } = get();
    const { got, listeners } = listeningProcess();
    const box = at.outbox(undefined, listeners);
    const payload = { name: "early" };
    await db.write("people.rename", async (tx) => {
      await box.emit(tx, renamed, { key: "p1", version: 1, payload });
      payload.name = "changed since";
      await box.emit(tx, renamed, { key: "p2", version: 1, payload: { name: "late" } });
      await box.emit(tx, moved, { key: "p2", version: 2, payload: { to: "here" } });
      expect(got.items).toEqual([]);
    });
    expect(got.items).toEqual(["one p1 early", "one p2 late"]);
  });

  it("receive nothing of what was rolled back", async () => {
    const { db } = get();
    const { got, listeners } = listeningProcess();
    const box = at.outbox(undefined, listeners);
    const failing = db.write("people.rename", async (tx) => {
      await box.emit(tx, renamed, { key: "p1", version: 1, payload: { name: "never" } });
      throw new Error("no");
    });
    await expect(failing).rejects.toThrow("no");
    await at.rename(box, "p2", 1);
    expect(got.items).toEqual(["one p2 p2 1"]);
  });

  it("are called once although the broker brings the event back, and by the broker in other processes", async () => {
    const [own, other] = [listeningProcess(), listeningProcess()];
    const relay = await at.relay();
    at.closing.push(own.listeners.subscribe(at.broker), other.listeners.subscribe(at.broker));
    const box = at.outbox(() => relay.nudge(), own.listeners);
    await at.rename(box, "p1", 1);
    expect(own.got.items).toEqual(["one missed", "one p1 p1 1"]);
    expect(other.got.items).toEqual(["one missed"]);
    await other.got.count(2);
    // An event that no process delivers itself, as of a command: after it the first would have come back.
    await at.rename(
      at.outbox(() => relay.nudge()),
      "p2",
      1,
    );
    await Promise.all([own.got.count(3), other.got.count(3)]);
    expect(own.got.items).toEqual(["one missed", "one p1 p1 1", "one p2 p2 1"]);
    expect(other.got.items).toEqual(["one missed", "one p1 p1 1", "one p2 p2 1"]);
  });

  it("are called once when another process's relay is faster than the delivery here", async () => {
    const { got, listeners } = listeningProcess();
    at.closing.push(listeners.subscribe(at.broker));
    const message = { eventId: "e1", type: renamed.id, schemaVersion: 2, key: "p1", version: 1, at: 0, payload: { name: "a" } };
    await at.broker.publish(subjectOf(renamed.id), encodeEvent(message));
    await got.count(2);
    listeners.deliver(message);
    listeners.deliver({ ...message, eventId: "e2", key: "p2" });
    expect(got.items).toEqual(["one missed", "one p1 a", "one p2 a"]);
  });

  it("of every process are called, even if one throws", async () => {
    const got = new Collector<string>();
    const relay = await at.relay();
    const listen = (name: string, throws = false) =>
      listenTo({
        event: renamed,
        onEvent: ({ key }) => {
          got.add(`${name} ${key}`);
          if (throws) throw new Error("listener failed");
        },
      });
    const listeners = new EventListeners(silentLog);
    listeners.add([listen("one", true), listen("two")]);
    at.closing.push(listeners.subscribe(at.broker));
    await at.rename(
      at.outbox(() => relay.nudge()),
      "p1",
      1,
    );
    expect(await got.count(2)).toEqual(["one p1", "two p1"]);
  });

  it("that throw are logged, and do not keep the others from receiving the event", async () => {
    const log = recordingLog();
    const { got, listeners } = listeningProcess([], log);
    const broken = () => {
      throw new Error("listener failed");
    };
    listeners.add([
      listenTo({ event: renamed, onEvent: broken, onMissed: broken }),
      listenTo({ event: renamed, onEvent: ({ key }) => got.add(key), onMissed: () => got.add("missed") }),
    ]);
    at.closing.push(listeners.subscribe(at.broker));
    await at.rename(at.outbox(undefined, listeners), "p1", 1);
    expect(got.items).toEqual(["missed", "p1"]);
    expect(log.lines.map(({ message }) => message)).toEqual(["an event listener failed", "an event listener failed"]);
  });

  it("run outside of the request that committed", async () => {
    const request = new AsyncLocalStorage<string>();
    const got = new Collector<string | undefined>();
    const listeners = new EventListeners(silentLog);
    listeners.add([listenTo({ event: renamed, onEvent: () => got.add(request.getStore()) })]);
    await request.run("a request", async () => await at.rename(at.outbox(undefined, listeners), "p1", 1));
    expect(got.items).toEqual([undefined]);
  });

  it.skipIf(!hasNats)("are called in two processes on NATS, once in each", async () => {
    const nats = natsHarness();
    try {
      const brokers = [await nats.open(), await nats.open()];
      const processes = brokers.map((broker) => {
        const made = listeningProcess();
        at.closing.push(made.listeners.subscribe(broker));
        return made;
      });
      const relay = await at.relay({ broker: brokers[0] as Broker });
      const boxes = processes.map(({ listeners }) => at.outbox(() => relay.nudge(), listeners));
      const keys = Array.from({ length: 20 }, (_, i) => `p${i}`);
      for (const [i, key] of keys.entries()) {
        await at.rename(boxes[i % 2]!, key, 1);
        // Here at once, without waiting for the broker.
        expect(processes[i % 2]!.got.items).toContain(`one ${key} ${key} 1`);
      }
      const expected = ["one missed", ...keys.map((key) => `one ${key} ${key} 1`)].sort();
      for (const { got } of processes) await got.count(expected.length);
      await relay.close();
      for (const { got } of processes) expect([...got.items].sort()).toEqual(expected);
    } finally {
      await Promise.all(at.closing.splice(0).map((one) => one.close()));
      await nats.dispose();
    }
  });

  it.skipIf(!hasNatsServer)(
    "are told, in their order, that they may have missed events when the connection is back",
    async () => {
      const server = await PrivateNats.start();
      const nats = natsHarness(server.address);
      try {
        const broker = await nats.open();
        const { got, listeners } = listeningProcess(["first", "second"]);
        at.closing.push(listeners.subscribe(broker));
        expect(got.items).toEqual(["first missed", "second missed"]);
        await server.kill();
        await whenState(broker, false);
        await at.rename(at.outbox(undefined, listeners), "p1", 1);
        expect(got.items.slice(2)).toEqual(["first p1 p1 1", "second p1 p1 1"]);
        await server.run();
        await got.count(6);
        expect(got.items.slice(4)).toEqual(["first missed", "second missed"]);
      } finally {
        await Promise.all(at.closing.splice(0).map((one) => one.close()));
        await nats.dispose();
        await server.dispose();
      }
    },
  );
});
