import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import { parseArgs } from "node:util";
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

const hasProgram = (name: string, file: string) => existsSync(file) || spawnSync(name, ["-v"]).status === 0;

const services: readonly Service[] = [
  {
    name: "MariaDB",
    found: async () => process.env["ROLLCALL_TEST_MARIADB_DSN"] !== undefined || (await answers(3306)),
    enable: "start MariaDB 10.6 or later on 127.0.0.1:3306 with root and no password, or set ROLLCALL_TEST_MARIADB_DSN",
  },
  {
    name: "NATS",
    // Tests also start servers of their own.
    found: async () => (await answers(4222)) && hasProgram("nats-server", "/usr/sbin/nats-server"),
    enable: "install nats-server and start it with JetStream on 127.0.0.1:4222 (nats-server -js)",
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
    found: async () => hasProgram("nginx", "/usr/sbin/nginx"),
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

/** For `npm test`. Machines differ by half, so it is compared by people. */
const limitMinutes = 15;

const vitest = path.join(root, "node_modules", "vitest", "vitest.mjs");

interface Wanted {
  readonly deep: boolean;
  /** Whether a missing service ends the run: a release must not pass because nothing was tested. */
  readonly required: boolean;
  readonly runs: readonly PlannedRun[];
}

const usage = "npm test -- [--changed [commit] | --faults | --deep]";

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
    if ([changed, faults, deep].filter(Boolean).length > 1 || positionals.length > (changed ? 1 : 0)) return null;
    const required = faults || deep || process.env["ROLLCALL_TEST_REQUIRE"] === "all";
    if (faults) return { deep, required, runs: [{ name: "faults", args: ["run", "--project", "faults"] }] };
    // End-to-end tests have no larger counts.
    if (deep) return { deep, required, runs: everything.filter(({ name }) => name !== "e2e") };
    return { deep, required, runs: changed ? plan(changedFiles(root, base)) : everything };
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/**
 * Runs the tests: pure ones, database and broker suites, then the browser and SDK tests against the
 * built program. Missing services are listed with how to enable them; with ROLLCALL_TEST_REQUIRE=all,
 * `--faults` and `--deep` it fails instead. `--changed [commit]` runs only what the changes since a commit can affect.
 */
export async function runTests(args: readonly string[]): Promise<void> {
  const wanted = wantedOf(args);
  if (!wanted) {
    process.stderr.write(`test: these arguments are not known: ${args.join(" ")}. Usage: ${usage}\n`);
    process.exitCode = 2;
    return;
  }
  const { deep, required, runs } = wanted;
  const missing = await missingServices();
  for (const { name, enable } of missing) process.stdout.write(`skipped: tests with ${name}. To enable them: ${enable}\n`);
  if (missing.length > 0 && required) {
    process.stderr.write("this run requires every service\n");
    process.exitCode = 1;
    return;
  }
  const env = {
    ...process.env,
    ...(deep ? { ROLLCALL_TEST_FACTOR: "50" } : {}),
    ...(required ? { ROLLCALL_TEST_REQUIRE: "all" } : {}),
    NO_COLOR: "1",
  };
  if (runs.length === 0) process.stdout.write("nothing changed, so there is nothing to test\n");
  const reporters = ["--reporter=dot", `--reporter=${path.join(import.meta.dirname, "slowest.reporter.ts")}`];
  const started = performance.now();
  for (const { name, args: more } of runs) {
    if (!(await stage(name, [vitest, ...more, ...reporters], env))) process.exitCode = 1;
  }
  const minutes = (performance.now() - started) / 60_000;
  const limit = runs === everything ? `, of ${limitMinutes} on two cores (docs/architecture.md, section 10)` : "";
  process.stdout.write(`\n=== all: ${minutes.toFixed(1)} min${limit}\n`);
}
