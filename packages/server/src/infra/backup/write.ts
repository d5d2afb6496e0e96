import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { open, readdir, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { Table } from "#core/db/table.ts";
import { ForeignNames, type OwnObjects } from "#core/own-objects.ts";
import type { Clock, Ids, Storage, StoredObject } from "#core/ports/index.ts";
import type { SqlDatabase, SqlSession } from "../db/database.ts";
import { schemaAdapterOf } from "../db/migrations/steps.ts";
import {
  backupFormat,
  type BackedUpFile,
  type BackedUpTable,
  type BackupHeader,
  type BackupManifest,
  BackupRefused,
  entryNames,
  type FilesSum,
  partBytes,
  type TableSum,
} from "./format.ts";
import { LineSum } from "./sums.ts";
import { describeTable, linesOf, placeTables, programTables } from "./tables.ts";
import { tarEnd, tarHead, tarPadding } from "./tar.ts";

export interface BackupOptions {
  readonly db: SqlDatabase;
  /** The tables of the features. */
  readonly tables: readonly Table[];
  /** Null: only the database. */
  readonly storage: Storage | null;
  readonly own: OwnObjects;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly program: string;
  readonly keyId: string | null;
  /** Called after each table and after the files. */
  readonly progress: (what: string, count: number) => void;
}

export interface WrittenBackup {
  readonly header: BackupHeader;
  readonly manifest: BackupManifest;
  /** Tables, and columns as `table.column`, that no feature of this program declares: they are not in the archive. */
  readonly leftOut: readonly string[];
  /** Foreign objects in the storage: they are not in the archive. */
  readonly foreign: ForeignNames;
}

/** MySQL has no such limit, and ignores the comment for MariaDB. */
const patientSession = "set session sql_mode = @@sql_mode /*M!100300 , idle_transaction_timeout = 3600 */";
const linesPerIndex = 20_000;

/** An unfinished archive that was not written to for as long belongs to a backup that was killed. Milliseconds. */
const abandonedMs = 86_400_000;

async function removeAbandoned(file: string, clock: Clock): Promise<void> {
  const folder = path.dirname(path.resolve(file));
  const isUnfinished = (name: string) => name.startsWith(`${path.basename(file)}.`) && name.endsWith(".part");
  for (const name of (await readdir(folder)).filter(isUnfinished)) {
    const found = await stat(path.join(folder, name)).catch(() => null);
    if (found !== null && clock.now() - found.mtimeMs > abandonedMs) await rm(path.join(folder, name), { force: true });
  }
}

/** Throws `BackupRefused` when no archive can have this name, because it is a folder. */
export async function assertArchiveName(file: string): Promise<void> {
  const there = await stat(file).catch(() => null);
  if (there?.isDirectory() !== true) return;
  throw new BackupRefused(`${file} is a folder; name the archive in it, for example ${path.join(file, "backup.tar.gz")}`);
}

/**
 * Writes database and files into one archive. The database is read in one snapshot, in bounded memory and
 * without locks, so the server can keep running. Files are read afterwards: those that the snapshot refers
 * to still exist, because files are removed only some time after the last row that refers to them. The
 * archive appears under its name when it is complete; of two that are written at once under one name, the one
 * that is complete last stays. Throws `BackupRefused` if `file` is a folder or the database cannot be backed up.
 */
export async function writeBackup(file: string, options: BackupOptions): Promise<WrittenBackup> {
  await assertArchiveName(file);
  await removeAbandoned(file, options.clock);
  const unfinished = `${file}.${options.ids.next()}.part`;
  const result: { written?: WrittenBackup } = {};
  try {
    await pipeline(
      Readable.from(
        archive(options, (written) => (result.written = written)),
        { objectMode: false, highWaterMark: 256 * 1024 },
      ),
      createGzip({ level: 5 }),
      createWriteStream(unfinished, { mode: 0o600 }),
    );
    const handle = await open(unfinished, "r+");
    await handle.sync().finally(async () => await handle.close());
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return result.written!;
}

async function* archive(options: BackupOptions, done: (written: WrittenBackup) => void): AsyncGenerator<Uint8Array> {
  const { clock, storage, own } = options;
  const takenAt = clock.now();
  const whole = (name: string, content: string): Buffer => {
    const bytes = Buffer.from(content);
    return Buffer.concat([tarHead(name, bytes.byteLength, takenAt), bytes, tarPadding(bytes.byteLength)]);
  };
  const sums: Record<string, TableSum> = {};
  const snapshot = openSnapshot(options);
  let header: BackupHeader;
  let leftOut: readonly string[];
  try {
    const session = await snapshot.session;
    ({ header, leftOut } = await describe(session, options, takenAt));
    yield whole(entryNames.header, JSON.stringify(header, null, 1));
    for (const table of header.tables) {
      yield* tableParts(session, table, whole, (sum) => (sums[table.name] = sum));
      options.progress(table.name, sums[table.name]?.rows ?? 0);
    }
  } finally {
    await snapshot.end();
  }
  let files = new LineSum().ofFiles(0);
  const foreign = new ForeignNames();
  if (storage !== null) yield* fileEntries(storage, own.list(storage, foreign), whole, (sum) => (files = sum));
  if (storage !== null) options.progress("files", files.count);
  const manifest = { tables: sums, files };
  yield whole(entryNames.manifest, JSON.stringify(manifest, null, 1));
  yield tarEnd();
  done({ header, manifest, leftOut, foreign });
}

/** Keeps one read transaction open while the archive reads from it. */
function openSnapshot({ db }: BackupOptions): { readonly session: Promise<SqlSession>; end(): Promise<void> } {
  const given = Promise.withResolvers<SqlSession>();
  const ended = Promise.withResolvers<void>();
  given.promise.catch(() => undefined);
  const running = db.exclusive("backup.snapshot", async (session) => {
    if (session.engine.kind === "mariadb") await session.connection.execute(patientSession, []);
    await session.connection.begin("read");
    try {
      // SQLite begins its snapshot with the first read.
      await session.connection.execute("select count(*) from schema_migrations", []);
      given.resolve(session);
      await ended.promise;
    } finally {
      await session.connection.rollback();
    }
  });
  running.catch((error: unknown) => given.reject(error));
  return {
    session: given.promise,
    async end() {
      ended.resolve();
      await running;
    },
  };
}

async function describe(session: SqlSession, options: BackupOptions, takenAt: number) {
  const { engine, connection } = session;
  const there = await schemaAdapterOf(engine).inspect(connection);
  const wanted = [...programTables, ...options.tables];
  const missing = wanted.find(({ name }) => !there.has(name));
  if (missing) throw new BackupRefused(`the database has no table ${missing.name}; run rollcall migrate first`);
  const tables: BackedUpTable[] = [];
  for (const table of wanted) tables.push(await describeTable(session, table));
  const names = new Set(wanted.map(({ name }) => name));
  const { rows } = await connection.execute("select name, checksum from schema_migrations order by name", []);
  const header: BackupHeader = {
    format: backupFormat,
    program: options.program,
    takenAt,
    engine: engine.kind,
    migrations: rows.map((row) => ({ name: String(row["name"]), checksum: String(row["checksum"]) })),
    keyId: options.keyId,
    tables,
    files: options.storage !== null,
  };
  const others = [...there.keys()].filter((name) => !names.has(name) && !placeTables.has(name));
  const added = wanted.flatMap((table) =>
    [...there.get(table.name)!.columns.keys()].filter((name) => !(name in table.columns)).map((name) => `${table.name}.${name}`),
  );
  return { header, leftOut: [...others, ...added] };
}

type Whole = (name: string, content: string) => Buffer;

async function* tableParts(
  { connection, engine }: SqlSession,
  table: BackedUpTable,
  whole: Whole,
  done: (sum: TableSum) => void,
): AsyncGenerator<Uint8Array> {
  const sum = new LineSum();
  let waiting: string[] = [];
  let bytes = 0;
  let part = 0;
  for await (const lines of linesOf(connection, engine.dialect.quote, table)) {
    for (const line of lines) {
      sum.add(line);
      waiting.push(line);
      bytes += line.length;
    }
    if (bytes < partBytes) continue;
    yield whole(entryNames.table(table.name, ++part), `${waiting.join("\n")}\n`);
    waiting = [];
    bytes = 0;
  }
  if (waiting.length > 0) yield whole(entryNames.table(table.name, ++part), `${waiting.join("\n")}\n`);
  done(sum.ofTable());
}

async function* fileEntries(
  storage: Storage,
  objects: AsyncIterable<StoredObject>,
  whole: Whole,
  done: (sum: FilesSum) => void,
): AsyncGenerator<Uint8Array> {
  const sum = new LineSum();
  let total = 0;
  let waiting: string[] = [];
  let part = 0;
  for await (const object of objects) {
    const entry: { line?: BackedUpFile } = {};
    yield* oneFile(storage, object, (line) => (entry.line = line));
    if (!entry.line) continue;
    const line = JSON.stringify(entry.line);
    sum.add(line);
    total += entry.line.size;
    waiting.push(line);
    if (waiting.length < linesPerIndex) continue;
    yield whole(entryNames.fileIndex(++part), `${waiting.join("\n")}\n`);
    waiting = [];
  }
  if (waiting.length > 0) yield whole(entryNames.fileIndex(++part), `${waiting.join("\n")}\n`);
  done(sum.ofFiles(total));
}

/** Yields nothing if the object was removed since it was listed. */
async function* oneFile(storage: Storage, object: StoredObject, done: (file: BackedUpFile) => void): AsyncGenerator<Uint8Array> {
  const opened = await storage.open(object.key);
  if (opened === null) return;
  const hash = createHash("sha256");
  let size = 0;
  yield tarHead(entryNames.file(object.key), opened.size, object.modifiedAt);
  for await (const bytes of opened.bytes) {
    hash.update(bytes);
    size += bytes.byteLength;
    yield bytes;
  }
  if (size !== opened.size)
    throw new BackupRefused(`the file ${object.key} has ${size} bytes where ${opened.size} were announced; try again`);
  yield tarPadding(size);
  done({ key: object.key, size, sha256: hash.digest("hex") });
}
