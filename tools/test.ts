import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { build } from "./build.ts";

const root = path.resolve(import.meta.dirname, "..");

interface Service {
  readonly name: string;
  readonly found: () => Promise<boolean>;
  readonly enable: string;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, timeout: 1000 });
    const end = (yes: boolean) => {
      socket.destroy();
      resolve(yes);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
}

const services: readonly Service[] = [
  {
    name: "MariaDB",
    found: async () => process.env["ROLLCALL_TEST_MARIADB_DSN"] !== undefined || (await answers(3306)),
    enable: "start MariaDB 10.6 or later on 127.0.0.1:3306 with root and no password, or set ROLLCALL_TEST_MARIADB_DSN",
  },
  {
    name: "NATS",
    found: async () => await answers(4222),
    enable: "start nats-server with JetStream on 127.0.0.1:4222 (nats-server -js)",
  },
  {
    name: "Chromium",
    found: async () => existsSync(process.env["ROLLCALL_TEST_CHROMIUM"] ?? "/usr/bin/chromium"),
    enable: "install Chromium as /usr/bin/chromium, or set ROLLCALL_TEST_CHROMIUM",
  },
  {
    name: "Chromium 103 (the game's browser)",
    found: async () => existsSync(path.join(root, "packages", "e2e", "cef103", ".browser", "chromium")),
    enable: "npm run -w @rollcall/e2e cef103",
  },
];

async function missingServices(): Promise<Service[]> {
  const found = await Promise.all(services.map(async (service) => await service.found()));
  return services.filter((_service, i) => found[i] !== true);
}

async function stage(name: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<boolean> {
  const started = performance.now();
  process.stdout.write(`\n=== ${name}\n`);
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: "inherit" });
  const code = await new Promise<number>((resolve) => child.on("exit", (status) => resolve(status ?? 1)));
  process.stdout.write(
    `=== ${name}: ${code === 0 ? "passed" : "FAILED"} in ${((performance.now() - started) / 1000).toFixed(1)} s\n`,
  );
  return code === 0;
}

/** Clocks and browsers of a busy machine: one more try, and the report names each test that needed it. */
const secondTry = ["--retry=1"];

const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");

/**
 * Runs the tests: pure ones, database and broker suites, then the browser and SDK tests against the
 * built program. What is missing on this machine is named with how to enable it; with
 * ROLLCALL_TEST_REQUIRE=all it fails instead. A test of databases or browsers that fails once has a
 * second try, and is named when it passes that.
 */
export async function runTests(args: readonly string[]): Promise<void> {
  const deep = args.includes("--deep");
  const missing = await missingServices();
  for (const { name, enable } of missing) process.stdout.write(`skipped: tests with ${name}. To enable them: ${enable}\n`);
  if (missing.length > 0 && process.env["ROLLCALL_TEST_REQUIRE"] === "all") {
    process.stderr.write("ROLLCALL_TEST_REQUIRE=all wants every service\n");
    process.exitCode = 1;
    return;
  }
  const env = {
    ...process.env,
    ...(deep ? { ROLLCALL_TEST_DEEP: "1", ROLLCALL_TEST_FACTOR: "50" } : {}),
    NO_COLOR: "1",
  };
  await build({ onlyIfStale: true });
  const reporters = ["--reporter=dot", `--reporter=${path.join(import.meta.dirname, "tries.reporter.ts")}`];
  const run = async (project: string, ...more: string[]) =>
    await stage(project, [vitest, "run", "--project", project, ...reporters, ...more], env);
  const results: boolean[] = [];
  if (args.includes("--faults")) results.push(await run("faults"));
  else results.push(await run("unit"), await run("db", ...secondTry), await run("e2e", ...secondTry));
  if (results.some((passed) => !passed)) process.exitCode = 1;
}
