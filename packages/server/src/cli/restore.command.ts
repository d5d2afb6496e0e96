import type { Config } from "#config/index.ts";
import { notesOf } from "#app/notes.ts";
import { ForeignNames } from "#core/own-objects.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { filesApi } from "#features/files/files.api.ts";
import {
  type BackupHeader,
  BackupRefused,
  loadBackup,
  mariadbTarget,
  migrationsOf,
  readBackup,
  readHeader,
  type RestoreTarget,
  finishRestore,
  sqliteTarget,
} from "#infra/backup/index.ts";
import { systemClock } from "#infra/clock.ts";
import { createDatabase } from "#infra/db/database.ts";
import { loadMigrations } from "#infra/db/migrations/files.ts";
import { createIds } from "#infra/ids.ts";
import { countedZone, otherZone } from "#infra/installation/index.ts";
import { createMetrics } from "#infra/telemetry/metrics.ts";
import { createVault } from "#infra/vault.ts";
import { createReport, sizeOf } from "./backup/report.ts";
import { command as strict, configArg, loadOrRefuse } from "./command.ts";
import { requireStorage } from "./reachable.ts";
import { type CommandApp, openCommandApp } from "#app/command-app.ts";
import { explained } from "./with-app.ts";

type Report = ReturnType<typeof createReport>;

const oneConnection = { maxOpenConns: 1, maxIdleConns: 1, connMaxIdleTimeMs: 0, connMaxLifetimeMs: 0 };

async function targetOf(config: Config, app: Pick<CommandApp, "log">, replace: boolean): Promise<RestoreTarget> {
  const { dsn, disableLocking } = config.database;
  if (dsn.kind === "sqlite") return sqliteTarget(dsn, { replace });
  const { log } = app;
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

async function refuseFilled({ storage, features }: CommandApp, replace: boolean, report: Report): Promise<void> {
  const foreign = new ForeignNames();
  for await (const { key } of features.api(filesApi).own.list(storage, foreign)) {
    if (replace) continue;
    throw new BackupRefused(`the storage of files is not empty (${key} is there); --replace adds those of the backup to it`);
  }
  report.foreign(foreign, "the storage of files", "stay as they are");
}

async function fill(file: string, app: CommandApp, report: Report): Promise<void> {
  const { db, features, actor, storage, ids } = app;
  const { header, manifest, migrated, foreign } = await loadBackup(file, {
    db,
    storage,
    own: features.api(filesApi).own,
    migrations: await loadMigrations(),
    clock: systemClock,
    log: app.log,
    progress: report.progress,
  });
  report.foreign(foreign, "the archive", "stored nowhere");
  for (const name of migrated) report.say(`  migrated                 ${name}`);
  await db.write("cli.restore", async (tx) => {
    const [generation, installation] = [ids.next(), ids.next()];
    await finishRestore(tx, { generation, installation, at: systemClock.now(), reactions: features.reactions });
    await features.restored(tx);
    const info = { takenAt: header.takenAt, program: header.program, engine: header.engine, size: sizeOf(manifest) };
    await features.api(auditApi).record(tx, actor, { action: "system.restore", info });
  });
  const { zone } = app.config.database.dsn;
  const counted = await db.read("cli.zone", countedZone);
  if (counted !== null && counted !== zone) report.say(`warning: ${otherZone(counted, zone)}`);
}

async function restore(file: string, loaded: ReturnType<typeof loadOrRefuse>, replace: boolean) {
  const { config } = loaded;
  const report = createReport(process.stderr);
  const header = await readHeader(file);
  migrationsOf(header, await loadMigrations());
  tellOfSecret(header, createVault(config.secret, createIds(systemClock)).keyId, report);
  const { manifest } = await readBackup(file);
  report.say("The archive is whole.");
  const notes = notesOf(loaded);
  const beside = await openCommandApp(config, notes);
  try {
    await requireStorage(beside.storage, config);
    await refuseFilled(beside, replace, report);
    const target = await targetOf(config, beside, replace);
    let app: CommandApp | null = null;
    try {
      app = await openCommandApp({ ...config, database: { ...config.database, dsn: target.dsn } }, notes);
      await fill(file, app, report);
      await app.close();
    } catch (error) {
      await app?.close();
      await target.rollback();
      report.say("Nothing was changed in the database.");
      throw error;
    }
    await target.commit();
  } finally {
    await beside.close();
  }
  process.stdout.write(
    `Restored ${sizeOf(manifest)}, taken ${new Date(header.takenAt).toISOString()} from ${header.engine}. Everybody has to sign in again.\n`,
  );
}

export const command = strict({
  meta: { name: "restore", description: "Replace database and files with a backup, while no server runs" },
  args: {
    file: { type: "positional", required: true, description: "The archive that rollcall backup wrote" },
    replace: { type: "boolean", description: "Replace existing data" },
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
