import { expect, it } from "vitest";
import { queries } from "#core/db/index.ts";
import { reactTo } from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";
import { describeDatabases } from "#testkit/database.ts";
import { noMetrics, silentLog } from "#testkit/silence.ts";
import { Collector, natsHarness, natsReachable } from "../broker/broker.testkit.ts";
import { createReactions, eventStream } from "./index.ts";
import { moved, OutboxFixture, renamed } from "./outbox.testkit.ts";

const hasNats = await natsReachable();

describeDatabases("reactions", (get) => {
  const at = new OutboxFixture(get);

  it("run once per event and reaction, in a unit of work with the record of it", async () => {
    const { db } = get();
    const got = new Collector<string>();
    const reaction = (consumer: string, event: typeof renamed | typeof moved) =>
      reactTo({
        consumer,
        event: event as typeof renamed,
        handle: async (tx, m) => tx.afterCommit(() => got.add(`${consumer} ${m.key}`)),
      });
    const relay = await at.relay();
    const reactions = createReactions({
      tasks: at.tasks,
      db,
      broker: at.broker,
      log: silentLog,
      metrics: noMetrics,
      reactions: [reaction("a.index", renamed), reaction("b.notify", renamed), reaction("b.moved", moved)],
    });
    at.closing.push(reactions);
    await reactions.start();
    const box = at.outbox(() => relay.nudge());
    await at.rename(box, "p1", 1);
    await db.write("people.move", (tx) => box.emit(tx, moved, { key: "p1", version: 2, payload: { to: "here" } }));
    await got.count(3);
    const [event] = await at.stored();
    // The same event again, as after a crash before the acknowledgement.
    await at.broker.append("events.people.renamed", (await at.broker.read(eventStream.name, 1, 1))[0]?.data ?? new Uint8Array(), {
      id: "again",
    });
    await at.rename(box, "p2", 1);
    await got.until((all) => all.filter((x) => x.endsWith("p2")).length === 2);
    expect([...got.items].sort()).toEqual(["a.index p1", "a.index p2", "b.moved p1", "b.notify p1", "b.notify p2"]);
    const inbox = await db.read("test.inbox", (tx) =>
      queries<InfrastructureTables>(tx)
        .selectFrom("outbox_inbox")
        .selectAll()
        .where("event_id", "=", event?.eventId ?? "")
        .execute(),
    );
    expect(inbox.map((r) => r.consumer).sort()).toEqual(["a.index", "b.notify"]);
  });

  it("that fail roll back and are tried again as tasks; others and later events of the key go on", async () => {
    const { db, clock } = get();
    const got = new Collector<string>();
    let failures = 2;
    const relay = await at.relay();
    const flaky = [
      reactTo({
        consumer: "x.flaky",
        event: renamed,
        handle: async (tx, m) => {
          got.add(`try ${m.version}`);
          tx.afterCommit(() => got.add(`flaky ${m.version}`));
          if (m.version === 1 && failures-- > 0) throw new Error("not yet");
        },
      }),
      reactTo({
        consumer: "y.steady",
        event: renamed,
        handle: async (tx, m) => tx.afterCommit(() => got.add(`steady ${m.version}`)),
      }),
    ];
    const reactions = createReactions({
      db,
      broker: at.broker,
      log: silentLog,
      metrics: noMetrics,
      tasks: at.tasks,
      reactions: flaky,
    });
    at.closing.push(reactions);
    await reactions.start();
    const box = at.outbox(() => relay.nudge());
    await at.rename(box, "p1", 1);
    await at.rename(box, "p1", 2);
    await got.until((all) => all.includes("steady 2"));
    expect(got.items).toEqual(["try 1", "steady 1", "try 2", "flaky 2", "steady 2"]);
    const worker = at.worker(flaky);
    while (!got.items.includes("flaky 1")) {
      // A lease that expires while a transaction is on its way to the database repeats the attempt.
      await worker.idle();
      await clock.advance(500);
    }
    expect(got.items.slice(5)).toEqual(["try 1", "try 1", "flaky 1"]);
  });

  it("that always fail end as a dead task that names them, and can be sent again", async () => {
    const { db, clock } = get();
    const tried: string[] = [];
    let broken = true;
    const relay = await at.relay();
    const failing = [
      reactTo({
        consumer: "x.broken",
        event: renamed,
        async handle(_tx, { eventId }) {
          tried.push(eventId);
          if (broken) throw new Error("no such person");
        },
      }),
    ];
    const reactions = createReactions({
      db,
      broker: at.broker,
      log: silentLog,
      metrics: noMetrics,
      tasks: at.tasks,
      reactions: failing,
    });
    at.closing.push(reactions);
    await reactions.start();
    await at.rename(
      at.outbox(() => relay.nudge()),
      "p1",
      1,
    );
    const worker = at.worker(failing);
    const dead = async () => await db.read("test.dead", async (tx) => (await at.tasks.dead(tx, 10)).items);
    while ((await dead()).length === 0) {
      await worker.idle();
      await clock.advance(60_000);
    }
    const [task] = await dead();
    expect(task).toMatchObject({ kind: "events.react", error: "Error: x.broken of people.renamed: no such person" });
    const before = tried.length;
    expect(before).toBeGreaterThan(5);
    broken = false;
    await db.write("test.resend", async (tx) => await at.tasks.resend(tx, task!.id));
    while (tried.length === before) {
      await worker.idle();
      await clock.advance(1000);
    }
    await worker.idle();
    expect(await dead()).toEqual([]);
    expect(new Set(tried).size).toBe(1);
  });

  it("skip messages that are not events", async () => {
    const { db } = get();
    const got = new Collector<string>();
    const relay = await at.relay();
    await at.broker.append("events.people.renamed", new TextEncoder().encode("{broken"), { id: "x" });
    const reactions = createReactions({
      tasks: at.tasks,
      db,
      broker: at.broker,
      log: silentLog,
      metrics: noMetrics,
      reactions: [reactTo({ consumer: "x.y", event: renamed, handle: async (_tx, m) => got.add(m.key) })],
    });
    at.closing.push(reactions);
    await reactions.start();
    await at.rename(
      at.outbox(() => relay.nudge()),
      "p1",
      1,
    );
    expect(await got.count(1)).toEqual(["p1"]);
  });

  it.skipIf(!hasNats)("reaches reactions of two processes through NATS, each event once", async () => {
    const nats = natsHarness();
    const [one, two] = [await nats.open(), await nats.open()];
    try {
      const got = new Collector<string>();
      const relay = await at.relay({ broker: one });
      const processes = [one, two].map((b) =>
        createReactions({
          tasks: at.tasks,
          db: get().open(),
          broker: b,
          log: silentLog,
          metrics: noMetrics,
          reactions: [
            reactTo({
              consumer: "x.y",
              event: renamed,
              handle: async (tx, m) => tx.afterCommit(() => got.add(m.key)),
            }),
          ],
        }),
      );
      for (const p of processes) await p.start();
      const box = at.outbox(() => relay.nudge());
      const keys = Array.from({ length: 30 }, (_, i) => `p${i}`);
      for (const key of keys) await at.rename(box, key, 1);
      await got.until((all) => new Set(all).size === 30);
      await Promise.all([relay.close(), ...processes.map((p) => p.close())]);
      expect([...got.items].sort()).toEqual([...keys].sort());
    } finally {
      await nats.dispose();
    }
  });
});
