import type { LoadedConfig } from "#config/index.ts";
import { exitCodeConfig, formatFinding } from "#config/index.ts";
import { installProcessLog } from "#infra/log/index.ts";
import { DatabaseUnavailable } from "#core/db/errors.ts";
import { BrokerUnavailable } from "#core/ports/index.ts";
import { CustomColumnRefused } from "#core/custom-columns.ts";
import { AlreadyServed } from "#infra/db/serving-lock.ts";
import { snapshotHeapOnSignal } from "#infra/heap-snapshots.ts";
import { releaseMemory } from "#infra/memory.ts";
import { MigrationRefused } from "#infra/db/migrations/refused.ts";
import { StorageRefused } from "#infra/files/watch.ts";
import { ListenRefused } from "#infra/http/listen.ts";
import { InstallationHeld } from "#infra/installation/index.ts";
import { version } from "#core/version.ts";
import { setupApi } from "#features/setup/setup.api.ts";
import { createApp } from "#app/app.ts";
import type { Role } from "#app/lifecycle.ts";
import type { RunningProcess } from "#app/lifecycle.ts";
import { command as strict, CommandError, configArg, loadOrRefuse } from "./command.ts";
import { boxed, type Welcome, welcomeLines, withoutEffectText } from "./welcome.ts";
import { unknownSubsystems } from "./subsystems.ts";

const known: readonly Role[] = ["web", "worker", "bot"];
const drainMs = 15_000;
/** After the start, once the browsers that waited for it have their first answers. */
const settledMs = 2_000;
function rolesOf(text: string | undefined): Role[] {
  const roles = (text ?? known.join(","))
    .split(",")
    .map((role) => role.trim())
    .filter(Boolean);
  const wrong = roles.find((role) => !known.includes(role as Role));
  if (wrong !== undefined) throw new CommandError(`--roles ${wrong} is not a role; write any of ${known.join(", ")}`, 2);
  // As a unit file has it whose variable is not set.
  if (roles.length === 0) throw new CommandError(`--roles names no role; write any of ${known.join(", ")}, or leave it out`, 2);
  return roles as Role[];
}

const refusals = [
  AlreadyServed,
  DatabaseUnavailable,
  BrokerUnavailable,
  CustomColumnRefused,
  MigrationRefused,
  InstallationHeld,
  ListenRefused,
  StorageRefused,
];

function oneLine(error: unknown): string | null {
  return error instanceof Error && refusals.some((kind) => error instanceof kind) ? error.message.replaceAll(/\s+/g, " ") : null;
}

/** Says where to go on: in a box where somebody sits in front of it, as a line of the log elsewhere. */
export async function welcome({ assembly, container }: RunningProcess, more: Omit<Welcome, "setup">) {
  // Without a database the log says what is wrong.
  const setup = await assembly
    .api(setupApi)
    .address()
    .catch(() => null);
  if (process.stdout.isTTY) process.stdout.write(`\n${boxed(welcomeLines({ ...more, setup }), process.stdout.columns)}`);
  else if (setup !== null)
    container.logs.subsystem("setup").info({}, `nobody can sign in yet: open ${setup} to create the first admin`);
}

/** With all names only where nobody has to read past them to see the address. */
function withoutEffect({ config, notInEffect: options }: LoadedConfig): string {
  const { logToFile, logToStderr } = config.log;
  const isWatched = !logToFile && (logToStderr ? process.stderr : process.stdout).isTTY;
  return withoutEffectText(options, isWatched);
}

/** Starts the program and stays until a signal; a refused start is one line on standard error and code 1. */
export async function serve(loaded: LoadedConfig, roles: readonly Role[]): Promise<RunningProcess> {
  const unknown = await unknownSubsystems(loaded);
  if (unknown.length > 0) throw new CommandError(unknown.map(formatFinding).join("\n"), exitCodeConfig);
  let app: RunningProcess;
  try {
    app = await createApp({ loaded, roles });
  } catch (error) {
    throw refused(error);
  }
  const log = app.container.logs.subsystem("start");
  const processLog = installProcessLog({ log, logToFile: loaded.config.log.logToFile });
  for (const warning of loaded.warnings) log.warn({ option: warning.path }, formatFinding(warning));
  for (const hint of loaded.hints) log.info({ option: hint.path }, formatFinding(hint));
  if (loaded.notInEffect.length > 0) {
    log.info({ options: loaded.notInEffect }, withoutEffect(loaded));
  }
  stopOnSignals(app);
  snapshotHeapOnSignal({ log });
  try {
    const { port, adminPort } = await app.start();
    log.info(
      { version, roles, port, adminPort, database: app.container.db.kind, broker: app.container.broker.kind },
      `Rollcall ${version} serves ${roles.includes("web") ? loaded.config.http.publicURL : `as ${roles.join(" and ")}`}`,
    );
    app.container.ports.clock.setTimeout(releaseMemory, settledMs);
    if (loaded.config.mode === "debug" && app.web) log.info({ routes: app.web.printRoutes({ commonPrefix: false }) }, "routes");
    return app;
  } catch (error) {
    const line = oneLine(error);
    processLog.fatal(line ?? `start failed: ${(error as Error).message}`, line === null ? { err: error } : {});
    await Promise.race([app.stop().catch(() => undefined), app.container.ports.clock.sleep(3000)]);
    process.exit(1);
  }
}

function refused(error: unknown): unknown {
  const line = oneLine(error);
  return line === null ? error : new CommandError(line);
}

function stopOnSignals(app: RunningProcess): void {
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    const log = app.container.logs.subsystem("start");
    log.info({ signal }, "stopping");
    const late = app.container.ports.clock.setTimeout(() => {
      log.warn({}, `requests or tasks did not end within ${drainMs / 1000} s, so the server ends without them`);
      process.exit(1);
    }, drainMs);
    void app.stop().then(() => {
      late.cancel();
      process.exit(0);
    });
  };
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => stop("SIGINT"));
}

export const command = strict({
  meta: { name: "serve", description: "Run the server; never writes a configuration" },
  args: {
    roles: {
      type: "string",
      valueHint: "web,worker,bot",
      description: "What this process does; everything if omitted",
    },
    ...configArg,
  },
  async run({ args }) {
    const loaded = loadOrRefuse(args.config);
    const app = await serve(loaded, rolesOf(args.roles));
    await app.complete.catch(() => undefined);
    await welcome(app, { url: loaded.config.http.publicURL, demo: null, hasDemo: false, by: "serve" });
  },
});
