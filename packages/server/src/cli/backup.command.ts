import { existsSync } from "node:fs";
import path from "node:path";
import { version } from "#core/version.ts";
import { auditApi } from "#features/audit/audit.api.ts";
import { filesApi } from "#features/files/files.api.ts";
import { assertArchiveName, BackupRefused, readBackup, writeBackup } from "#infra/backup/index.ts";
import { systemClock } from "#infra/clock.ts";
import { features } from "#app/features.ts";
import { checkRestore } from "./backup/check.ts";
import { fullAt } from "./backup/full.ts";
import { createReport, sizeOf } from "./backup/report.ts";
import { requireStorage } from "./reachable.ts";
import { command as strict, CommandError, configArg } from "./command.ts";
import { explained, withApp } from "./with-app.ts";

export const command = strict({
  meta: { name: "backup", description: "Write database and files into one archive, while the server runs, and verify it" },
  args: {
    file: { type: "positional", required: true, description: "The archive to write, for example backup.tar.gz" },
    force: { type: "boolean", description: "Replace an existing archive" },
    "database-only": { type: "boolean", description: "Leave out the files" },
    "check-restore": { type: "boolean", description: "Restore it into a temporary database and compare" },
    ...configArg,
  },
  async run({ args }) {
    const { file } = args;
    const report = createReport(process.stderr);
    await assertArchiveName(file).catch((error: unknown) => {
      throw explained(error);
    });
    if (existsSync(file) && args.force !== true) throw new CommandError(`${file} already exists; use --force to replace it`);
    if (!existsSync(path.dirname(path.resolve(file)))) throw new CommandError(`the folder of ${file} does not exist; create it`);
    await withApp(args.config, async ({ config, db, ids, features: assembly, storage, keyId, actor }) => {
      if (args["database-only"] !== true && storage.kind === "objectstore") await requireStorage(storage, config);
      const written = await writeBackup(file, {
        db,
        keyId,
        tables: features.flatMap(({ tables }) => tables),
        storage: args["database-only"] === true ? null : storage,
        own: assembly.api(filesApi).own,
        clock: systemClock,
        ids,
        program: version,
        progress: report.progress,
      }).catch(fullAt(file));
      for (const name of written.leftOut) report.say(`warning: ${name} is none of Rollcall's and is not in the archive`);
      report.foreign(written.foreign, "the storage of files", "not in the archive");
      const read = await readBackup(file);
      if (JSON.stringify(read.manifest) !== JSON.stringify(written.manifest))
        throw new BackupRefused(`${file} reads back as something else than was written; do not rely on this disk`);
      report.say("The archive was read back: every count and checksum is right.");
      if (args["check-restore"] === true) {
        await checkRestore(file, config, report);
        report.say("It was restored into a temporary database: every count and checksum is right.");
      }
      const info = { format: read.header.format, size: sizeOf(read.manifest) };
      await db.write(
        "cli.backup",
        async (tx) => await assembly.api(auditApi).record(tx, actor, { action: "system.backup", info }),
      );
      process.stdout.write(`${file}: ${sizeOf(read.manifest)}\n`);
    });
  },
});
