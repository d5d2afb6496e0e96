import { bulkInsert } from "#core/db/index.ts";
import { ForeignNames, type OwnObjects } from "#core/own-objects.ts";
import type { Clock, Log, Storage } from "#core/ports/index.ts";
import type { SqlDatabase, SqlSession } from "../db/database.ts";
import type { MigrationFile } from "../db/migrations/files.ts";
import { createMigrator } from "../db/migrations/migrator.ts";
import { type BackedUpTable, type BackupHeader, type BackupManifest, BackupRefused } from "./format.ts";
import { readBackup } from "./read.ts";
import { LineSum, sameTable } from "./sums.ts";
import { decodeRow, linesOf, tableOf } from "./tables.ts";

export interface LoadOptions {
  /** An empty database without tables. */
  readonly db: SqlDatabase;
  /** Null: files are read and checked, but not stored. */
  readonly storage: Storage | null;
  readonly own: OwnObjects;
  readonly migrations: readonly MigrationFile[];
  readonly clock: Clock;
  readonly log: Log;
  /** Called after each table and after the files. */
  readonly progress: (what: string, count: number) => void;
}

export interface LoadedBackup {
  readonly header: BackupHeader;
  readonly manifest: BackupManifest;
  /** Migrations of this program that the backup did not have. */
  readonly migrated: readonly string[];
  /** Foreign files in the archive, which earlier versions included: they are not stored. */
  readonly foreign: ForeignNames;
}

const rowsPerStatement = 500;
const bytesPerStatement = 512 * 1024;

/** The files of the archive's migrations. Throws `BackupRefused` for one that this version does not have, or that differs. */
export function migrationsOf(header: BackupHeader, known: readonly MigrationFile[]): MigrationFile[] {
  const byName = new Map(known.map((file) => [file.name, file]));
  return header.migrations.map(({ name, checksum }) => {
    const file = byName.get(name);
    if (!file)
      throw new BackupRefused(
        `the backup was made by Rollcall ${header.program}, which has the migration ${name}; install that version or a later one`,
      );
    if (file.checksum !== checksum)
      throw new BackupRefused(`migration ${name} differs from that of the backup; install the released files of this version`);
    return file;
  });
}

/**
 * Fills an empty database from an archive: creates the schema of the backup, loads every row, reads them
 * back and compares counts and checksums, then migrates to this version. Throws `BackupRefused`.
 */
export async function loadBackup(file: string, options: LoadOptions): Promise<LoadedBackup> {
  const { db, storage, own, progress, clock, log } = options;
  const foreign = new ForeignNames();
  let files = 0;
  const { header, manifest } = await readBackup(file, {
    async begin(found) {
      const migrations = migrationsOf(found, options.migrations);
      await createMigrator({ db, migrations, clock, log, restoring: true }).migrate();
      await db.exclusive("restore.empty", async (session) => await emptyTables(session, found.tables));
    },
    rows: async (table, lines) => await insertLines(db, table, lines),
    async file(key, bytes) {
      const owned = own.owns(key);
      if (!owned) foreign.add(key);
      if (storage === null || !owned) for await (const _part of bytes);
      else await storage.put(key, bytes);
      files += owned ? 1 : 0;
    },
  });
  await db.exclusive("restore.compare", async (session) => {
    for (const table of header.tables) {
      await compareTable(session, table, manifest);
      progress(table.name, manifest.tables[table.name]?.rows ?? 0);
    }
  });
  if (header.files) progress("files", files);
  const migrator = createMigrator({ db, migrations: options.migrations, clock, log, restoring: true });
  return { header, manifest, migrated: await migrator.migrate(), foreign };
}

/** Deletes rows inserted by migrations, because the archive contains them as well. */
async function emptyTables({ connection, engine }: SqlSession, tables: readonly BackedUpTable[]): Promise<void> {
  for (const { name } of tables) await connection.execute(`delete from ${engine.dialect.quote(name)}`, []);
}

async function insertLines(db: SqlDatabase, table: BackedUpTable, lines: readonly string[]): Promise<void> {
  const target = tableOf(table);
  await db.write("restore.rows", async (tx) => {
    for (let at = 0; at < lines.length;) {
      let bytes = 0;
      let end = at;
      while (end < lines.length && end - at < rowsPerStatement && (end === at || bytes < bytesPerStatement))
        bytes += lines[end++]!.length;
      await bulkInsert(
        tx,
        target,
        lines.slice(at, end).map((line) => decodeRow(table, line)),
      );
      at = end;
    }
  });
}

async function compareTable(session: SqlSession, table: BackedUpTable, manifest: BackupManifest): Promise<void> {
  const { connection, engine } = session;
  const sum = new LineSum();
  for await (const lines of linesOf(connection, engine.dialect.quote, table)) for (const line of lines) sum.add(line);
  const wanted = manifest.tables[table.name];
  if (!sameTable(wanted, sum.ofTable()))
    throw new BackupRefused(
      `${table.name} has ${sum.count} rows that differ from the ${wanted?.rows} of the backup: this database stores them differently`,
    );
  if (table.nextId !== null) await setNextId(session, table.name, table.nextId);
}

/** Ids of rows deleted before the backup are not reused. */
async function setNextId({ connection, engine }: SqlSession, table: string, next: number): Promise<void> {
  if (engine.kind === "mariadb") {
    await connection.execute(`alter table ${engine.dialect.quote(table)} auto_increment = ${Math.trunc(next)}`, []);
    return;
  }
  await connection.execute("delete from sqlite_sequence where name = ?", [table]);
  await connection.execute("insert into sqlite_sequence (name, seq) values (?, ?)", [table, next - 1]);
}
