import { type Config, type LoadedConfig, secretValues, formatFinding } from "#config/index.ts";
import type { Ports, StartNotes } from "#core/feature.ts";
import { version } from "#core/version.ts";
import type { Broker, Clock, Ids, Outgoing, Tracing } from "#core/ports/index.ts";
import { type BrokerInput, openBroker } from "#infra/broker/index.ts";
import { systemClock } from "#infra/clock.ts";
import { createLeases } from "#infra/coordination/leases.ts";
import { createTimers, type SqlTimers } from "#infra/coordination/timers.ts";
import { createDatabase, type DatabaseOptions, type SqlDatabase } from "#infra/db/database.ts";
import { gateDatabase } from "#infra/db/gate.ts";
import { loadMigrations } from "#infra/db/migrations/files.ts";
import { createMigrator, type Migrator } from "#infra/db/migrations/migrator.ts";
import { lockServing } from "#infra/db/serving-lock.ts";
import { createPictures } from "#infra/files/pictures.ts";
import { createStorage } from "#infra/files/index.ts";
import { createUploads } from "#infra/files/uploads.ts";
import { brokerFacts, createDiagnostics } from "#infra/diagnostics.ts";
import { createHealth } from "#infra/health.ts";
import { createIds } from "#infra/ids.ts";
import { createSchedule, type SqlSchedule } from "#infra/jobs/schedule.ts";
import { createLogs, type ProgramLogs } from "#infra/log/index.ts";
import { createOutbox, createRelay, type Relay } from "#infra/outbox/index.ts";
import { createOutgoing } from "#infra/outgoing/index.ts";
import { createSearch } from "#infra/search/index.ts";
import { type OpenedTracing, openTracing } from "#infra/telemetry/index.ts";
import { createMetrics, type MetricsRegistry } from "#infra/telemetry/metrics.ts";
import { tellStatements, tracedBroker, tracedOutgoing, unitSpans } from "#infra/telemetry/traced.ts";
import { createSigner } from "#infra/signer.ts";
import { createVault } from "#infra/vault.ts";

/** What tests and benchmarks put in place of the real surroundings. */
export interface Surroundings {
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly logs?: ProgramLogs;
  readonly outgoing?: Outgoing;
  readonly database?: Partial<DatabaseOptions>;
  /** Prefix of everything on a shared broker. */
  readonly namespace?: string;
}

export interface OpenedParts {
  readonly ports: Omit<Ports<Config>, "state"> & { readonly state: { publish(): void } };
  readonly db: SqlDatabase;
  readonly broker: Broker;
  readonly migrator: Migrator;
  readonly relay: Relay;
  readonly timers: SqlTimers;
  readonly schedule: SqlSchedule;
  readonly metrics: MetricsRegistry;
  readonly logs: ProgramLogs;
  readonly tracing: OpenedTracing;
  /** Lets features work with the database, once its schema is this version's. */
  openDatabase(): void;
  /** Lets another process serve from the same SQLite file. */
  release(): void;
}

interface Abandoned {
  readonly logs: ProgramLogs;
  readonly open: readonly { close(): Promise<void> }[];
}

/** Closes what was opened for a start that is refused, so that nothing keeps the process alive. */
export async function abandon({ config }: LoadedConfig, { logs, open }: Abandoned, error: unknown): Promise<void> {
  // Standard error hears of it from the caller; a log in a file would not.
  if (config.log.logToFile) logs.subsystem("start").error({}, (error as Error).message);
  await Promise.allSettled(open.map((one) => one.close()));
  await logs.close();
}

/**
 * Opens logs, database and broker. Throws `AlreadyServed` and `BrokerUnavailable`, each one line for
 * the operator; with `ignoreRequirements` the broker may come later. The database is first asked in
 * `start()`.
 */
export async function openParts(loaded: LoadedConfig, given: Surroundings): Promise<OpenedParts> {
  const { config } = loaded;
  const logs = given.logs ?? createLogs(config, { clock: given.clock ?? systemClock, secrets: secretValues(config) });
  const open: { close(): Promise<void> }[] = [];
  try {
    return await openOthers(loaded, { ...given, logs }, open);
  } catch (error) {
    await abandon(loaded, { logs, open }, error);
    throw error;
  }
}

type WithLogs = Surroundings & { readonly logs: ProgramLogs };

