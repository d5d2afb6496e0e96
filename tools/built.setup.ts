import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "./build.ts";

/**
 * Browser and SDK tests run the built program, also when vitest is started without `npm test`. The first
 * test that needs the demo city loads it, and the others of this run copy it.
 */
export async function setup(): Promise<() => void> {
  await build({ onlyIfStale: true });
  const folder = mkdtempSync(path.join(tmpdir(), "rollcall-city-"));
  process.env["ROLLCALL_TEST_CITY"] = path.join(folder, "data");
  return () => rmSync(folder, { recursive: true, force: true });
}
