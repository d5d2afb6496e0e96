import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sql } from "kysely";
import { DatabaseUnavailable } from "#core/db/errors.ts";
import { dialectOf, queries } from "#core/db/queries.ts";
import type { MariadbDsn } from "#core/dsn.ts";
import type { DatabaseState, Tx } from "#core/ports/database.ts";
import { openTestDatabase, testDatabaseOptions, testedKinds } from "#testkit/database.ts";
import { createProxy, type Proxy } from "#testkit/proxy.ts";
import { createDatabase, type DatabaseOptions, type SqlDatabase } from "../../database.ts";
import type { InfrastructureTables } from "../../infrastructure.schema.ts";

const q = (tx: Tx) => queries<InfrastructureTables>(tx);
const add = (tx: Tx, id: string) =>
  q(tx).insertInto("outbox_inbox").values({ consumer: "c", event_id: id, handled_at: 0 }).execute();
const pool = { maxOpenConns: 4, maxIdleConns: 4, connMaxIdleTimeMs: 0, connMaxLifetimeMs: 0 };

function becomes(db: SqlDatabase, up: boolean): Promise<DatabaseState> {
  if (db.state().up === up) return Promise.resolve(db.state());
  return new Promise((resolve) => {
    const stop = db.onStateChange((state) => {
      if (state.up !== up) return;
      stop();
      resolve(state);
    });
  });
}

