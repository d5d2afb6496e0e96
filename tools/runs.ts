import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It is there, and belongs to somebody else.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Notes in the folder that this process runs tests; returns what takes the note away. */
export function registerRun(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, String(process.pid));
  writeFileSync(file, "");
  return () => rmSync(file, { force: true });
}

/** The other processes that run tests. Notes of those that were killed are removed. */
export function otherRuns(folder: string): readonly number[] {
  const noted = existsSync(folder) ? readdirSync(folder).map(Number) : [];
  for (const pid of noted.filter((one) => !isAlive(one))) rmSync(path.join(folder, String(pid)), { force: true });
  return noted.filter((pid) => pid !== process.pid && isAlive(pid));
}
