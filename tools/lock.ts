import { mkdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";

function tryLock(file: string): Database.Database | null {
  const database = new Database(file, { timeout: 0 });
  try {
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    if (error instanceof Database.SqliteError && error.code === "SQLITE_BUSY") return null;
    throw error;
  }
}

/**
 * Does something while no other process does it. The lock is one of SQLite, because the system drops it
 * when its process ends, however it ends: a file that is only created would stay.
 */
export async function withLock<T>(file: string, work: () => Promise<T>, onWait: () => void): Promise<T> {
  mkdirSync(path.dirname(file), { recursive: true });
  let lock = tryLock(file);
  if (!lock) onWait();
  while (!lock) {
    await pause(50);
    lock = tryLock(file);
  }
  try {
    return await work();
  } finally {
    lock.close();
  }
}
