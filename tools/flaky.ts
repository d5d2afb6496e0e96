import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

const root = path.resolve(import.meta.dirname, "..");
const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");
const usage = "npm run flaky -- <test file> [-t <name>] [--times 50] [--calm]";

/** Uses a core in slices of 50 ms, and ends when its parent has ended. */
const burner = `
  process.stdin.resume().on("close", () => process.exit());
  setInterval(() => { for (const end = performance.now() + 50; performance.now() < end;); }, 0);
`;

/** Keeps every core busy until it is stopped. */
function startLoad(): { stop(): void } {
  const burners = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ["--eval", burner], { stdio: ["pipe", "ignore", "ignore"] }),
  );
  return { stop: () => burners.forEach((one) => one.kill("SIGKILL")) };
}

async function once(args: readonly string[]): Promise<{ readonly code: number; readonly out: string }> {
  const child = spawn(process.execPath, [vitest, "run", "--reporter=dot", ...args], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (out += String(chunk)));
  const code = await new Promise<number>((resolve) => child.on("close", (status) => resolve(status ?? 1)));
  return { code, out };
}

/** Repeats a test while other programs use every core, and reports each run that failed. */
async function repeat(file: string, name: string | undefined, times: number, calm: boolean): Promise<number> {
  const load = calm ? null : startLoad();
  const args = [file, ...(name === undefined ? [] : ["-t", name])];
  let failed = 0;
  try {
    for (let run = 1; run <= times; run += 1) {
      const { code, out } = await once(args);
      // With a name that matches nothing, or a missing service, everything is skipped and vitest ends with 0.
      if (code === 0 && /Tests .*\d+ passed/.test(out)) continue;
      failed += 1;
      process.stdout.write(`run ${run} of ${times} failed:\n${out}\n`);
    }
  } finally {
    load?.stop();
  }
  process.stdout.write(`${times - failed} of ${times} runs passed\n`);
  return failed;
}

/** `npm run flaky`: exit code 1 if a run failed, 2 for wrong arguments. */
export async function repeatTest(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      t: { type: "string", short: "t" },
      times: { type: "string", default: "50" },
      calm: { type: "boolean", default: false },
    },
  });
  const [file] = positionals;
  const times = Number(values.times);
  if (file === undefined || !Number.isInteger(times) || times < 1) {
    process.stderr.write(`flaky: name a test file and how often to run it: ${usage}\n`);
    process.exitCode = 2;
  } else if ((await repeat(file, values.t, times, values.calm)) > 0) process.exitCode = 1;
}
