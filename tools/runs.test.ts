import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { otherRuns, registerRun } from "./runs.ts";

const folder = mkdtempSync(path.join(tmpdir(), "rollcall-runs-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("runs under way are known to each other until they end, also by a kill", async () => {
  expect(otherRuns(path.join(folder, "none-yet"))).toEqual([]);
  const unregister = registerRun(folder);
  expect(otherRuns(folder)).toEqual([]);
  const other = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  writeFileSync(path.join(folder, String(other.pid)), "");
  expect(otherRuns(folder)).toEqual([other.pid]);
  other.kill("SIGKILL");
  await once(other, "exit");
  expect(otherRuns(folder)).toEqual([]);
  unregister();
  expect(readdirSync(folder)).toEqual([]);
});
