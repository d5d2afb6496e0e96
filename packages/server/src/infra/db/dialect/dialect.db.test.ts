import { sql } from "kysely";
import { expect, it } from "vitest";
import { bulkInsert, bulkReplace } from "#core/db/bulk.ts";
import { DuplicateKey } from "#core/db/errors.ts";
import { dialectOf, queries } from "#core/db/queries.ts";
import type { Tx } from "#core/ports/database.ts";
import { describeDatabases } from "#testkit/database.ts";
import { outboxInbox, timers, type InfrastructureTables } from "../infrastructure.schema.ts";

const q = (tx: Tx) => queries<InfrastructureTables>(tx);
const row = (event_id: string, handled_at = 0) => ({ consumer: "test", event_id, handled_at });
const add = (tx: Tx, id: string, at = 0) => q(tx).insertInto("outbox_inbox").values(row(id, at)).execute();

describeDatabases("dialect", (get) => {
  it("upserts, skips conflicts, and still refuses invalid values", async () => {
    const { db } = get();
    await db.write("test.upsert", async (tx) => {
      const dialect = dialectOf(tx);
      await add(tx, "a", 1);
      await dialect
        .upsert(
          q(tx)
            .insertInto("outbox_inbox")
            .values([row("a", 5), row("b", 6)]),
          ["consumer", "event_id"],
          ["handled_at"],
        )
        .execute();
      await dialect
        .ignoreConflicts(
          q(tx)
            .insertInto("outbox_inbox")
            .values([row("b", 9), row("c", 7)]),
        )
        .execute();
      await dialect.upsert(q(tx).insertInto("outbox_inbox").values(row("c", 9)), ["consumer", "event_id"], []).execute();
    });
    const rows = await db.read("test.read", (tx) =>
      q(tx).selectFrom("outbox_inbox").select(["event_id", "handled_at"]).orderBy("event_id").execute(),
    );
    expect(rows).toEqual([
      { event_id: "a", handled_at: 5 },
      { event_id: "b", handled_at: 6 },
      { event_id: "c", handled_at: 7 },
    ]);
    const tooLong = db.write("test.long", (tx) =>
      dialectOf(tx)
        .ignoreConflicts(
          q(tx)
            .insertInto("outbox_inbox")
            .values(row("x".repeat(27))),
        )
        .execute(),
    );
    await expect(tooLong).rejects.toMatchObject({ reason: "tooLong" });
  });

  it("replaces in bulk, and counts what was removed unless nobody else writes", async () => {
    const { db, statements, kind } = get();
    await db.write("test.bulk", (tx) => bulkInsert(tx, outboxInbox, [row("e1"), row("e2"), row("kept", 5)]));
    const many = Array.from({ length: 1_500 }, (_, at) => row(`e${at}`, 7));
    let removed: number | null = -1;
    const work = async () =>
      void (removed = await db.write("test.replace", async (tx) => await bulkReplace(tx, outboxInbox, many)));
    expect(await statements.during(work)).toBe(2);
    expect(removed).toBe(kind === "sqlite" ? null : 2);
    const rows = await db.read("test.read", (tx) =>
      q(tx).selectFrom("outbox_inbox").select(["event_id", "handled_at"]).orderBy("event_id").execute(),
    );
    expect(rows).toHaveLength(1_501);
    expect(rows.filter(({ handled_at }) => handled_at !== 7)).toEqual([{ event_id: "kept", handled_at: 5 }]);
  });

  it("inserts in bulk, with every kind of conflict", async () => {
    const { db, statements } = get();
    const many = Array.from({ length: 2_500 }, (_, at) => row(`e${at}`, at));
    const keys = ["consumer", "event_id"] as const;
    const count = await statements.during(() => db.write("test.bulk", (tx) => bulkInsert(tx, outboxInbox, many)));
    expect(count).toBe(3);
    await db.write("test.bulk", async (tx) => {
      await bulkInsert(tx, outboxInbox, [row("e1", 77), row("new", 8)], {
        onConflict: { keys, update: [] },
      });
      await bulkInsert(tx, outboxInbox, [row("e2", 77)], { onConflict: { keys, update: ["handled_at"] } });
      await bulkInsert(tx, outboxInbox, [row("e3", 70), row("e3", 200)], { onConflict: { keys, add: ["handled_at"] } });
    });
    await expect(db.write("test.bulk", (tx) => bulkInsert(tx, outboxInbox, [row("e3")]))).rejects.toThrow(DuplicateKey);
    const rows = await db.read("test.read", (tx) =>
      q(tx)
        .selectFrom("outbox_inbox")
        .select(["event_id", "handled_at"])
        .where("event_id", "in", ["e1", "e2", "e3", "new"])
        .orderBy("event_id")
        .execute(),
    );
    expect(rows).toEqual([
      { event_id: "e1", handled_at: 1 },
      { event_id: "e2", handled_at: 77 },
      { event_id: "e3", handled_at: 273 },
      { event_id: "new", handled_at: 8 },
    ]);
  });

  it("finds by prefix, whatever characters it contains", async () => {
    const { db } = get();
    const keys = ["a%b", "a_b", "aXb", "a!b", "A%b", "b", "a\\b", "ä", "a"];
    await db.write("test.write", (tx) =>
      bulkInsert(
        tx,
        timers,
        keys.map((timer_key) => ({ kind: "k", timer_key, due_at: 1, try_at: 1, attempts: 0, payload: "" })),
      ),
    );
    const startingWith = (prefix: string) =>
      db.read("test.prefix", async (tx) => {
        const found = await q(tx)
          .selectFrom("timers")
          .select("timer_key")
          .where((eb) => dialectOf(tx).startsWith(eb.ref("timer_key"), prefix))
          .execute();
        return found.map((it) => it.timer_key).sort();
      });
    expect(await startingWith("a%")).toEqual(["a%b"]);
    expect(await startingWith("a_")).toEqual(["a_b"]);
    expect(await startingWith("a!")).toEqual(["a!b"]);
    expect(await startingWith("a\\")).toEqual(["a\\b"]);
    expect(await startingWith("A")).toEqual(["A%b"]);
    expect(await startingWith("")).toHaveLength(keys.length);
  });

  it("has the rows of a group as JSON, whatever characters they contain, and none as none", async () => {
    const { db } = get();
    const keys = ['a"b', "a\\b", "ä,[1]", ""];
    await db.write("test.json", (tx) =>
      bulkInsert(
        tx,
        outboxInbox,
        keys.map((key, at) => row(key, at)),
      ),
    );
    const rowsAfter = async (least: number) =>
      await db.read("test.json", async (tx) => {
        const rows = dialectOf(tx).jsonRows([sql.ref("event_id"), sql.ref("handled_at")]);
        const { json } = await q(tx)
          .selectFrom("outbox_inbox")
          .select(rows.as("json"))
          .where("handled_at", ">=", least)
          .executeTakeFirstOrThrow();
        return (JSON.parse(json ?? "[]") as [string, number][]).sort(([, a], [, b]) => a - b);
      });
    expect(await rowsAfter(0)).toEqual(keys.map((key, at) => [key, at]));
    expect(await rowsAfter(9)).toEqual([]);
  });

  it("reads the database's own clock", async () => {
    const db = get().open({ test: { volatile: true } });
    const before = Date.now();
    const now = await db.read("test.now", (tx) => db.now(tx));
    // The database's clock is the one of this machine, read between these two.
    expect(now).toBeGreaterThanOrEqual(before - 1_000);
    expect(now).toBeLessThanOrEqual(Date.now() + 1_000);
    expect(Number.isInteger(now)).toBe(true);
  });
});
