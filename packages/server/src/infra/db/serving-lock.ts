import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";

/** Another process serves from the same SQLite file. */
export class AlreadyServed extends Error {
  override name = "AlreadyServed";
}

/** A handle that nobody refers to would be collected, and its lock with it. */
const held = new Set<Sqlite.Database>();

/**
 * Keeps a second serving process off the SQLite database `file`: an exclusive lock on `file.lock`,
 * which the system lets go when this process ends in whatever way. Commands beside the server do
 * not take it. Throws `AlreadyServed` with one line for the operator.
 */
export function lockServing(file: string): { release(): void } {
  const path = `${file}.lock`;
  mkdirSync(dirname(path), { recursive: true });
  const lock = new Sqlite(path, { timeout: 0 });
  try {
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    if ((error as { code?: string }).code !== "SQLITE_BUSY") throw error;
    throw new AlreadyServed(
      `database.dsn: another Rollcall process already serves ${file}; stop it, or use MariaDB and NATS to run several`,
    );
  }
  held.add(lock);
  return {
    release() {
      held.delete(lock);
      lock.close();
    },
  };
}
