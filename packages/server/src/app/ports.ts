import type { Config } from "#config/index.ts";
import type { Ports } from "#core/feature.ts";
import type { StartNotes } from "#core/start-notes.ts";
import type {
  Broker,
  BrokerState,
  Clock,
  Database,
  Ids,
  Outgoing,
  PasswordHashes,
  StatePublisher,
  Tracing,
} from "#core/ports/index.ts";
import { createLeases } from "#infra/coordination/leases.ts";
import type { DatabaseOptions, SqlDatabase } from "#infra/db/database.ts";
import type { Migrator } from "#infra/db/migrations/migrator.ts";
import { createDiagnostics } from "#infra/diagnostics.ts";
import { createStorage } from "#infra/files/index.ts";
import { createUploads } from "#infra/files/uploads.ts";
import { createHealth } from "#infra/health.ts";
import type { ProgramLogs } from "#infra/log/index.ts";
import { createOutbox, EventListeners } from "#infra/outbox/index.ts";
import { createOutgoing } from "#infra/outgoing/index.ts";
import { createPasswordHashes } from "#infra/passwords.ts";
import { createPictures } from "#infra/pictures/index.ts";
import { createLatestValues } from "#infra/realtime/latest.ts";
import { createSchedules } from "#infra/schedules/index.ts";
import { createSearch } from "#infra/search/index.ts";
import { createSigner } from "#infra/signer.ts";
import type { MetricsRegistry } from "#infra/telemetry/metrics.ts";
import { tracedOutgoing } from "#infra/telemetry/traced.ts";
import { checkPayload, TaskQueue } from "#infra/tasks/index.ts";
import { createVault } from "#infra/vault.ts";
import { columnLines } from "./custom-columns.ts";

/** What a process opens before its other ports; the server and a command differ in these. */
export interface PortsOptions {
  readonly config: Config;
  readonly logs: ProgramLogs;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly metrics: MetricsRegistry;
  readonly tracing: Tracing;
  readonly db: SqlDatabase;
  /** The database that features get; `db` when left out. */
  readonly gated?: Database;
  readonly migrator: Migrator;
  readonly broker: Broker;
  /** State of the process's own connection to the broker, for the doctor; left out where there is none. */
  readonly brokerState?: () => BrokerState;
  readonly state: StatePublisher;
  /** Called after a transaction that emitted events was committed. */
  readonly committed?: () => void;
  readonly outgoing?: Outgoing;
  readonly passwordHashes?: PasswordHashes;
  readonly notes: StartNotes;
}

/** The ports, with the members that only the composition root uses. */
export type AppPorts = Ports<Config> & {
  readonly tasks: TaskQueue;
  /** Complete once the features were created. */
  readonly listeners: EventListeners;
};

export function databaseOptions({ database, mode }: Config): Pick<DatabaseOptions, "dsn" | "pool" | "disableLocking" | "mode"> {
  const { dsn, disableLocking, maxOpenConns, maxIdleConns } = database;
  const [connMaxIdleTimeMs, connMaxLifetimeMs] = [database.connMaxIdleTime, database.connMaxLifetime];
  return { dsn, disableLocking, mode, pool: { maxOpenConns, maxIdleConns, connMaxIdleTimeMs, connMaxLifetimeMs } };
}

/**
 * Chooses the implementation of every port, for the server and for commands. None of them connects,
 * starts a process or takes a lock before it is used.
 */
export function createPorts(options: PortsOptions): AppPorts {
  const { config, logs, clock, ids, metrics, tracing, db, migrator, broker, brokerState, committed } = options;
  const { database } = config;
  const tasks = new TaskQueue({ db, ids, tracing, check: checkPayload });
  const listeners = new EventListeners(logs.subsystem("events"));
  return {
    config,
    logs,
    clock,
    ids,
    metrics,
    tracing,
    broker,
    db: options.gated ?? db,
    state: options.state,
    latest: createLatestValues({ broker, clock }),
    notes: options.notes,
    tasks,
    listeners,
    outbox: createOutbox({ ids, clock, tracing, listeners, ...(committed ? { committed } : {}) }),
    leases: createLeases({ db, ids, clock, metrics, disableLocking: database.disableLocking, log: logs.subsystem("locks") }),
    search: createSearch(),
    health: createHealth(clock),
    vault: createVault(config.secret, ids),
    signer: createSigner(config.http.sessions.cookieSecret),
    outgoing: tracedOutgoing(options.outgoing ?? createOutgoing({ clock }), tracing),
    passwordHashes: options.passwordHashes ?? createPasswordHashes(),
    storage: createStorage(config.storage, { clock, ids }),
    uploads: createUploads(clock),
    pictures: createPictures({ clock }),
    schedule: createSchedules({ db, zone: database.dsn.zone, clock, jitterSeed: config.http.publicURL, tasks }),
    diagnostics: createDiagnostics({
      db,
      migrator,
      clock,
      dsn: database.dsn,
      nats: config.nats,
      ...(brokerState ? { state: brokerState } : {}),
      refusedColumns: async () => await columnLines(db, config),
    }),
  };
}
