import { bulkInsert } from "#core/db/index.ts";
import type { Clock, Log, Storage } from "#core/ports/index.ts";
import type { SqlDatabase, SqlSession } from "../db/database.ts";
import type { MigrationFile } from "../db/migrations/files.ts";
import { createMigrator } from "../db/migrations/migrator.ts";
import { type BackedUpTable, type BackupHeader, type BackupManifest, BackupRefused } from "./format.ts";
import { readBackup } from "./read.ts";
import { LineSum, sameTable } from "./sums.ts";
import { decodeRow, linesOf, tableOf } from "./tables.ts";

export interface LoadParts {
  /** Without tables. */
  readonly db: SqlDatabase;
  /** Null: files are read and checked, and go nowhere. */
  readonly storage: Storage | null;
  readonly migrations: readonly MigrationFile[];
  readonly clock: Clock;
  readonly log: Log;
  /** Told of each table and of the files as they are done. */
  readonly progress: (what: string, count: number) => void;
}

export interface LoadedBackup {
  readonly header: BackupHeader;
  readonly manifest: BackupManifest;
  /** Migrations of this program that the backup did not have. */
  readonly migrated: readonly string[];
}

const rowsPerStatement = 500;
const bytesPerStatement = 512 * 1024;

/** The migrations of the archive, as this program has them. Throws `BackupRefused` for one that it does not have, or has otherwise. */
export function migrationsOf(header: BackupHeader, known: readonly MigrationFile[]): MigrationFile[] {
  const byName = new Map(known.map((file) => [file.name, file]));
  return header.migrations.map(({ name, checksum }) => {
    const file = byName.get(name);
    if (!file)
      throw new BackupRefused(
        `the backup was made by Rollcall ${header.program}, which has the migration ${name}; install that version or a later one`,
      );
    if (file.checksum !== checksum)
      throw new BackupRefused(`migration ${name} is not the one of the backup; install the released files of this version`);
    return file;
  });
}

/**
 * Fills an empty database from an archive: makes the schema that the backup had, loads every row, reads
 * all of it back and compares counts and checksums, then brings it to this version. Throws `BackupRefused`.
 */
export async function loadBackup(file: string, parts: LoadParts): Promise<LoadedBackup> {
  const { db, storage, progress, clock, log } = parts;
  let files = 0;
  const { header, manifest } = await readBackup(file, {
    async begin(found) {
      const migrations = migrationsOf(found, parts.migrations);
      await createMigrator({ db, migrations, clock, log, restoring: true }).migrate();
      await db.exclusive("restore.empty", async (session) => await emptyTables(session, found.tables));
    },
    rows: async (table, lines) => await insertLines(db, table, lines),
    async file(key, bytes) {
      if (storage === null) for await (const _part of bytes);
      else await storage.put(key, bytes);
      files += 1;
    },
  });
  await db.exclusive("restore.compare", async (session) => {
    for (const table of header.tables) {
      await compareTable(session, table, manifest);
      progress(table.name, manifest.tables[table.name]?.rows ?? 0);
    }
  });
  if (header.files) progress("files", files);
  const migrator = createMigrator({ db, migrations: parts.migrations, clock, log, restoring: true });
  return { header, manifest, migrated: await migrator.migrate() };
}

/** What migrations put in by themselves is in the archive too, as it was. */
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
      `${table.name} came out as ${sum.count} rows that are not the ${wanted?.rows} of the backup: this database stores them in another way`,
    );
  if (table.nextId !== null) await setNextId(session, table.name, table.nextId);
}

/** Numbers of rows deleted before the backup are not given again. */
async function setNextId({ connection, engine }: SqlSession, table: string, next: number): Promise<void> {
  if (engine.kind === "mariadb") {
    await connection.execute(`alter table ${engine.dialect.quote(table)} auto_increment = ${Math.trunc(next)}`, []);
    return;
  }
  await connection.execute("delete from sqlite_sequence where name = ?", [table]);
  await connection.execute("insert into sqlite_sequence (name, seq) values (?, ?)", [table, next - 1]);
}
