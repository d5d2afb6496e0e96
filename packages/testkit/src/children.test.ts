import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { expect, test } from "vitest";
import { endWithTests } from "./children.ts";

/** Starts a child that would run for a minute, says its process id, and waits. */
const script = `
  import { spawn } from "node:child_process";
  import { endWithTests } from ${JSON.stringify(path.join(import.meta.dirname, "children.ts"))};
  const child = endWithTests(spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"]));
  child.once("spawn", () => console.log(child.pid));
  setTimeout(() => {}, 60_000);
`;

const runs = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test.each(["SIGTERM", "exit"] as const)("a child ends with its test process: %s", async (how) => {
  const end = how === "exit" ? 'process.stdin.once("data", () => process.exit(0));' : "";
  const parent = endWithTests(
    spawn(process.execPath, ["--input-type=module", "-e", script + end], { stdio: ["pipe", "pipe", "inherit"] }),
  );
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const pid = Number(String(line));
  expect(runs(pid)).toBe(true);
  if (how === "exit") parent.stdin.write("x");
  else parent.kill("SIGTERM");
  await once(parent, "exit");
  await expect.poll(() => runs(pid)).toBe(false);
});
