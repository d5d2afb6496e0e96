import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build, isStale } from "./build.ts";
import { otherRuns, registerRun } from "./runs.ts";

const runs = path.resolve(import.meta.dirname, "../node_modules/.rollcall-runs");

/** Not while another run is under way: its programs and pages load parts of the present build late. */
async function buildUnlessUsed(): Promise<void> {
  const [other] = isStale() ? otherRuns(runs) : [];
  if (other !== undefined)
    throw new Error(
      `The sources have changed since the last build, which the test run of process ${other} uses. Wait until it ends, or end it.`,
    );
  await build({ onlyIfStale: true });
}

/**
 * Browser and SDK tests run the built program, also when vitest is started without `npm test`. What
 * several of them start from, such as the demo city, the first one creates in a folder of this run.
 */
export async function setup(): Promise<() => void> {
  if (process.env["ROLLCALL_TEST_PROGRAM"] === undefined) await buildUnlessUsed();
  const unregister = registerRun(runs);
  const folder = mkdtempSync(path.join(tmpdir(), "rollcall-templates-"));
  process.env["ROLLCALL_TEST_TEMPLATES"] = folder;
  return () => {
    unregister();
    rmSync(folder, { recursive: true, force: true });
  };
}