function databaseOptions({ database, mode }: Config): Pick<DatabaseOptions, "dsn" | "pool" | "disableLocking" | "mode"> {
  const { dsn, disableLocking, maxOpenConns, maxIdleConns } = database;
  const [connMaxIdleTimeMs, connMaxLifetimeMs] = [database.connMaxIdleTime, database.connMaxLifetime];
  return { dsn, disableLocking, mode, pool: { maxOpenConns, maxIdleConns, connMaxIdleTimeMs, connMaxLifetimeMs } };
}

function openDatabase(
  config: Config,
  { tracing, ...parts }: Pick<DatabaseOptions, "log" | "clock" | "metrics"> & Partial<DatabaseOptions> & { tracing: Tracing },
): SqlDatabase {
  const { kind } = config.database.dsn;
  const around = tracing.enabled ? { around: unitSpans(tracing, kind) } : {};
  const db = createDatabase({ ...databaseOptions(config), ...around, ...parts });
  if (tracing.enabled) db.observe(tellStatements(tracing, kind));
  return db;
}

function notesOf({ warnings, notInEffect }: LoadedConfig, clock: Clock): StartNotes {
  return { startedAt: clock.now(), warnings: warnings.map(formatFinding), notInEffect };
}

async function openTracedBroker(
  { nats: { url, replicas }, ignoreRequirements }: Config,
  { tracing, ...parts }: Pick<BrokerInput, "log" | "clock" | "metrics"> & { tracing: Tracing },
  namespace: string | undefined,
): Promise<Broker> {
  const start = ignoreRequirements ? "background" : "required";
  const opened = await openBroker({ url, replicas, start, ...parts, ...(namespace === undefined ? {} : { namespace }) });
  return tracedBroker(opened, tracing);
}
const openFiles = ({ storage }: Config, clock: Clock, ids: Ids) => ({
  storage: createStorage(storage, { clock, ids }),
  uploads: createUploads(clock),
  pictures: createPictures(),
});

async function openOthers(
  loaded: LoadedConfig,
  { clock = systemClock, ids = createIds(clock), logs, ...given }: WithLogs,
  open: { close(): Promise<void> }[],
): Promise<OpenedParts> {
  const { config } = loaded;
  const metrics = createMetrics();
  const { database } = config;
  const traces = await openTracing({
    settings: config.otlp,
    version,
    instance: ids.next(),
    clock,
    log: logs.subsystem("tracing"),
    metrics,
  });
  open.push(traces);
  const { tracing } = traces;
  const serving = database.dsn.kind === "sqlite" ? lockServing(database.dsn.file) : null;
  const db = openDatabase(config, { tracing, log: logs.subsystem("db"), clock, metrics, ...given.database });
  if (serving) open.push({ close: async () => serving.release() });
  open.push(db);
  const gate = gateDatabase(db, clock);
  const broker = await openTracedBroker(config, { tracing, log: logs.subsystem("kvstore"), clock, metrics }, given.namespace);
  open.push(broker);
  const log = logs.subsystem("outbox");
  const relay = await createRelay({ db, broker, clock, ids, metrics, tracing, log, alone: serving !== null });
  const timers = createTimers();
  const schedule = createSchedule(database.dsn.zone, clock, config.http.publicURL);
  const migrator = createMigrator({ db, migrations: await loadMigrations(), clock, log: logs.subsystem("db") });
  return {
    db,
    broker,
    relay,
    timers,
    schedule,
    metrics,
    logs,
    tracing: traces,
    release: () => serving?.release(),
    openDatabase: () => gate.open(),
    migrator,
    ports: {
      config,
      logs,
      clock,
      ids,
      db: gate.db,
      broker,
      timers,
      metrics,
      tracing,
      outbox: createOutbox({ ids, clock, tracing, committed: () => relay.nudge() }),
      leases: createLeases({ db, ids, clock, metrics, disableLocking: database.disableLocking, log: logs.subsystem("locks") }),
      search: createSearch(),
      state: { publish: () => undefined },
      health: createHealth(clock),
      vault: createVault(config.secret, ids),
      signer: createSigner(config.http.sessions.cookieSecret),
      outgoing: tracedOutgoing(given.outgoing ?? createOutgoing({ clock }), tracing),
      ...openFiles(config, clock, ids),
      schedule,
      diagnostics: createDiagnostics({ db, migrator, clock, dsn: database.dsn, broker: async () => brokerFacts(broker) }),
      notes: notesOf(loaded, clock),
    },
  };
}
