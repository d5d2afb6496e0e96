import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { canMount } from "@rollcall/testkit/disks.ts";
import { freePort } from "@rollcall/testkit/ports.ts";

const root = path.resolve(import.meta.dirname, "../../../..");

/** Waits for a script of deploy/, with the Node of these tests. */
async function runScript(script: string, ...args: readonly string[]): Promise<{ code: number; output: string }> {
  const env = { ...process.env, PATH: `${path.dirname(process.execPath)}:${process.env["PATH"] ?? ""}` };
  const child = spawn("sh", [path.join(root, "deploy", script), ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  const [code] = (await once(child, "close")) as [number];
  return { code, output };
}

test.skipIf(!canMount())(
  "the script that tries an installation finds one that works, as another user",
  { timeout: 180_000 },
  async () => {
    const place = mkdtempSync(path.join(tmpdir(), "rollcall-once-"));
    const data = path.join(place, "data");
    mkdirSync(data);
    chmodSync(place, 0o755);
    chownSync(data, 10_001, 10_001);
    try {
      const { code, output } = await runScript("image/run-once.sh", root, data, String(await freePort()));
      expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/served a page, backed up, stopped\n$/) });
    } finally {
      rmSync(place, { recursive: true });
    }
  },
);

test("the script that tries a release remounts nothing outside of a mount namespace of its own", async () => {
  const { code, output } = await runScript("release-try.sh", "read-only", "/nonexistent", "1");
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining("nothing was changed") });
});
