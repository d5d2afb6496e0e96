import { userInfo } from "node:os";
import { type Config, formatFinding, secretValues } from "#config/index.ts";
import type { Actor } from "#core/actor.ts";
import { assemble, type Assembly } from "#core/assemble.ts";
import { DatabaseUnavailable } from "#core/db/errors.ts";
import { AppError } from "#core/errors.ts";
import type { Ports, StartNotes } from "#core/feature.ts";
import {
  type Broker,
  type BrokerFacts,
  BrokerUnavailable,
  type Ids,
  type Log,
  noTracing,
  type Storage,
  StorageUnavailable,
} from "#core/ports/index.ts";
import { createSentences } from "#core/texts.ts";
import { BackupRefused } from "#infra/backup/index.ts";
import { openBroker } from "#infra/broker/index.ts";
import { systemClock } from "#infra/clock.ts";
import { createLeases } from "#infra/coordination/leases.ts";
import { createTimers } from "#infra/coordination/timers.ts";
import { createDatabase, type SqlDatabase } from "#infra/db/database.ts";
import { loadMigrations } from "#infra/db/migrations/files.ts";
import { createMigrator, type Migrator } from "#infra/db/migrations/migrator.ts";
import { AlreadyServed } from "#infra/db/serving-lock.ts";
import { MigrationRefused } from "#infra/db/migrations/refused.ts";
import { createPictures } from "#infra/files/pictures.ts";
import { createStorage } from "#infra/files/index.ts";
import { createUploads } from "#infra/files/uploads.ts";
import { createDiagnostics } from "#infra/diagnostics.ts";
import { createHealth } from "#infra/health.ts";
import { createIds } from "#infra/ids.ts";
import { createSchedule } from "#infra/jobs/schedule.ts";
import { createLogs, type ProgramLogs } from "#infra/log/index.ts";
import { createOutbox } from "#infra/outbox/index.ts";
import { createOutgoing } from "#infra/outgoing/index.ts";
import { createSearch } from "#infra/search/index.ts";
import { createMetrics } from "#infra/telemetry/metrics.ts";
import { createSigner } from "#infra/signer.ts";
import { createVault } from "#infra/vault.ts";
import { features } from "../features.ts";
import { retentionOf } from "../retention.ts";
import { CommandError, loadOrRefuse } from "./command.ts";

/** What a command beside the server works with: SQL and outbox, never the broker. */
export interface Runtime {
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
    throw new BrokerUnavailable("a command beside the server has no broker");
  },
});

/** Knocks at the broker; the embedded one lives inside the server, whose file nobody else opens. */
async function askBroker({ nats }: Config, log: Log): Promise<BrokerFacts> {
  if (nats.url.kind === "embedded") return { kind: "embedded", up: true, reason: null };
  const { url, replicas } = nats;
  try {
    const broker = await openBroker({ url, replicas, log, clock: systemClock, start: "required" });
    await broker.close();
    return { kind: "nats", up: true, reason: null };
  } catch (error) {
    return { kind: "nats", up: false, reason: (error as Error).message };
  }
}

/** Only warnings and errors, so that a command's own lines stand alone. */
function quietLogs(config: Config): ProgramLogs {
  const log = { ...config.log, logToFile: false, logToStderr: true };
  return createLogs(
    { ...config, log, logLevel: config.mode === "debug" ? "debug" : "warn" },
    { clock: systemClock, secrets: secretValues(config) },
  );
}

/** In a container the user may have a number and no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? "unknown"}`;
  }
}

const nothingNoted = { warnings: [], notInEffect: [] };

export async function openRuntime(
  config: Config,
  notes: Pick<StartNotes, "warnings" | "notInEffect"> = nothingNoted,
): Promise<Runtime> {
  const logs = quietLogs(config);
  const ids = createIds(systemClock);
  const metrics = createMetrics({ process: false });
  const { database } = config;
  const db = createDatabase({
    dsn: database.dsn,
    pool: {
      maxOpenConns: 4,
      maxIdleConns: 2,
      connMaxIdleTimeMs: database.connMaxIdleTime,
      connMaxLifetimeMs: database.connMaxLifetime,
    },
    disableLocking: database.disableLocking,
    log: logs.subsystem("db"),
    clock: systemClock,
    metrics,
    mode: config.mode,
  });
  const migrator = createMigrator({
    db,
    migrations: await loadMigrations(),
    clock: systemClock,
    log: logs.subsystem("db"),
  });
  const ports: Ports<Config> = {
    config,
    logs,
    ids,
    db,
    metrics,
    tracing: noTracing,
    clock: systemClock,
    broker: noBroker,
    outbox: createOutbox({ ids, clock: systemClock }),
    leases: createLeases({ db, ids, clock: systemClock, disableLocking: database.disableLocking }),
    timers: createTimers(),
    search: createSearch(),
    state: { publish: () => undefined },
    health: createHealth(systemClock),
    vault: createVault(config.secret, ids),
    signer: createSigner(config.http.sessions.cookieSecret),
    outgoing: createOutgoing({ clock: systemClock }),
    storage: createStorage(config.storage, { clock: systemClock, ids }),
    uploads: createUploads(systemClock),
    pictures: createPictures(),
    schedule: createSchedule(database.dsn.zone, systemClock, config.http.publicURL),
    diagnostics: createDiagnostics({
      db,
      migrator,
      clock: systemClock,
      dsn: database.dsn,
      broker: async () => await askBroker(config, logs.subsystem("kvstore")),
    }),
    notes: { startedAt: systemClock.now(), ...notes },
  };
  return {
    config,
    db,
    ids,
    migrator,
    features: assemble(features, ports, retentionOf(ports)),
    storage: ports.storage,
    keyId: ports.vault.keyId,
    log: logs.subsystem("db"),
    actor: { kind: "cli", user: userName() },
    async close() {
      await ports.storage.close();
      await db.close();
      await logs.close();
    },
  };
}

/** The words of an error that an operator can act on; anything else is a fault and keeps its stack. */
export function explained(error: unknown): unknown {
  if (error instanceof AppError) {
    const { code } = error.definition;
    const sentences = createSentences(features.map(({ name }) => name));
    return new CommandError(sentences(code, error.params));
  }
  const plain = [DatabaseUnavailable, MigrationRefused, BackupRefused, AlreadyServed, StorageUnavailable];
  if (error instanceof Error && plain.some((kind) => error instanceof kind)) return new CommandError(error.message);
  return error;
}

/** Runs a command with the database; refuses when its schema is not this version's. */
export async function withRuntime(
  file: string | undefined,
  work: (runtime: Runtime) => Promise<void>,
  options: { readonly schema: "current" | "any" } = { schema: "current" },
): Promise<void> {
  const loaded = loadOrRefuse(file);
  const runtime = await openRuntime(loaded.config, {
    warnings: loaded.warnings.map(formatFinding),
    notInEffect: loaded.notInEffect,
  });
  try {
    await runtime.db.ping();
    if (options.schema === "current") await runtime.migrator.assertCurrent();
    await work(runtime);
  } catch (error) {
    throw explained(error);
  } finally {
    await runtime.close();
  }
}
