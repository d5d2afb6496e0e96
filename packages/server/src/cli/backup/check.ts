import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import type { Config } from "#config/index.ts";
import { systemClock } from "#infra/clock.ts";
import { type LoadedBackup, loadBackup } from "#infra/backup/index.ts";
import { loadMigrations } from "#infra/db/migrations/files.ts";
import { openRuntime } from "../runtime.ts";
import type { createReport } from "./report.ts";

/** Restores an archive into an SQLite database beside it that is gone afterwards. Throws `BackupRefused`. */
export async function checkRestore(file: string, config: Config, report: ReturnType<typeof createReport>): Promise<LoadedBackup> {
  const folder = await mkdtemp(path.join(path.dirname(path.resolve(file)), ".rollcall-check-"));
  try {
    const dsn = { kind: "sqlite", file: path.join(folder, "check.db"), zone: config.database.dsn.zone } as const;
    const runtime = await openRuntime({ ...config, database: { ...config.database, dsn } });
    try {
      return await loadBackup(file, {
        db: runtime.db,
        storage: null,
        migrations: await loadMigrations(),
        clock: systemClock,
        log: runtime.log,
        progress: report.progress,
      });
    } finally {
      await runtime.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
