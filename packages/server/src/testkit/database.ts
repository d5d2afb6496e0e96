import { copyFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { createHash, randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Connection } from "mysql2/promise";
import { afterAll, afterEach, beforeAll, beforeEach, describe } from "vitest";
import type { Dsn, MariadbDsn, SqliteDsn } from "#core/dsn.ts";
import type { DatabaseKind } from "#core/ports/database.ts";
import { systemClock } from "#infra/clock.ts";
import { createDatabase, type DatabaseOptions, type SqlDatabase } from "#infra/db/database.ts";
import { loadMigrations, type MigrationFile } from "#infra/db/migrations/files.ts";
import { createMigrator } from "#infra/db/migrations/migrator.ts";
import { MigrationRefused } from "#infra/db/migrations/refused.ts";
import type { StatementEvent } from "#infra/db/unit.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { createTestIds } from "./ids.ts";
import type { Ids } from "#core/ports/clock.ts";
import { canReach, takeDatabase, testServer, testZone } from "./mariadb.ts";
import { noMetrics, silentLog } from "./silence.ts";

/** Counts the statements of everything run through `TestDatabase.db`. */
export interface StatementCounter {
  readonly events: readonly StatementEvent[];
  reset(): void;
  /** The number of statements that `work` sends. */
  during(work: () => Promise<unknown>): Promise<number>;
}

/** A migrated, empty database. Its clock (`db.now`, `nowMs()`) is `clock`. */
export interface TestDatabase {
  readonly kind: DatabaseKind;
  readonly db: SqlDatabase;
  readonly dsn: Dsn;
  readonly clock: TestClock;
  readonly ids: Ids;
  readonly statements: StatementCounter;
  /** Opens the database like another process; closed after the test. With `test: {}` it uses the database's own clock. */
  open(options?: Partial<DatabaseOptions>): SqlDatabase;
}

const collation = "utf8mb4_unicode_ci";
const pool = { maxOpenConns: 8, maxIdleConns: 4, connMaxIdleTimeMs: 60_000, connMaxLifetimeMs: 0 };

const required = process.env["ROLLCALL_TEST_REQUIRE"] === "all";
const server = testServer();
const mariadbReachable = await canReach(server);
if (!mariadbReachable) {
  const where = `MariaDB at ${server.host}:${server.port} cannot be reached`;
  if (required) throw new Error(`${where}, but ROLLCALL_TEST_REQUIRE=all requires it`);
  console.warn(`${where}: its tests are skipped (start it, or set ROLLCALL_TEST_MARIADB_DSN)`);
}

/** The kinds of databases that are available. */
export const testedKinds: readonly DatabaseKind[] = mariadbReachable ? ["sqlite", "mariadb"] : ["sqlite"];

export function testDatabaseOptions(dsn: Dsn, more: Partial<DatabaseOptions> = {}): DatabaseOptions {
  return {
    dsn,
    pool,
    disableLocking: false,
    log: silentLog,
    clock: systemClock,
    metrics: noMetrics,
    mode: "debug",
    readerThreads: 1,
    test: { volatile: true },
    ...more,
  };
}

async function migrated(dsn: Dsn, migrations: readonly MigrationFile[]): Promise<void> {
  const db = createDatabase(testDatabaseOptions(dsn));
  try {
    await createMigrator({ db, migrations, clock: systemClock, log: silentLog }).migrate();
  } finally {
    await db.close();
  }
}

function fingerprint(migrations: readonly MigrationFile[]): string {
  const hash = createHash("sha256");
  for (const { name, checksum } of migrations) hash.update(`${name} ${checksum}\n`);
  return hash.digest("hex").slice(0, 16);
}

/** The migrated file is created once per set of migrations and copied for each test file. */
async function sqliteDsn(migrations: readonly MigrationFile[], folder: string): Promise<SqliteDsn> {
  const seeds = join(tmpdir(), "rollcall-test-seeds");
  const seed = join(seeds, `${fingerprint(migrations)}.db`);
  if (!existsSync(seed)) {
    mkdirSync(seeds, { recursive: true });
    const draft = join(folder, "draft.db");
    await migrated({ kind: "sqlite", file: draft, zone: "UTC" }, migrations);
    const unique = `${seed}.${randomUUID()}`;
    copyFileSync(draft, unique);
    renameSync(unique, seed);
  }
  const file = join(folder, "rollcall.db");
  copyFileSync(seed, file);
  return { kind: "sqlite", file, zone: testZone };
}

async function mariadbDsn(migrations: readonly MigrationFile[]): Promise<{ admin: Connection; dsn: MariadbDsn }> {
  const taken = await takeDatabase(server, collation);
  const { admin, dsn } = taken;
  const recreate = async () => {
    await admin.query(
      `drop database ${dsn.database}; create database ${dsn.database} character set utf8mb4 collate ${collation}`,
    );
    await migrated(dsn, migrations);
  };
  try {
    await migrated(dsn, migrations);
  } catch (error) {
    // Left over from other versions of the migrations, or from a migration test.
    if (!(error instanceof MigrationRefused) && !(error instanceof Error && error.message.startsWith("migration "))) throw error;
    await recreate();
  }
  return taken;
}

function counterOf(db: SqlDatabase): StatementCounter {
  let events: StatementEvent[] = [];
  db.observe((event) => void events.push(event));
  return {
    get events() {
      return events;
    },
    reset: () => void (events = []),
    async during(work) {
      const before = events.length;
      await work();
      return events.length - before;
    },
  };
}

const listTables = {
  sqlite: "select name from sqlite_master where type = 'table' and name not like 'sqlite!_%' escape '!'",
  mariadb:
    "select table_name as name from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE'",
};

/** Every row of every table as JSON: for what must be in none. */
export async function everythingIn(db: SqlDatabase): Promise<string[]> {
  return await db.exclusive("test.everything", async ({ connection }) => {
    const found: string[] = [];
    for (const { name } of (await connection.execute(listTables[db.kind], [])).rows) {
      const { rows } = await connection.execute(`select * from ${String(name)}`, []);
      for (const row of rows) found.push(`${String(name)} ${JSON.stringify(row)}`);
    }
    return found;
  });
}

async function emptyingOf(db: SqlDatabase, admin: Connection | null): Promise<() => Promise<void>> {
  const tables = await db.exclusive("test.tables", async ({ connection }) => {
    const { rows } = await connection.execute(listTables[db.kind], []);
    return rows.map((row) => row["name"] as string).filter((name) => name !== "schema_migrations");
  });
  if (admin) {
    const statements = tables.map((table) => `delete from ${table}`).join("; ");
    return async () => void (statements && (await admin.query(statements)));
  }
  return async () => {
    await db.exclusive("test.empty", async ({ connection }) => {
      await connection.begin("write");
      for (const table of tables) await connection.execute(`delete from ${table}`, []);
      await connection.commit();
    });
  };
}

/** A database without vitest's hooks, for scripts and for suites that manage its lifetime. */
export async function openTestDatabase(
  kind: DatabaseKind,
): Promise<TestDatabase & { empty(): Promise<void>; closeOthers(): Promise<void>; close(): Promise<void> }> {
  const migrations = await loadMigrations();
  const folder = mkdtempSync(join(tmpdir(), "rollcall-test-"));
  const taken = kind === "mariadb" ? await mariadbDsn(migrations) : null;
  const dsn = taken?.dsn ?? (await sqliteDsn(migrations, folder));
  if (taken) await taken.admin.query(`use ${taken.dsn.database}`);
  const clock = createTestClock();
  const db = createDatabase(testDatabaseOptions(dsn, { test: { volatile: true, now: () => clock.now() } }));
  await db.ping();
  const empty = await emptyingOf(db, taken?.admin ?? null);
  await empty();
  const others: SqlDatabase[] = [];
  const closeOthers = async () => void (await Promise.all(others.splice(0).map((other) => other.close())));
  return {
    kind,
    db,
    dsn,
    clock,
    ids: createTestIds(),
    statements: counterOf(db),
    empty,
    closeOthers,
    open(options = {}) {
      const other = createDatabase(testDatabaseOptions(dsn, { test: { volatile: true, now: () => clock.now() }, ...options }));
      others.push(other);
      return other;
    },
    async close() {
      await closeOthers();
      await db.close();
      await taken?.admin.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Runs `suite` on each database. The database is migrated once per test file and emptied before
 * each test; `get()` works inside tests and hooks.
 */
export function describeDatabases(title: string, suite: (get: () => TestDatabase) => void): void {
  describe.each(["sqlite", "mariadb"] as const)(`${title} (%s)`, (kind) => {
    if (!testedKinds.includes(kind)) {
      describe.skip("without a server", () => suite(() => undefined as never));
      return;
    }
    let current: Awaited<ReturnType<typeof openTestDatabase>> | undefined;
    beforeAll(async () => {
      current = await openTestDatabase(kind);
    });
    beforeEach(() => current!.statements.reset());
    afterEach(async () => {
      await current!.closeOthers();
      await current!.empty();
    });
    afterAll(() => current?.close());
    suite(() => current!);
  });
}
