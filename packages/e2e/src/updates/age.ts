import path from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Moves the last update check of a stopped program into the past. */
export function ageLastLook(folder: string, ms: number): void {
  const database = new DatabaseSync(path.join(folder, "data", "rollcall.db"), { timeout: 10_000 });
  try {
    database.prepare("update updates_checks set checked_at = checked_at - ?, known_at = known_at - ?").run(ms, ms);
    database.prepare("update job_runs set started_at = started_at - ? where job = 'updates.check'").run(ms);
  } finally {
    database.close();
  }
}
