import { type Config, type LoadedConfig, secretValues, formatFinding } from "#config/index.ts";
import type { Ports } from "#core/feature.ts";
import type { Broker, Clock, Ids, Outgoing } from "#core/ports/index.ts";
import { openBroker } from "#infra/broker/index.ts";
import { systemClock } from "#infra/clock.ts";
import { createLeases } from "#infra/coordination/leases.ts";
import { createTimers, type SqlTimers } from "#infra/coordination/timers.ts";
import { createDatabase, type DatabaseOptions, type SqlDatabase } from "#infra/db/database.ts";
import { gateDatabase } from "#infra/db/gate.ts";
import { loadMigrations } from "#infra/db/migrations/files.ts";
import { createMigrator, type Migrator } from "#infra/db/migrations/migrator.ts";
import { lockServing } from "#infra/db/serving-lock.ts";
import { brokerFacts, createDiagnostics } from "#infra/diagnostics.ts";
import { createHealth } from "#infra/health.ts";
import { createIds } from "#infra/ids.ts";
import { createSchedule, type SqlSchedule } from "#infra/jobs/schedule.ts";
import { createLogs, type ProgramLogs } from "#infra/log/index.ts";
import { createOutbox, createRelay, type Relay } from "#infra/outbox/index.ts";
import { createOutgoing } from "#infra/outgoing/index.ts";
import { createSearch } from "#infra/search/index.ts";
import { createMetrics, type MetricsRegistry } from "#infra/telemetry/metrics.ts";
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

async function openOthers(
  loaded: LoadedConfig,
  { clock = systemClock, ids = createIds(clock), logs, ...given }: WithLogs,
  open: { close(): Promise<void> }[],
): Promise<OpenedParts> {
  const { config } = loaded;
  const metrics = createMetrics();
  const { database } = config;
  const serving = database.dsn.kind === "sqlite" ? lockServing(database.dsn.file) : null;
  const db = createDatabase({ ...databaseOptions(config), log: logs.subsystem("db"), clock, metrics, ...given.database });
  if (serving) open.push({ close: async () => serving.release() });
  open.push(db);
  const gate = gateDatabase(db, clock);
  const broker = await openBroker({
    url: config.nats.url,
    replicas: config.nats.replicas,
    log: logs.subsystem("kvstore"),
    clock,
    metrics,
    start: config.ignoreRequirements ? "background" : "required",
    ...(given.namespace === undefined ? {} : { namespace: given.namespace }),
  });
  open.push(broker);
  const relay = await createRelay({
    db,
    broker,
    clock,
    ids,
    metrics,
    log: logs.subsystem("outbox"),
    alone: serving !== null,
  });
  const timers = createTimers();
  const schedule = createSchedule(database.dsn.zone, clock);
  const migrator = createMigrator({ db, migrations: await loadMigrations(), clock, log: logs.subsystem("db") });
  return {
    db,
    broker,
    relay,
    timers,
    schedule,
    metrics,
    logs,
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
      outbox: createOutbox({ ids, clock, committed: () => relay.nudge() }),
      leases: createLeases({
        db,
        ids,
        clock,
        disableLocking: database.disableLocking,
        log: logs.subsystem("locks"),
        metrics,
      }),
      search: createSearch(),
      state: { publish: () => undefined },
      health: createHealth(clock),
      vault: createVault(config.secret, ids),
      outgoing: given.outgoing ?? createOutgoing({ clock }),
      schedule,
      diagnostics: createDiagnostics({ db, migrator, clock, dsn: database.dsn, broker: async () => brokerFacts(broker) }),
      notes: {
        startedAt: clock.now(),
        warnings: loaded.warnings.map(formatFinding),
        notInEffect: loaded.notInEffect,
      },
    },
  };
}
