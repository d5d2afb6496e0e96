import type { Config } from "#config/index.ts";
import { formatFinding } from "#config/index.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import {
  type BackupHeader,
  BackupRefused,
  loadBackup,
  mariadbTarget,
  migrationsOf,
  readBackup,
  readHeader,
  type RestoreTarget,
  settle,
  sqliteTarget,
} from "#infra/backup/index.ts";
import { openBroker } from "#infra/broker/index.ts";
import { systemClock } from "#infra/clock.ts";
import { createDatabase } from "#infra/db/database.ts";
import { loadMigrations } from "#infra/db/migrations/files.ts";
import { createIds } from "#infra/ids.ts";
import { eventStream } from "#infra/outbox/index.ts";
import { createMetrics } from "#infra/telemetry/metrics.ts";
import { createVault } from "#infra/vault.ts";
import { createReport, sizeOf } from "./backup/report.ts";
import { command as strict, configArg, loadOrRefuse } from "./command.ts";
import { explained, openRuntime, type Runtime } from "./runtime.ts";

type Report = ReturnType<typeof createReport>;

const oneConnection = { maxOpenConns: 1, maxIdleConns: 1, connMaxIdleTimeMs: 0, connMaxLifetimeMs: 0 };

async function targetOf(config: Config, runtime: Pick<Runtime, "log">, replace: boolean): Promise<RestoreTarget> {
  const { dsn, disableLocking } = config.database;
  if (dsn.kind === "sqlite") return sqliteTarget(dsn, { replace });
  const { log } = runtime;
  const clock = systemClock;
  const open = () =>
    createDatabase({ dsn, pool: oneConnection, disableLocking, log, clock, metrics: createMetrics({ process: false }) });
  return await mariadbTarget({ dsn, open, clock, replace });
}

function tellOfSecret({ keyId }: BackupHeader, own: string | null, report: Report): void {
  if (keyId === null || keyId === own) return;
  report.say(
    `warning: stored secrets (second factors, tokens of external logins) are sealed under the key ${keyId}, and ${own === null ? "secret is not set here" : `secret here is the key ${own}`}; write the earlier secret into the configuration, or run rollcall secret rotate`,
  );
}

/** The event stream that is there belongs to another state. Where the broker cannot be reached, the next start of the server does it. */
async function renewStream({ nats }: Config, generation: string, { log }: Runtime, report: Report): Promise<void> {
  try {
    const { url, replicas } = nats;
    const broker = await openBroker({ url, replicas, log, clock: systemClock, start: "required" });
    await broker.ensureStream({ ...eventStream, generation }).finally(async () => await broker.close());
  } catch (error) {
    report.say(`warning: ${(error as Error).message}; live pages get their new epoch when the server starts`);
  }
}

async function refuseFilled({ storage }: Runtime, replace: boolean): Promise<void> {
  if (replace) return;
  for await (const { key } of storage.list(""))
    throw new BackupRefused(`the storage of files is not empty (${key} is there); --replace adds those of the backup to it`);
}

async function fill(file: string, runtime: Runtime, report: Report, generation: string): Promise<void> {
  const { db, features, actor, storage } = runtime;
  const { header, manifest, migrated } = await loadBackup(file, {
    db,
    storage,
    migrations: await loadMigrations(),
    clock: systemClock,
    log: runtime.log,
    progress: report.progress,
  });
  for (const name of migrated) report.say(`  migrated                 ${name}`);
  await db.write("cli.restore", async (tx) => {
    await settle(tx, { generation, at: systemClock.now(), reactions: features.reactions });
    await features.restored(tx);
    const info = { takenAt: header.takenAt, program: header.program, engine: header.engine, size: sizeOf(manifest) };
    await features.api(auditApi).record(tx, actor, { action: "system.restore", info });
  });
}

async function restore(file: string, { config, warnings, notInEffect }: ReturnType<typeof loadOrRefuse>, replace: boolean) {
  const report = createReport(process.stderr);
  const header = await readHeader(file);
  migrationsOf(header, await loadMigrations());
  tellOfSecret(header, createVault(config.secret, createIds(systemClock)).keyId, report);
  const { manifest } = await readBackup(file);
  report.say("The archive is whole.");
  const notes = { warnings: warnings.map(formatFinding), notInEffect };
  const beside = await openRuntime(config, notes);
  const generation = createIds(systemClock).next();
  try {
    await refuseFilled(beside, replace);
    const target = await targetOf(config, beside, replace);
    let runtime: Runtime | null = null;
    try {
      runtime = await openRuntime({ ...config, database: { ...config.database, dsn: target.dsn } }, notes);
      await fill(file, runtime, report, generation);
      await runtime.close();
    } catch (error) {
      await runtime?.close();
      await target.rollback();
      report.say("Nothing was changed in the database.");
      throw error;
    }
    await target.commit();
    await renewStream(config, generation, beside, report);
  } finally {
    await beside.close();
  }
  process.stdout.write(
    `Restored ${sizeOf(manifest)}, taken ${new Date(header.takenAt).toISOString()} from ${header.engine}. Everybody signs in again.\n`,
  );
}

export const command = strict({
  meta: { name: "restore", description: "Put a backup in the place of database and files, while no server runs" },
  args: {
    file: { type: "positional", required: true, description: "The archive that rollcall backup wrote" },
    replace: { type: "boolean", description: "Replace what is there" },
    ...configArg,
  },
  async run({ args }) {
    try {
      await restore(args.file, loadOrRefuse(args.config), args.replace === true);
    } catch (error) {
      throw explained(error);
    }
  },
});
