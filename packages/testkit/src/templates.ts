import { randomUUID } from "node:crypto";
import { existsSync, renameSync, rmSync } from "node:fs";
import path from "node:path";

/** The folder of one test run for what several tests copy; unset outside of a run of `npm test`. */
const folder = process.env["ROLLCALL_TEST_TEMPLATES"];

/**
 * The path of a file or folder that `make` creates at the given path, once in a test run; null where
 * there is no folder for it, so that the caller creates its own.
 */
export async function template(name: string, make: (target: string) => Promise<void>): Promise<string | null> {
  if (folder === undefined) return null;
  const made = path.join(folder, name);
  if (existsSync(made)) return made;
  const draft = `${made}.${randomUUID()}`;
  await make(draft);
  try {
    renameSync(draft, made);
  } catch (error) {
    // Another test process was faster, and made the same.
    if (!existsSync(made)) throw error;
    rmSync(draft, { recursive: true, force: true });
  }
  return made;
}
