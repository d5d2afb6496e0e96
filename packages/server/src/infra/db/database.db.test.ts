import { describe, expect, it } from "vitest";
import { NestedUnitOfWork, Overtaken, PoolTimeout, SnapshotIsReadOnly } from "#core/db/errors.ts";
import { queries } from "#core/db/queries.ts";
import { leaveUnitOfWork } from "#core/db/unit-of-work.ts";
import type { Tx } from "#core/ports/database.ts";
import { createTestClock } from "#testkit/clock.ts";
import { describeDatabases } from "#testkit/database.ts";
import { recordingLog } from "#testkit/silence.ts";
import type { InfrastructureTables } from "./infrastructure.schema.ts";

const q = (tx: Tx) => queries<InfrastructureTables>(tx);
const row = (event_id: string, handled_at = 0) => ({ consumer: "test", event_id, handled_at });
const add = (tx: Tx, id: string, at = 0) => q(tx).insertInto("outbox_inbox").values(row(id, at)).execute();
const ids = async (tx: Tx) =>
  (await q(tx).selectFrom("outbox_inbox").select("event_id").orderBy("event_id").execute()).map((it) => it.event_id);

describeDatabases("database", (get) => {
  const stored = () => get().db.read("test.stored", ids);

  describe("unit of work", () => {
    it("commits what resolves and rolls back what throws", async () => {
      const { db } = get();
      await db.write("test.keep", (tx) => add(tx, "kept"));
      await expect(
        db.write("test.drop", async (tx) => {
          await add(tx, "dropped");
          throw new Error("cancelled");
        }),
      ).rejects.toThrow("cancelled");
      expect(await stored()).toEqual(["kept"]);
    });

    it("runs afterCommit once, after the commit, never after a rollback", async () => {
      const log = recordingLog();
      const db = get().open({ log });
      const ran: string[] = [];
      await db.write("test.actions", async (tx) => {
        tx.afterCommit(() => ran.push("first"));
        tx.afterCommit(() => {
          throw new Error("broken action");
        });
        tx.afterCommit(() => ran.push("last"));
        await add(tx, "a");
        expect(ran).toEqual([]);
      });
      await db
        .write("test.failing", async (tx) => {
          tx.afterCommit(() => ran.push("never"));
          throw new Error("no");
        })
        .catch(() => undefined);
      expect(ran).toEqual(["first", "last"]);
      expect(log.lines.map((line) => line.message)).toContain("work after a commit failed");
    });

    it("may start another from afterCommit, and from work that outlives it", async () => {
      const { db } = get();
      const later = Promise.withResolvers<unknown>();
      await db.write("test.first", async (tx) => {
        tx.afterCommit(() => later.resolve(db.read("test.second", ids)));
        await add(tx, "a");
      });
      expect(await later.promise).toEqual(["a"]);
    });

    it("refuses a nested one, and statements after its end", async () => {
      const { db } = get();
      await expect(db.write("test.outer", () => db.read("test.inner", ids))).rejects.toThrow(NestedUnitOfWork);
      await expect(db.read("test.outer", () => db.write("test.inner", ids))).rejects.toThrow(
        "cannot start test.inner inside the unit of work test.outer",
      );
      await expect(db.read("test.outer", () => db.ping())).rejects.toThrow(NestedUnitOfWork);
      await expect(
        db.write("test.outer", (tx) =>
          q(tx)
            .transaction()
            .execute(async () => undefined),
        ),
      ).rejects.toThrow(NestedUnitOfWork);
      const escaped = await db.write("test.escape", async (tx) => tx);
      await expect(ids(escaped)).rejects.toThrow("test.escape has ended");
    });

    it("lets many writers count without lost updates", async () => {
      const { db } = get();
      await db.write("test.start", (tx) => add(tx, "n", 0));
      const count = (tx: Tx) =>
        q(tx)
          .updateTable("outbox_inbox")
          .set((eb) => ({ handled_at: eb("handled_at", "+", 1) }))
          .execute();
      await Promise.all(Array.from({ length: 40 }, () => db.write("test.count", count)));
      const [counted] = await db.read("test.read", (tx) => q(tx).selectFrom("outbox_inbox").select("handled_at").execute());
      expect(counted).toEqual({ handled_at: 40 });
    });

    it("repeats what was overtaken, without its effects, and at last reports it", async () => {
      const { db } = get();
      let tries = 0;
      const work = (until: number) => async (tx: Tx) => {
        await add(tx, `try ${++tries}`);
        if (tries < until) throw new Overtaken("another was first");
      };
      await db.write("test.overtaken", work(3));
      const rows = await db.read("test.read", (tx) => q(tx).selectFrom("outbox_inbox").select("event_id").execute());
      expect(rows).toEqual([{ event_id: "try 3" }]);
      await expect(db.write("test.overtaken", work(99))).rejects.toThrow(Overtaken);
    });

    it("retries after a deadlock", async () => {
      const { db, kind } = get();
      await db.write("test.start", async (tx) => void (await add(tx, "a"), await add(tx, "b")));
      const tries: string[] = [];
      const bothHold = Promise.withResolvers<void>();
      let holding = 0;
      const inOrder = (first: string, second: string) =>
        db.write(`test.${first}${second}`, async (tx) => {
          tries.push(first + second);
          const touch = (id: string) =>
            q(tx)
              .updateTable("outbox_inbox")
              .set((eb) => ({ handled_at: eb("handled_at", "+", 1) }))
              .where("event_id", "=", id)
              .execute();
          await touch(first);
          holding += 1;
          if (holding === 2 || kind === "sqlite") bothHold.resolve();
          await bothHold.promise;
          await touch(second);
        });
      await Promise.all([inOrder("a", "b"), inOrder("b", "a")]);
      const rows = await db.read("test.read", (tx) => q(tx).selectFrom("outbox_inbox").select("handled_at").execute());
      expect(rows).toEqual([{ handled_at: 2 }, { handled_at: 2 }]);
      // SQLite has one writer, so there are no deadlocks.
      expect(tries.length).toBe(kind === "sqlite" ? 2 : 3);
    });
  });

  describe("read", () => {
    it("sees one snapshot while others write", async () => {
      const { db } = get();
      await db.write("test.before", (tx) => add(tx, "before"));
      const seen = await db.read("test.snapshot", async (tx) => {
        const first = await ids(tx);
        await new Promise<void>((resolve, reject) =>
          leaveUnitOfWork(() => void db.write("test.during", (other) => add(other, "during")).then(() => resolve(), reject)),
        );
        return [first, await ids(tx)];
      });
      expect(seen).toEqual([["before"], ["before"]]);
      expect(await stored()).toEqual(["before", "during"]);
    });

    it("refuses writes", async () => {
      await expect(get().db.read("test.read", (tx) => add(tx, "a"))).rejects.toThrow(SnapshotIsReadOnly);
    });

    it("runs statements of one snapshot side by side", async () => {
      const { db } = get();
      await db.write("test.add", (tx) => add(tx, "a"));
      expect(await db.read("test.many", (tx) => Promise.all([ids(tx), ids(tx), db.now(tx)]))).toEqual([
        ["a"],
        ["a"],
        get().clock.now(),
      ]);
    });
  });

  describe("pool", () => {
    it("limits the wait for a connection", async () => {
      const clock = createTestClock();
      const db = get().open({
        pool: { maxOpenConns: 1, maxIdleConns: 1, connMaxIdleTimeMs: 0, connMaxLifetimeMs: 0 },
        waitLimitMs: 20_000,
        clock,
      });
      const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const first = db.read("test.slow", async () => {
        started.resolve();
        await gate.promise;
      });
      await started.promise;
      const late = db.read("test.late", ids).catch((error: unknown) => error);
      await clock.advance(20_000);
      expect(await late).toBeInstanceOf(PoolTimeout);
      gate.resolve();
      await first;
      expect(await db.read("test.after", ids)).toEqual([]);
    });

    it("reports statements", async () => {
      const { db, statements } = get();
      await db.write("test.shape", (tx) => add(tx, "secret"));
      expect(statements.events).toMatchObject([{ unit: "test.shape", mode: "write", rows: 1, failed: false }]);
      expect(statements.events[0]!.sql).toContain("insert into");
      expect(statements.events[0]!.sql).not.toContain("secret");
      expect(db.state()).toMatchObject({ up: true, reason: null });
    });
  });
});
