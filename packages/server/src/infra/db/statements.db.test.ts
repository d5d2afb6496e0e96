import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { DuplicateKey, StatementFailed } from "#core/db/errors.ts";
import { queries } from "#core/db/queries.ts";
import type { Tx } from "#core/ports/database.ts";
import { describeDatabases } from "#testkit/database.ts";
import type { InfrastructureTables } from "./infrastructure.schema.ts";

const q = (tx: Tx) => queries<InfrastructureTables>(tx);
const row = (event_id: string, handled_at = 0) => ({ consumer: "test", event_id, handled_at });
const add = (tx: Tx, id: string, at = 0) => q(tx).insertInto("outbox_inbox").values(row(id, at)).execute();
const ids = async (tx: Tx) =>
  (await q(tx).selectFrom("outbox_inbox").select("event_id").orderBy("event_id").execute()).map((it) => it.event_id);

describeDatabases("statements", (get) => {
  const stored = () => get().db.read("test.stored", ids);

  describe("values", () => {
    const timer = (timer_key: string, payload: string, more: object = {}) => ({
      kind: "k",
      timer_key,
      due_at: 1,
      try_at: 1,
      attempts: 0,
      payload,
      ...more,
    });

    it("are read as they were written", async () => {
      const { db } = get();
      const texts = ["", "'", "\\", "a?b", "%_!", "\u0000x", "ä😀\n\r\t", "x'; drop table timers; --", '"`'];
      await db.write("test.write", async (tx) => {
        for (const [at, text] of texts.entries())
          await q(tx)
            .insertInto("timers")
            .values(timer(String(at), text, { due_at: Number.MAX_SAFE_INTEGER - at }))
            .execute();
      });
      const rows = await db.read("test.read", (tx) =>
        q(tx).selectFrom("timers").select(["payload", "due_at"]).orderBy("due_at", "desc").execute(),
      );
      expect(rows).toEqual(texts.map((payload, at) => ({ payload, due_at: Number.MAX_SAFE_INTEGER - at })));
    });

    it("are numbers when counted and summed", async () => {
      const { db } = get();
      await db.write("test.write", async (tx) => void (await add(tx, "a", 2), await add(tx, "b", 3)));
      const result = await db.read("test.read", (tx) =>
        q(tx)
          .selectFrom("outbox_inbox")
          .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.sum<number>("handled_at").as("sum")])
          .executeTakeFirst(),
      );
      expect(result).toEqual({ count: 2, sum: 5 });
    });

    it.each([[undefined], [new Date(0)], [Number.NaN], [{}]])("%s is refused", async (value) => {
      await expect(get().db.write("test.bad", (tx) => sql`select ${value}`.execute(queries(tx)))).rejects.toThrow(TypeError);
    });

    it("report the number of matched rows, also when nothing changed", async () => {
      const { db } = get();
      const counts = await db.write("test.count", async (tx) => {
        await add(tx, "a", 1);
        const update = await q(tx).updateTable("outbox_inbox").set({ handled_at: 1 }).executeTakeFirst();
        const deleted = await q(tx).deleteFrom("outbox_inbox").executeTakeFirst();
        return [update.numUpdatedRows, deleted.numDeletedRows];
      });
      expect(counts).toEqual([1n, 1n]);
    });
  });

  describe("errors", () => {
    it("contain the unique index, and the unit of work continues", async () => {
      const { db } = get();
      const event = (event_id: string) => ({
        event_id,
        type: "t",
        schema_version: 1,
        agg_key: "k",
        version: 1,
        payload: "{}",
        created_at: 1,
      });
      const caught = await db.write("test.duplicate", async (tx) => {
        await q(tx).insertInto("outbox_events").values(event("same")).execute();
        await add(tx, "same");
        const errors = [
          await q(tx)
            .insertInto("outbox_events")
            .values(event("same"))
            .execute()
            .catch((error: unknown) => error),
          await add(tx, "same").catch((error: unknown) => error),
        ];
        await add(tx, "after");
        return errors;
      });
      expect(caught.map((error) => (error as DuplicateKey).constraint)).toEqual(["outbox_events_event_id", "PRIMARY"]);
      expect(caught.every((error) => error instanceof DuplicateKey)).toBe(true);
      expect(await stored()).toEqual(["after", "same"]);
    });

    it("describe the problem without values", async () => {
      const { db } = get();
      const secret = "s3cr3t-".repeat(10);
      const failures = [
        await db.write("test.long", (tx) => add(tx, secret)).catch((error: unknown) => error),
        await db.write("test.null", (tx) => add(tx, null as never)).catch((error: unknown) => error),
        await db.write("test.syntax", (tx) => sql`select ${secret} fro m`.execute(queries(tx))).catch((error: unknown) => error),
      ] as StatementFailed[];
      expect(failures.map((error) => error.reason)).toEqual(["tooLong", "notNull", "other"]);
      for (const error of failures) {
        expect(error).toBeInstanceOf(StatementFailed);
        expect(JSON.stringify([error.message, error.stack, error.statement, error.cause ?? null])).not.toContain("s3cr3t");
        expect(error.statement).not.toBeNull();
        expect(error.stack).toContain("statements.db.test.ts");
      }
      const quiet = get().open({ mode: "release" });
      const hidden = (await quiet
        .write("test.null", (tx) => add(tx, null as never))
        .catch((error: unknown) => error)) as StatementFailed;
      expect(hidden.statement).toBeNull();
    });
  });
});
