import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import type { Config } from "#config/index.ts";
import { filesApi } from "#features/files/files.api.ts";
import { systemClock } from "#infra/clock.ts";
import { type LoadedBackup, loadBackup } from "#infra/backup/index.ts";
import { loadMigrations } from "#infra/db/migrations/files.ts";
import { openCommandApp } from "#app/command-app.ts";
import { fullAt } from "./full.ts";
import type { createReport } from "./report.ts";

/** Restores an archive into a temporary SQLite database. Throws `BackupRefused`. */
export async function checkRestore(file: string, config: Config, report: ReturnType<typeof createReport>): Promise<LoadedBackup> {
  const folder = await mkdtemp(path.join(path.dirname(path.resolve(file)), ".rollcall-check-"));
  try {
    const dsn = { kind: "sqlite", file: path.join(folder, "check.db"), zone: config.database.dsn.zone } as const;
    const app = await openCommandApp({ ...config, database: { ...config.database, dsn } });
    try {
      return await loadBackup(file, {
        db: app.db,
        storage: null,
        own: app.features.api(filesApi).own,
        migrations: await loadMigrations(),
        clock: systemClock,
        log: app.log,
        progress: report.progress,
      }).catch(fullAt(folder));
    } finally {
      await app.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
