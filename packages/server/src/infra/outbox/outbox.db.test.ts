import { expect, it } from "vitest";
import { queries } from "#core/db/index.ts";
import { type Broker, BrokerUnavailable, type Database, maxPayloadBytes, PayloadTooLarge } from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";
import { describeDatabases } from "#testkit/database.ts";
import { recordingLog } from "#testkit/silence.ts";
import { cleanUp } from "./cleanup.ts";
import { eventStream } from "./index.ts";
import { OutboxFixture, renamed } from "./outbox.testkit.ts";

describeDatabases("outbox", (get) => {
  const at = new OutboxFixture(get);

  it("publishes committed events unchanged, soon after the commit", async () => {
    const got = await at.arrivals();
    const box = at.outbox((await at.relay()).nudge.bind(at.closing.at(-1)));
    await at.rename(box, "p1", 1);
    const [message] = await got.count(1);
    expect(message).toEqual({
      eventId: expect.stringMatching(/^.{26}$/),
      type: "people.renamed",
      schemaVersion: 2,
      key: "p1",
      version: 1,
      at: get().clock.now(),
      payload: { name: "p1 1" },
    });
    expect((await at.broker.read(eventStream.name, 1, 1))[0]).toMatchObject({
      subject: "events.people.renamed",
      id: message?.eventId,
    });
  });

  it("publishes nothing of a unit of work that rolled back, and refuses a payload that is too large", async () => {
    const { db } = get();
    const box = at.outbox();
    const failed = db.write("people.rename", async (tx) => {
      await box.emit(tx, renamed, { key: "p1", version: 1, payload: { name: "x" } });
      throw new Error("changed my mind");
    });
    await expect(failed).rejects.toThrow("changed my mind");
    const huge = db.write("people.rename", (tx) =>
      box.emit(tx, renamed, { key: "p1", version: 1, payload: { name: "ä".repeat(maxPayloadBytes / 2) } }),
    );
    await expect(huge).rejects.toThrow(PayloadTooLarge);
    expect(await at.rows()).toEqual([]);
  });

  it("finds events of another process within a second", async () => {
    const got = await at.arrivals();
    const { clock } = get();
    const others = clock.waiting;
    await at.relay();
    // Its first round has ended: the second that is measured begins here.
    await expect.poll(() => clock.waiting).toBe(others + 1);
    await at.rename(at.outbox(), "p1", 1, get().open());
    await clock.advance(999);
    expect(got.items).toEqual([]);
    await clock.advance(1);
    expect((await got.count(1))[0]?.key).toBe("p1");
  });

  it.each([false, true])(
    "keeps the order of a key with several relays (disableLocking %s), without losses and duplicates",
    async (disableLocking) => {
      const { db } = get();
      const got = await at.arrivals();
      const open = () => get().open({ disableLocking });
      const relays = [await at.relay({ db: open() }), await at.relay({ db: open() }), await at.relay({ db: open() })];
      const box = at.outbox(() => relays.forEach((r) => r.nudge()));
      const keys = ["a", "b", "c", "d"];
      await Promise.all(
        keys.map(async (key) => {
          for (let version = 1; version <= 25; version++) await at.rename(box, key, version, db);
        }),
      );
      await got.count(100);
      for (const key of keys) {
        expect(got.items.filter((m) => m.key === key).map((m) => m.version)).toEqual(Array.from({ length: 25 }, (_, i) => i + 1));
      }
      await Promise.all(relays.map((r) => r.close()));
      expect((await at.rows()).filter((r) => r.sent_at === null)).toEqual([]);
      expect(await at.stored()).toHaveLength(100);
    },
  );

  it("waits for a row of the same key that another relay has claimed, until the claim expires", async () => {
    const { db, clock } = get();
    const box = at.outbox();
    for (const [key, version] of [
      ["claimed", 1],
      ["claimed", 2],
      ["free", 1],
    ] as const)
      await at.rename(box, key, version);
    const [first] = await at.rows();
    await db.write("test.claim", (tx) =>
      queries<InfrastructureTables>(tx)
        .updateTable("outbox_events")
        .set({ claimed_by: "someone else", claimed_until: clock.now() + 20_000 })
        .where("id", "=", first?.id ?? 0)
        .execute(),
    );
    const got = await at.arrivals();
    const relay = await at.relay();
    expect((await got.count(1)).map((m) => m.key)).toEqual(["free"]);
    await clock.advance(21_000);
    relay.nudge();
    expect((await got.count(3)).map((m) => `${m.key} ${m.version}`)).toEqual(["free 1", "claimed 1", "claimed 2"]);
  });

  it("releases the claims of a dead relay at once when there is no other relay", async () => {
    const { db, clock } = get();
    await at.rename(at.outbox(), "claimed", 1);
    await db.write("test.claim", (tx) =>
      queries<InfrastructureTables>(tx)
        .updateTable("outbox_events")
        .set({ claimed_by: "someone dead", claimed_until: clock.now() + 20_000 })
        .execute(),
    );
    const got = await at.arrivals();
    await at.relay({ alone: true });
    expect((await got.count(1)).map((m) => m.key)).toEqual(["claimed"]);
  });

  it("loses nothing while the broker is down, and reports the lag", async () => {
    const { clock } = get();
    const got = await at.arrivals();
    let down = true;
    const failing: Broker = Object.assign(Object.create(at.broker) as Broker, {
      state: () => at.broker.state(),
      onStateChange: () => () => {},
      ensureStream: async () => {},
      append: (...args: Parameters<Broker["append"]>) =>
        down ? Promise.reject(new BrokerUnavailable("down")) : at.broker.append(...args),
    });
    const log = recordingLog();
    const relay = await at.relay({ broker: failing, log });
    const box = at.outbox(() => relay.nudge());
    for (let version = 1; version <= 3; version++) await at.rename(box, "p1", version);
    while (log.lines.length < 2) await clock.advance(1000);
    expect(relay.lagMs()).toBeGreaterThan(0);
    expect(got.items).toEqual([]);
    down = false;
    while (got.items.length < 3) await clock.advance(1000);
    expect(got.items.map((m) => m.version)).toEqual([1, 2, 3]);
    while (relay.lagMs() > 0) await clock.advance(1000);
  });

  it("publishes once although the relay died between publishing and marking", async () => {
    const { db, clock } = get();
    const got = await at.arrivals();
    await at.rename(at.outbox(), "p1", 1);
    const dying: Database = Object.assign(Object.create(db) as Database, {
      read: db.read.bind(db),
      now: db.now.bind(db),
      write: (name: string, work: never) => (name === "outbox.mark" ? Promise.reject(new Error("killed")) : db.write(name, work)),
    });
    const first = await at.relay({ db: dying });
    await got.count(1);
    await first.close();
    expect((await at.rows())[0]).toMatchObject({ sent_at: null });
    await clock.advance(31_000);
    const second = await at.relay();
    await at.rename(
      at.outbox(() => second.nudge()),
      "p2",
      1,
    );
    await got.count(2);
    while ((await at.rows()).some((r) => r.sent_at === null)) await clock.advance(1000);
    expect((await at.stored()).map((m) => m.key)).toEqual(["p1", "p2"]);
  });

  it("deletes sent rows after a day and inbox rows after a week, never unsent ones", async () => {
    const { db, clock } = get();
    await at.rename(at.outbox(), "sent", 1);
    await at.rename(at.outbox(), "unsent", 1);
    const day = 24 * 3_600_000;
    const now = clock.now();
    await db.write("test.age", async (tx) => {
      const q = queries<InfrastructureTables>(tx);
      await q
        .updateTable("outbox_events")
        .set({ sent_at: now - day - 1 })
        .where("agg_key", "=", "sent")
        .execute();
      await q
        .insertInto("outbox_inbox")
        .values([
          { consumer: "c", event_id: "old", handled_at: now - 7 * day - 1 },
          { consumer: "c", event_id: "new", handled_at: now - day },
        ])
        .execute();
    });
    expect(await cleanUp(db)).toEqual({ events: 1, inbox: 1 });
    expect((await at.rows()).map((r) => r.agg_key)).toEqual(["unsent"]);
  });
});
