import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";

/** Another process serves from the same SQLite file. */
export class AlreadyServed extends Error {
  override name = "AlreadyServed";
}

/** Keeps references, because a garbage-collected handle would lose its lock. */
const locks = new Set<Sqlite.Database>();

/**
 * Prevents a second serving process on the SQLite database `file`: an exclusive lock on `file.lock`, which
 * the system releases when this process ends, even when killed. Other commands do not acquire it. Throws
 * `AlreadyServed` with one line for the operator.
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
  locks.add(lock);
  return {
    release() {
      locks.delete(lock);
      lock.close();
    },
  };
}
