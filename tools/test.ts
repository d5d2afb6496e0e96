import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build.ts";
import { changedFiles, everything, plan, type PlannedRun } from "./changed.ts";

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
  {
    name: "nginx",
    found: async () => spawnSync("nginx", ["-v"]).status === 0,
    enable: "install nginx",
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

const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");

interface Wanted {
  readonly deep: boolean;
  readonly runs: readonly PlannedRun[];
}

const usage = "npm test -- [--changed [commit] | --faults] [--deep]";

/** What to run, by the arguments of `npm test`; null when they are wrong. */
function wantedOf(args: readonly string[]): Wanted | null {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        changed: { type: "boolean", default: false },
        faults: { type: "boolean", default: false },
        deep: { type: "boolean", default: false },
      },
    });
    const { changed, faults, deep } = values;
    const [base] = positionals;
    if ((changed && faults) || positionals.length > (changed ? 1 : 0)) return null;
    const all = faults ? [{ name: "faults", args: ["run", "--project", "faults"] }] : everything;
    return { deep, runs: changed ? plan(changedFiles(root, base)) : all };
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/**
 * Runs the tests: pure ones, database and broker suites, then the browser and SDK tests against the
 * built program. Missing services are listed with how to enable them; with ROLLCALL_TEST_REQUIRE=all
 * it fails instead. `--changed [commit]` runs only what the changes since a commit can affect.
 */
export async function runTests(args: readonly string[]): Promise<void> {
  const wanted = wantedOf(args);
  if (!wanted) {
    process.stderr.write(`test: these arguments are not known: ${args.join(" ")}. Usage: ${usage}\n`);
    process.exitCode = 2;
    return;
  }
  const { deep, runs } = wanted;
  const missing = await missingServices();
  for (const { name, enable } of missing) process.stdout.write(`skipped: tests with ${name}. To enable them: ${enable}\n`);
  if (missing.length > 0 && process.env["ROLLCALL_TEST_REQUIRE"] === "all") {
    process.stderr.write("ROLLCALL_TEST_REQUIRE=all requires every service\n");
    process.exitCode = 1;
    return;
  }
  const env = {
    ...process.env,
    ...(deep ? { ROLLCALL_TEST_DEEP: "1", ROLLCALL_TEST_FACTOR: "50" } : {}),
    NO_COLOR: "1",
  };
  if (runs.length === 0) process.stdout.write("nothing changed, so there is nothing to test\n");
  await build({ onlyIfStale: true });
  const reporters = ["--reporter=dot", `--reporter=${path.join(import.meta.dirname, "slowest.reporter.ts")}`];
  for (const { name, args: more } of runs) {
    if (!(await stage(name, [vitest, ...more, ...reporters], env))) process.exitCode = 1;
  }
}
