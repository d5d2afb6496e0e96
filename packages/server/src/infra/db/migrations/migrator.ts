import type { Clock } from "#core/ports/clock.ts";
import type { Log } from "#core/ports/log.ts";
import type { SqlDatabase, SqlSession } from "../database.ts";
import { asFailure } from "../failure.ts";
import { schemaMigrations, schemaRestore, schemaSteps } from "./bookkeeping.ts";
import type { MigrationFile } from "./files.ts";
import { withMigrationLock } from "./lock.ts";
import { MigrationRefused } from "./refused.ts";
import { createSteps, schemaAdapterOf } from "./steps.ts";

export interface MigratorOptions {
  readonly db: SqlDatabase;
  readonly migrations: readonly MigrationFile[];
  readonly clock: Clock;
  readonly log: Log;
  /** How long to wait for another process that migrates; 60 s by default. */
  readonly lockWaitMs?: number;
  /** True for the process that restores a backup into this database; others are refused meanwhile. */
  readonly restoring?: boolean;
}

export interface MigrationStatus {
  readonly applied: readonly string[];
  readonly pending: readonly string[];
}

export interface Migrator {
  /** Like the other methods, refuses a changed migration and a database of a newer version. */
  status(): Promise<MigrationStatus>;
  /** Applies pending migrations in order, and returns their names. */
  migrate(): Promise<string[]>;
  /** For a start without migrating: refuses if migrations are pending. */
  assertCurrent(): Promise<void>;
}

async function appliedIn(session: SqlSession, restoring: boolean): Promise<Map<string, string>> {
  const schema = schemaAdapterOf(session.engine);
  const there = await schema.inspect(session.connection, [schemaMigrations.name, schemaRestore]);
  if (there.has(schemaRestore) && !restoring)
    throw new MigrationRefused(
      "a backup is being restored into this database, or a restore was interrupted; run `rollcall restore` again",
    );
  if (!there.has(schemaMigrations.name)) return new Map();
  const { rows } = await session.connection.execute("select name, checksum from schema_migrations order by name", []);
  return new Map(rows.map((row) => [row.name as string, row.checksum as string]));
}

function compare(migrations: readonly MigrationFile[], applied: ReadonlyMap<string, string>): MigrationFile[] {
  const known = new Map(migrations.map((file) => [file.name, file]));
  const unknown = [...applied.keys()].filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new MigrationRefused(
      `the database was migrated by a newer Rollcall (unknown migration: ${unknown[0]}); start that version, or restore a backup`,
    );
  }
  for (const [name, checksum] of applied) {
    if (known.get(name)!.checksum !== checksum) {
      throw new MigrationRefused(
        `migration ${name} was changed after it was applied here; install the released files of this version`,
      );
    }
  }
  return migrations.filter((file) => !applied.has(file.name));
}

export function createMigrator(options: MigratorOptions): Migrator {
  const { db, migrations, clock, log, restoring = false } = options;

  const inOrder = [...migrations].sort((a, b) => (a.name < b.name ? -1 : 1));

  const apply = async (session: SqlSession, file: MigrationFile): Promise<boolean> => {
    const { connection, engine } = session;
    const transactional = engine.kind === "sqlite";
    if (transactional) await connection.begin("write");
    try {
      // Another process may have applied it while this one waited for the write lock.
      const already = transactional && (await appliedIn(session, restoring)).has(file.name);
      if (!already) {
        const started = clock.monotonic();
        await file.up(createSteps(session, file.name));
        const values = [file.name, file.checksum, clock.now(), Math.round(clock.monotonic() - started)];
        await connection.execute(
          "insert into schema_migrations (name, checksum, applied_at, duration_ms) values (?, ?, ?, ?)",
          values,
        );
      }
      if (transactional) await connection.commit();
      return !already;
    } catch (error) {
      if (transactional) await connection.rollback().catch(() => undefined);
      const failure = asFailure(error);
      if (failure.seen instanceof MigrationRefused) throw failure.seen;
      throw new Error(`migration ${file.name} failed: ${failure.message}`, { cause: error });
    }
  };

  const prepare = async (session: SqlSession): Promise<void> => {
    const steps = createSteps(session, "prepare");
    if (session.engine.kind === "sqlite") await session.connection.begin("write");
    await steps.createTable(schemaMigrations);
    await steps.createTable(schemaSteps);
    if (session.engine.kind === "sqlite") await session.connection.commit();
  };

  const pendingNow = () =>
    db.exclusive("migrate.status", async (session) => {
      const applied = await appliedIn(session, restoring);
      return { applied: [...applied.keys()], pending: compare(inOrder, applied).map((file) => file.name) };
    });

  return {
    status: pendingNow,
    async migrate() {
      if ((await pendingNow()).pending.length === 0) return [];
      const lock = { clock, waitMs: options.lockWaitMs ?? 60_000 };
      return await withMigrationLock(db, !db.disableLocking, lock, async (session) => {
        await prepare(session);
        const done: string[] = [];
        for (const file of compare(inOrder, await appliedIn(session, restoring))) {
          if (!(await apply(session, file))) continue;
          log.info({ migration: file.name }, "migration applied");
          done.push(file.name);
        }
        return done;
      });
    },
    async assertCurrent() {
      const { pending } = await pendingNow();
      if (pending.length === 0) return;
      const count = pending.length === 1 ? "1 migration" : `${pending.length} migrations`;
      throw new MigrationRefused(
        `the database schema is too old: ${count} pending (first: ${pending[0]}); run \`rollcall migrate\` or set database.skipMigrations to false`,
      );
    },
  };
}
