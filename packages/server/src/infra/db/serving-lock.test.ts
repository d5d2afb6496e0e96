import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { AlreadyServed, lockServing } from "./serving-lock.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rollcall-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("allows one process to serve, and the next one after it ended", () => {
  const file = join(folder, "data/rollcall.db");
  const first = lockServing(file);
  expect(() => lockServing(file)).toThrow(AlreadyServed);
  expect(() => lockServing(file)).toThrow(`another Rollcall process already serves ${file}`);
  first.release();
  lockServing(file).release();
});

it("is released when a process is killed", async () => {
  const file = join(folder, "rollcall.db");
  const url = new URL("./serving-lock.ts", import.meta.url).href;
  const script = `const { lockServing } = await import(${JSON.stringify(url)}); lockServing(${JSON.stringify(file)}); globalThis.gc(); console.log("held"); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--expose-gc", "--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(child.stdout, "data");
    expect(() => lockServing(file)).toThrow(AlreadyServed);
  } finally {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  lockServing(file).release();
});
