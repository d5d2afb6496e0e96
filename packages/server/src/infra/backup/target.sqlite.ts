import { existsSync, renameSync, rmSync } from "node:fs";
import Sqlite from "better-sqlite3";
import type { SqliteDsn } from "#core/dsn.ts";
import { lockServing } from "../db/serving-lock.ts";
import { BackupRefused } from "./format.ts";
import type { RestoreTarget } from "./target.ts";
import { placeTables } from "./tables.ts";

const withLogs = (file: string) => [file, `${file}-wal`, `${file}-shm`];

/** The first table with rows, of a file that may not be there. */
function firstFilled(file: string): string | null {
  if (!existsSync(file)) return null;
  const database = new Sqlite(file, { readonly: true });
  try {
    const names = database
      .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite!_%' escape '!' order by name")
      .pluck()
      .all() as string[];
    const filled = names.find(
      (name) => !placeTables.has(name) && database.prepare(`select 1 from "${name}" limit 1`).get() !== undefined,
    );
    return filled ?? null;
  } finally {
    database.close();
  }
}

/** Brings everything of a file into the file itself, so that nothing of its log can get behind its successor. */
function foldLog(file: string): void {
  if (!existsSync(file)) return;
  const database = new Sqlite(file);
  try {
    database.pragma("wal_checkpoint(TRUNCATE)");
    database.pragma("journal_mode = DELETE");
  } catch (error) {
    throw new BackupRefused(`${file} is in use by another program (${(error as Error).message}); end it and try again`);
  } finally {
    database.close();
  }
}

/**
 * A new file beside the old one, which takes its place in one step: until then nothing has changed. Throws
 * `AlreadyServed` while a server runs, `BackupRefused` when the old one holds rows and may not be replaced.
 */
export function sqliteTarget(dsn: SqliteDsn, options: { readonly replace: boolean }): RestoreTarget {
  const { file } = dsn;
  const serving = lockServing(file);
  const draft = `${file}.restoring`;
  const clean = () => withLogs(draft).forEach((one) => rmSync(one, { force: true }));
  try {
    const filled = firstFilled(file);
    if (filled !== null && !options.replace)
      throw new BackupRefused(`${file} is not empty (${filled} has rows); --replace puts the backup in its place`);
    clean();
  } catch (error) {
    serving.release();
    throw error;
  }
  return {
    dsn: { ...dsn, file: draft },
    async commit() {
      foldLog(draft);
      foldLog(file);
      renameSync(draft, file);
      clean();
      serving.release();
    },
    async rollback() {
      clean();
      serving.release();
    },
  };
}
