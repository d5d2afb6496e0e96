import { existsSync, renameSync, rmSync } from "node:fs";
import Sqlite from "better-sqlite3";
import type { SqliteDsn } from "#core/dsn.ts";
import { lockServing } from "../db/serving-lock.ts";
import { BackupRefused } from "./format.ts";
import type { RestoreTarget } from "./target.ts";
import { placeTables } from "./tables.ts";

const withLogs = (file: string) => [file, `${file}-wal`, `${file}-shm`];

/** The first table with rows; null without one or without the file. */
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

/** Writes the log of a file into the file itself, so that the log cannot be applied to its replacement. */
function foldLog(file: string): void {
  if (!existsSync(file)) return;
  const database = new Sqlite(file);
  try {
    database.pragma("wal_checkpoint(TRUNCATE)");
    database.pragma("journal_mode = DELETE");
  } catch (error) {
    throw new BackupRefused(`${file} is in use by another program (${(error as Error).message}); stop it and try again`);
  } finally {
    database.close();
  }
}

/**
 * A new file next to the old one, which it replaces atomically at the end. Throws `AlreadyServed` while a
 * server runs, and `BackupRefused` if the old one has rows and may not be replaced.
 */
export function sqliteTarget(dsn: SqliteDsn, options: { readonly replace: boolean }): RestoreTarget {
  const { file } = dsn;
  const serving = lockServing(file);
  const draft = `${file}.restoring`;
  const clean = () => withLogs(draft).forEach((one) => rmSync(one, { force: true }));
  try {
    const filled = firstFilled(file);
    if (filled !== null && !options.replace)
      throw new BackupRefused(`${file} is not empty (${filled} has rows); --replace replaces it with the backup`);
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
