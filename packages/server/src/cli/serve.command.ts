import type { LoadedConfig } from "#config/index.ts";
import { checkSubsystems, formatFinding } from "#config/index.ts";
import { installProcessLog } from "#infra/log/index.ts";
import { DatabaseUnavailable } from "#core/db/errors.ts";
import { BrokerUnavailable } from "#core/ports/index.ts";
import { CustomColumnRefused } from "#core/custom-columns.ts";
import { AlreadyServed } from "#infra/db/serving-lock.ts";
import { releaseMemory } from "#infra/memory.ts";
import { MigrationRefused } from "#infra/db/migrations/refused.ts";
import { StorageRefused } from "#infra/files/watch.ts";
import { ListenRefused } from "#infra/http/listen.ts";
import { InstallationHeld } from "#infra/installation/index.ts";
import { version } from "#core/version.ts";
import { features } from "#app/features.ts";
import { createApp } from "#app/app.ts";
import type { Role } from "#app/lifecycle.ts";
import type { RunningProcess } from "#app/lifecycle.ts";
import { command as strict, CommandError, configArg, loadOrRefuse } from "./command.ts";

const known: readonly Role[] = ["web", "worker", "bot"];
const drainMs = 15_000;
/** After the start, once the browsers that waited for it have their first answers. */
const settledMs = 2_000;
/** Loggers beside those of the features, for `log.levelOverrides`. */
const subsystems = [
  "start",
  "http",
  "db",
  "kvstore",
  "locks",
  "cron",
  "perms",
  "events",
  "outbox",
  "realtime",
  "tasks",
  "tracing",
];

function rolesOf(text: string | undefined): Role[] {
  const roles = (text ?? known.join(","))
    .split(",")
    .map((role) => role.trim())
    .filter(Boolean);
  const wrong = roles.find((role) => !known.includes(role as Role));
  if (wrong !== undefined) throw new CommandError(`--roles ${wrong} is not a role; write any of ${known.join(", ")}`, 2);
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

/** Starts the program and stays until a signal; a refused start is one line on standard error and code 1. */
export async function serve(loaded: LoadedConfig, roles: readonly Role[]): Promise<RunningProcess> {
  let app: RunningProcess;
  try {
    app = await createApp({ loaded, roles });
  } catch (error) {
    throw refused(error);
  }
  const log = app.container.logs.subsystem("start");
  const processLog = installProcessLog({ log, logToFile: loaded.config.log.logToFile });
  const warnings = [...loaded.warnings, ...checkSubsystems(loaded, [...subsystems, ...features.map(({ name }) => name)])];
  for (const warning of warnings) log.warn({ option: warning.path }, formatFinding(warning));
  if (loaded.notInEffect.length > 0) {
    log.info({ options: loaded.notInEffect }, `checked but not yet in effect in this release: ${loaded.notInEffect.join(", ")}`);
  }
  stopOnSignals(app);
  try {
    const { port, adminPort } = await app.start();
    log.info(
      { version, roles, port, adminPort, database: app.container.db.kind, broker: app.container.broker.kind },
      `Rollcall ${version} serves ${loaded.config.http.publicURL}`,
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
    const late = app.container.ports.clock.setTimeout(() => process.exit(1), drainMs);
    void app.stop().then(() => {
      late.cancel();
      process.exit(0);
    });
  };
  process.on("SIGTERM", () => stop("SIGTERM"));
  process.on("SIGINT", () => stop("SIGINT"));
}

export const command = strict({
  meta: { name: "serve", description: "Run the program; never writes a configuration" },
  args: {
    roles: {
      type: "string",
      valueHint: "web,worker,bot",
      description: "What this process does; all of it when left out",
    },
    ...configArg,
  },
  async run({ args }) {
    await serve(loadOrRefuse(args.config), rolesOf(args.roles));
  },
});
