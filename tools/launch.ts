import { build } from "./build.ts";
import { repeatTest } from "./flaky.ts";
import { runTests } from "./test.ts";

const [what = "start", ...rest] = process.argv.slice(2);

async function start(): Promise<void> {
  await build({ onlyIfStale: true });
  process.argv.splice(2, Infinity, "start", ...rest);
  await import(new URL("../packages/server/dist/main.js", import.meta.url).href);
}

const commands: Readonly<Record<string, () => Promise<void>>> = {
  start,
  build: async () => await build({ onlyIfStale: rest.includes("--if-stale") }),
  test: async () => await runTests(rest),
  flaky: async () => {
    await build({ onlyIfStale: true });
    await repeatTest(rest);
  },
};

const command = commands[what];
if (!command) {
  process.stderr.write(`rollcall: there is no ${what}; use start, build, test or flaky\n`);
  process.exitCode = 2;
} else {
  await command();
}
