import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { StoreSettings } from "./protocol.ts";

const tables = `
  create table if not exists meta (name text primary key, value text not null) without rowid;
  create table if not exists streams (
    name text primary key, subjects text not null, max_age integer not null, max_bytes integer,
    window integer not null, epoch text not null, last integer not null, bytes integer not null
  ) without rowid;
  create table if not exists messages (
    stream text not null, seq integer not null, subject text not null, id text not null,
    at integer not null, size integer not null, data blob not null, primary key (stream, seq)
  ) without rowid;
  create index if not exists messages_age on messages (stream, at);
  create table if not exists ids (
    stream text not null, id text not null, seq integer not null, at integer not null, primary key (stream, id)
  ) without rowid;
  create index if not exists ids_age on ids (stream, at);
  create table if not exists durables (
    stream text not null, name text not null, taken integer not null, primary key (stream, name)
  ) without rowid;
  create table if not exists pending (
    stream text not null, durable text not null, seq integer not null, attempt integer not null, due integer,
    primary key (stream, durable, seq)
  ) without rowid;
  create index if not exists pending_due on pending (stream, durable, due);
  create table if not exists buckets (name text primary key, ttl integer, revision integer not null) without rowid;
  create table if not exists entries (
    bucket text not null, key text not null, revision integer not null, value blob not null, expires integer,
    primary key (bucket, key)
  ) without rowid;
  create index if not exists entries_expiry on entries (bucket, expires);
`;

const layout = 1;

/** The file cannot be used; the message is one line for the operator. */
export class StoreUnusable extends Error {}

/**
 * Opens the file exclusively for this process, with SQLite's own lock, which the system releases when
 * the process dies. The .pid file is only there to name the process in error messages.
 */
export function openFile(settings: StoreSettings): Database.Database {
  const { file, pid } = settings;
  const owner = `${file}.pid`;
  let db: Database.Database | null = null;
  try {
    mkdirSync(dirname(file), { recursive: true });
    db = new Database(file, { timeout: 1000 });
    db.pragma("locking_mode = EXCLUSIVE");
    db.pragma("journal_mode = WAL");
    db.exec("begin immediate; commit");
  } catch (error) {
    db?.close();
    if (/locked|busy/i.test((error as Error).message)) {
      const holder = existsSync(owner) ? `process ${readFileSync(owner, "utf8").trim()}` : "another process";
      throw new StoreUnusable(
        `embedded broker file ${file} is in use by ${holder}; run one process, or set nats.url to a NATS server`,
      );
    }
    throw new StoreUnusable(
      `embedded broker file ${file} cannot be opened (${(error as Error).message}); check the folder's permissions and free space`,
    );
  }
  writeFileSync(owner, `${pid}\n`);
  migrate(db, settings);
  return db;
}

function migrate(db: Database.Database, { file, now }: StoreSettings): void {
  const found = db.pragma("user_version", { simple: true }) as number;
  if (found > layout) {
    throw new StoreUnusable(
      `embedded broker file ${file} was written by a newer Rollcall; update the program, or delete the file (it is rebuilt)`,
    );
  }
  db.exec(tables);
  db.pragma(`user_version = ${layout}`);
  // A file restored from a copy would continue an old numbering; it is detected by its inode and creation time.
  const { ino, birthtimeMs } = statSync(file);
  const identity = `${ino}-${birthtimeMs}`;
  const known = db.prepare("select value from meta where name = 'identity'").pluck().get() as string | undefined;
  if (known === identity) return;
  db.transaction(() => {
    db.prepare("insert or replace into meta (name, value) values ('identity', ?)").run(identity);
    if (known !== undefined) db.prepare("update streams set epoch = epoch || ?").run(`-${now.toString(36)}`);
  })();
}