describe.skipIf(!testedKinds.includes("mariadb"))("MariaDB", () => {
  let base: Awaited<ReturnType<typeof openTestDatabase>>;
  let dsn: MariadbDsn;
  let proxy: Proxy;
  const opened: SqlDatabase[] = [];

  beforeAll(async () => {
    base = await openTestDatabase("mariadb");
    dsn = base.dsn as MariadbDsn;
  });
  beforeEach(async () => {
    proxy = await createProxy(dsn.address as { host: string; port: number });
  });
  afterEach(async () => {
    proxy.thaw();
    await Promise.all(opened.splice(0).map((db) => db.close()));
    await proxy.close();
    await base.empty();
  });
  afterAll(() => base.close());

  /** A database that connects through the proxy. */
  const open = (change: Partial<MariadbDsn> = {}, options: Partial<DatabaseOptions> = {}) => {
    const own: MariadbDsn = { ...dsn, address: { host: "127.0.0.1", port: proxy.port }, ...change };
    const db = createDatabase(testDatabaseOptions(own, { pool, ...options }));
    opened.push(db);
    return db;
  };
  const stored = () =>
    base.db.read("test.stored", async (tx) =>
      (await q(tx).selectFrom("outbox_inbox").select("event_id").execute()).map((row) => row.event_id),
    );

  it("makes the server end a transaction of a frozen process, which releases its locks", async () => {
    const db = open();
    await db.write("test.frozen", (tx) => add(tx, "a"));
    const { rows } = await db.read("test.limit", (tx) =>
      sql<{ seconds: number }>`select @@session.idle_transaction_timeout as seconds`.execute(q(tx)),
    );
    expect(Number(rows[0]!.seconds)).toBe(10);
  });

  describe("outages", () => {
    it("at start are reported in one line, and recover automatically", async () => {
      proxy.refuse();
      const db = open();
      const refusal = await db.ping().catch((error: Error) => error);
      expect(refusal).toBeInstanceOf(DatabaseUnavailable);
      expect((refusal as Error).message).toMatch(/^database\.dsn: 127\.0\.0\.1:\d+ [^\n]+$/);
      expect(db.state()).toMatchObject({ up: false });
      await expect(db.write("test.down", (tx) => add(tx, "a"))).rejects.toThrow(DatabaseUnavailable);
      proxy.accept();
      await becomes(db, true);
      await db.write("test.up", (tx) => add(tx, "a"));
      expect(await stored()).toEqual(["a"]);
    });

    it("retry a unit of work whose connection broke before COMMIT", async () => {
      const db = open();
      let tries = 0;
      await db.write("test.cut", async (tx) => {
        tries += 1;
        await add(tx, "once");
        if (tries === 1) proxy.cut();
        await add(tx, "twice");
      });
      expect(tries).toBe(2);
      expect((await stored()).sort()).toEqual(["once", "twice"]);
      await becomes(db, true);
    });

    it("do not retry one whose connection broke during COMMIT", async () => {
      const db = open();
      let tries = 0;
      const result = db.write("test.commit", async (tx) => {
        tries += 1;
        await add(tx, "unknown");
        proxy.cutWhen((sent) => sent.includes("commit"));
      });
      await expect(result).rejects.toThrow("it is unknown whether it was stored");
      expect(tries).toBe(1);
    });

    it("retry a read, and replace broken idle connections", async () => {
      const db = open();
      await Promise.all(["a", "b", "c"].map((id) => db.write("test.add", (tx) => add(tx, id))));
      proxy.cut();
      const counted = await Promise.all(
        [1, 2, 3].map(() => db.read("test.count", (tx) => q(tx).selectFrom("outbox_inbox").select("event_id").execute())),
      );
      expect(counted.map((rows) => rows.length)).toEqual([3, 3, 3]);
    });

    it("continue with the same pool when the server is up again", async () => {
      const db = open();
      await db.ping();
      proxy.refuse();
      proxy.cut();
      await expect(db.read("test.away", (tx) => db.now(tx))).rejects.toThrow(DatabaseUnavailable);
      const down = await becomes(db, false);
      expect(down.reason).toContain("database.dsn");
      proxy.accept();
      await becomes(db, true);
      await db.read("test.back", (tx) => db.now(tx));
    });

    it("end a statement that outlasts readTimeout", async () => {
      const db = open({ readTimeoutMs: 100, connectTimeoutMs: 100 });
      await db.ping();
      const gate = Promise.withResolvers<void>();
      const result = db.write("test.frozen", async (tx) => {
        proxy.freeze();
        gate.resolve();
        await add(tx, "a");
      });
      await gate.promise;
      await expect(result).rejects.toThrow(/readTimeout|broke|did not answer/);
    });
  });

  describe("refusals", () => {
    it.each([
      ["a wrong password", { user: "unknown", password: "wrong" }, "refuses user unknown; correct user or password"],
      ["an unknown database", { database: "rollcall_absent" }, "has no database rollcall_absent; create it"],
      ["an unknown collation", { collation: "utf8mb4_klingon_ci" }, "does not know the collation utf8mb4_klingon_ci"],
      ["an impossible collation", { collation: "x; drop" }, "is not a collation"],
      ["a missing TLS", { tls: "verify" }, "TLS"],
    ] as const)("%s is one clear line", async (_what, change, text) => {
      const error = await open(change)
        .ping()
        .catch((it: Error) => it);
      expect((error as Error).message).toContain(text);
      expect((error as Error).message).toMatch(/^database\.dsn: [^\n]+$/);
    });

    it("connects without TLS when it is only preferred", async () => {
      await open({ tls: "preferred" }).ping();
    });
  });

  describe("settings", () => {
    it("take an uca1400 collation and set strict mode, UTC and isolation", async () => {
      const db = open({ collation: "utf8mb4_uca1400_ai_ci" });
      const settingsOf = async (tx: Tx) =>
        (
          await sql<
            Record<string, string>
          >`select @@collation_connection as collation, @@sql_mode as mode, @@time_zone as zone, @@session.tx_isolation as isolation`.execute(
            queries(tx),
          )
        ).rows[0];
      expect(await db.write("test.write", settingsOf)).toMatchObject({
        collation: "utf8mb4_uca1400_ai_ci",
        zone: "+00:00",
        isolation: "READ-COMMITTED",
      });
      const reading = await db.read("test.read", settingsOf);
      expect(reading).toMatchObject({ isolation: "REPEATABLE-READ" });
      expect(reading!["mode"]).toContain("STRICT_TRANS_TABLES");
    });

    it("apply the pool's limits to the process", async () => {
      const db = open({}, { pool: { maxOpenConns: 3, maxIdleConns: 1, connMaxIdleTimeMs: 0, connMaxLifetimeMs: 0 } });
      let most = 0;
      await Promise.all(
        Array.from({ length: 12 }, () =>
          db.read("test.busy", async (tx) => {
            await db.now(tx);
            most = Math.max(most, proxy.open);
          }),
        ),
      );
      expect(most).toBe(3);
      await db.read("test.after", (tx) => db.now(tx));
      expect(db.poolStats().readers.idle).toBeLessThanOrEqual(1);
    });

    it("lock rows, unless locking is disabled", async () => {
      for (const disableLocking of [false, true]) {
        const db = open({}, { disableLocking });
        const seen: string[] = [];
        db.observe((event) => seen.push(event.sql));
        await db.write("test.lock", (tx) =>
          dialectOf(tx).lock(q(tx).selectFrom("leases").selectAll(), { skipLocked: true }).execute(),
        );
        expect(seen[0]!.endsWith("for update skip locked")).toBe(!disableLocking);
      }
    });
  });
});
