import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "./build.ts";

/**
 * Browser and SDK tests run the built program, also when vitest is started without `npm test`. What
 * several of them start from, such as the demo city, the first one creates in a folder of this run.
 */
export async function setup(): Promise<() => void> {
  await build({ onlyIfStale: true });
  const folder = mkdtempSync(join(tmpdir(), "rollcall-templates-"));
  process.env["ROLLCALL_TEST_TEMPLATES"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
