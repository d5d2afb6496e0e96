import { randomUUID } from "node:crypto";
import { existsSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { withLock } from "../../../tools/lock.ts";

/** The folder of one test run for what several tests copy. The end-to-end tests and `npm run test:faults` have one. */
const folder = process.env["ROLLCALL_TEST_TEMPLATES"];

/** SQLite locks belong to a process, so calls of one process share what one of them makes. */
const making = new Map<string, Promise<string>>();

/**
 * The path of a file or folder that `make` creates at the given path, once in a test run; null where
 * there is no folder for it, so that the caller creates its own.
 */
export async function template(name: string, make: (target: string) => Promise<void>): Promise<string | null> {
  if (folder === undefined) return null;
  const made = path.join(folder, name);
  const known =
    making.get(name) ??
    withLock(
      `${made}.lock`,
      async () => await makeOnce(made, make),
      () => undefined,
    );
  making.set(name, known);
  return await known;
}

async function makeOnce(made: string, make: (target: string) => Promise<void>): Promise<string> {
  if (existsSync(made)) return made;
  const draft = `${made}.${randomUUID()}`;
  try {
    await make(draft);
    renameSync(draft, made);
    return made;
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
