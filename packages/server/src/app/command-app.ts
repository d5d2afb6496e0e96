import { userInfo } from "node:os";
import { type Config, secretValues } from "#config/index.ts";
import type { Actor } from "#core/actor.ts";
import { assemble, type Assembly } from "#core/assemble.ts";
import type { StartNotes } from "#core/start-notes.ts";
import { type Broker, BrokerUnavailable, type Ids, type Log, noTracing, type Storage } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { createDatabase, type SqlDatabase } from "#infra/db/database.ts";
import { loadMigrations } from "#infra/db/migrations/files.ts";
import { createMigrator, type Migrator } from "#infra/db/migrations/migrator.ts";
import { createIds } from "#infra/ids.ts";
import { createLogs, type ProgramLogs } from "#infra/log/index.ts";
import { createMetrics } from "#infra/telemetry/metrics.ts";
import { features } from "./features.ts";
import { createPorts, databaseOptions } from "./ports.ts";
import { retentionOf } from "./retention.ts";

/** The program as a command uses it, next to a running server: SQL and outbox, without broker and lock. */
export interface CommandApp {
  readonly config: Config;
  readonly db: SqlDatabase;
  readonly migrator: Migrator;
  readonly features: Assembly;
  readonly storage: Storage;
  readonly keyId: string | null;
  /** Warnings and errors of the database. */
  readonly log: Log;
  readonly actor: Actor;
  readonly ids: Ids;
  close(): Promise<void>;
}

/** A command publishes nothing itself: the server relays its events within a second. */
const noBroker = new Proxy({} as Broker, {
  get() {
    throw new BrokerUnavailable("a command has no connection to the broker");
  },
});

/** Only warnings and errors, so that the command's own output stays readable. */
function quietLogs(config: Config): ProgramLogs {
  const log = { ...config.log, logToFile: false, logToStderr: true };
  return createLogs(
    { ...config, log, logLevel: config.mode === "debug" ? "debug" : "warn" },
    { clock: systemClock, secrets: secretValues(config) },
  );
}

/** In a container the user may have an id but no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

const noNotes = { warnings: [], hints: [], notInEffect: [] };
const fewConnections = { maxOpenConns: 4, maxIdleConns: 2 };

export async function openCommandApp(config: Config, notes: Omit<StartNotes, "startedAt"> = noNotes): Promise<CommandApp> {
  const opened = new AsyncDisposableStack();
  const logs = quietLogs(config);
  opened.defer(async () => await logs.close());
  const clock = systemClock;
  const ids = createIds(clock);
  const metrics = createMetrics({ process: false });
  const log = logs.subsystem("db");
  const options = databaseOptions(config);
  const db = createDatabase({ ...options, pool: { ...options.pool, ...fewConnections }, log, clock, metrics });
  opened.defer(async () => await db.close());
  const migrator = createMigrator({ db, migrations: await loadMigrations(), clock, log });
  const ports = createPorts({
    config,
    logs,
    clock,
    ids,
    metrics,
    db,
    migrator,
    tracing: noTracing,
    broker: noBroker,
    state: { publish: () => undefined, touch: () => undefined, value: () => null, publishedAt: () => null, values: () => [] },
    notes: { startedAt: clock.now(), ...notes },
  });
  opened.defer(async () => await ports.storage.close());
  opened.defer(async () => await ports.pictures.close());
  const assembly = assemble(features, ports, retentionOf(ports));
  ports.listeners.add(assembly.listeners);
  return {
    config,
    db,
    ids,
    migrator,
    log,
    features: assembly,
    storage: ports.storage,
    keyId: ports.vault.keyId,
    actor: { kind: "cli", user: userName() },
    close: async () => await opened.disposeAsync(),
  };
}
