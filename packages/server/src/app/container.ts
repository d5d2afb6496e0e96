import { type Config, type LoadedConfig, secretValues } from "#config/index.ts";
import type { Broker, Clock, Ids, Outgoing, PasswordHashes, Tracing } from "#core/ports/index.ts";
import { version } from "#core/version.ts";
import { type BrokerInput, openBroker } from "#infra/broker/index.ts";
import { Namespace } from "#infra/broker/namespace.ts";
import { systemClock } from "#infra/clock.ts";
import { createDatabase, type DatabaseOptions, type SqlDatabase } from "#infra/db/database.ts";
import { gateDatabase } from "#infra/db/gate.ts";
import { loadMigrations } from "#infra/db/migrations/files.ts";
import { createMigrator, type Migrator } from "#infra/db/migrations/migrator.ts";
import { lockServing } from "#infra/db/serving-lock.ts";
import { createIds } from "#infra/ids.ts";
import { createLogs, type ProgramLogs } from "#infra/log/index.ts";
import { createRelay, type Relay } from "#infra/outbox/index.ts";
import { type OpenedTracing, openTracing } from "#infra/telemetry/index.ts";
import { createMetrics, type MetricsRegistry } from "#infra/telemetry/metrics.ts";
import { tracedBroker, traceStatements, unitSpans } from "#infra/telemetry/traced.ts";
import { notesOf } from "./notes.ts";
import { type AppPorts, createPorts, databaseOptions } from "./ports.ts";
import { createLive, type Live } from "./realtime.ts";

/** Replacements of real dependencies, for tests and benchmarks. */
export interface Overrides {
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly logs?: ProgramLogs;
  readonly outgoing?: Outgoing;
  readonly passwordHashes?: PasswordHashes;
  readonly database?: Partial<DatabaseOptions>;
}

/** The opened dependencies of a server process. */
export interface Container {
  readonly ports: AppPorts;
  readonly db: SqlDatabase;
  readonly broker: Broker;
  /** Names the broker's streams and subjects; the broker can be used once it is set. */
  readonly namespace: Namespace;
  readonly migrator: Migrator;
  readonly relay: Relay;
  readonly metrics: MetricsRegistry;
  readonly logs: ProgramLogs;
  readonly tracing: OpenedTracing;
  readonly live: Live;
  /** Lets features use the database, once its schema is that of this version. */
  openGate(): void;
  /** Closes everything in the reverse order of opening; also what a refused start has opened. */
  close(): Promise<void>;
}

/** Closes what a refused start has opened, so that nothing keeps the process alive. */
export async function closeRefused(
  { config }: LoadedConfig,
  { logs, close }: Pick<Container, "logs" | "close">,
  error: unknown,
): Promise<void> {
  // The caller prints the error to standard error, so it is missing in a log file.
  if (config.log.logToFile) logs.subsystem("start").error({}, (error as Error).message);
  await close().catch(() => undefined);
}

/**
 * Opens logs, database and broker. Throws `AlreadyServed` and `BrokerUnavailable`, each one line for
 * the operator; with `ignoreRequirements` the broker may connect later. The database is first used in
 * `start()`.
 */
export async function openContainer(loaded: LoadedConfig, overrides: Overrides): Promise<Container> {
  const { config } = loaded;
  const logs = overrides.logs ?? createLogs(config, { clock: overrides.clock ?? systemClock, secrets: secretValues(config) });
  const opened = new AsyncDisposableStack();
  opened.defer(async () => await logs.close());
  const close = async () => await opened.disposeAsync();
  try {
    return { ...(await openAll(loaded, { ...overrides, logs }, opened)), close };
  } catch (error) {
    await closeRefused(loaded, { logs, close }, error);
    throw error;
  }
}

function createTracedDatabase(
  config: Config,
  { tracing, ...options }: Pick<DatabaseOptions, "log" | "clock" | "metrics"> & Partial<DatabaseOptions> & { tracing: Tracing },
): SqlDatabase {
  const { kind } = config.database.dsn;
  const around = tracing.enabled ? { around: unitSpans(tracing, kind) } : {};
  const db = createDatabase({ ...databaseOptions(config), ...around, ...options });
  if (tracing.enabled) db.observe(traceStatements(tracing, kind));
  return db;
}

async function openTracedBroker(
  { nats: { url, replicas }, ignoreRequirements }: Config,
  { tracing, ...options }: Pick<BrokerInput, "log" | "clock" | "metrics" | "namespace"> & { tracing: Tracing },
): Promise<Broker> {
  const start = ignoreRequirements ? "background" : "required";
  const opened = await openBroker({ url, replicas, start, ...options });
  return tracedBroker(opened, tracing);
}

async function openAll(
  loaded: LoadedConfig,
  { clock = systemClock, ids = createIds(clock), logs, ...overrides }: Overrides & { readonly logs: ProgramLogs },
  opened: AsyncDisposableStack,
): Promise<Omit<Container, "close">> {
  const { config } = loaded;
  const { dsn } = config.database;
  const metrics = createMetrics();
  const log = logs.subsystem("tracing");
  const traces = await openTracing({ settings: config.otlp, version, instance: ids.next(), clock, log, metrics });
  opened.defer(async () => await traces.close());
  const { tracing } = traces;
  const lock = dsn.kind === "sqlite" ? lockServing(dsn.file) : null;
  if (lock) opened.defer(() => lock.release());
  const db = createTracedDatabase(config, { tracing, log: logs.subsystem("db"), clock, metrics, ...overrides.database });
  opened.defer(async () => await db.close());
  const gate = gateDatabase(db, clock);
  const namespace = new Namespace();
  const broker = await openTracedBroker(config, { tracing, log: logs.subsystem("kvstore"), clock, metrics, namespace });
  opened.defer(async () => await broker.close());
  const alone = lock !== null;
  const relay = createRelay({ db, broker, clock, ids, metrics, tracing, log: logs.subsystem("outbox"), alone });
  const migrator = createMigrator({ db, migrations: await loadMigrations(), clock, log: logs.subsystem("db") });
  const live = createLive();
  const ports = createPorts({
    config,
    logs,
    clock,
    ids,
    metrics,
    tracing,
    db,
    gated: gate.db,
    migrator,
    broker,
    brokerState: () => broker.state(),
    state: live.state,
    committed: () => relay.nudge(),
    ...(overrides.outgoing ? { outgoing: overrides.outgoing } : {}),
    ...(overrides.passwordHashes ? { passwordHashes: overrides.passwordHashes } : {}),
    notes: { startedAt: clock.now(), ...notesOf(loaded) },
  });
  opened.defer(async () => await ports.storage.close());
  opened.defer(async () => await ports.pictures.close());
  return {
    ports,
    db,
    broker,
    namespace,
    relay,
    metrics,
    logs,
    migrator,
    live,
    tracing: traces,
    openGate: () => gate.open(),
  };
}
