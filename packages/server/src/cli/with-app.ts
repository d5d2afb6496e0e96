import { assertColumns } from "#app/custom-columns.ts";
import { type CommandApp, openCommandApp } from "#app/command-app.ts";
import { features } from "#app/features.ts";
import { notesOf } from "#app/notes.ts";
import { CustomColumnRefused } from "#core/custom-columns.ts";
import { DatabaseUnavailable } from "#core/db/errors.ts";
import { AppError } from "#core/errors.ts";
import { BrokerUnavailable, StorageUnavailable } from "#core/ports/index.ts";
import { createErrorTexts } from "#core/texts.ts";
import { BackupRefused } from "#infra/backup/index.ts";
import { MigrationRefused } from "#infra/db/migrations/refused.ts";
import { AlreadyServed } from "#infra/db/serving-lock.ts";
import { CommandError, loadOrRefuse } from "./command.ts";

const forOperators = [
  AlreadyServed,
  BackupRefused,
  BrokerUnavailable,
  CustomColumnRefused,
  DatabaseUnavailable,
  MigrationRefused,
  StorageUnavailable,
];

/** A `CommandError` for what an operator can act on; any other error is a fault and keeps its stack. */
export function explained(error: unknown): unknown {
  if (error instanceof AppError) {
    const { code } = error.definition;
    const errorTexts = createErrorTexts(features.map(({ name }) => name));
    return new CommandError(errorTexts(code, error.params));
  }
  const { code, path } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === "ENOSPC" || code === "EDQUOT")
    return new CommandError(
      `the disk is full, so ${path ?? "the file"} could not be written; free some space and repeat the command`,
    );
  if (error instanceof Error && forOperators.some((kind) => error instanceof kind)) return new CommandError(error.message);
  return error;
}

/** Runs a command with the database; refuses when its schema is not this version's. */
export async function withApp(
  file: string | undefined,
  work: (app: CommandApp) => Promise<void>,
  options: { readonly schema: "current" | "any" } = { schema: "current" },
): Promise<void> {
  const loaded = loadOrRefuse(file);
  let app: CommandApp | null = null;
  try {
    app = await openCommandApp(loaded.config, notesOf(loaded));
    await app.db.ping();
    if (options.schema === "current") {
      await app.migrator.assertCurrent();
      await assertColumns(app.db, loaded.config);
    }
    await work(app);
  } catch (error) {
    throw explained(error);
  } finally {
    await app?.close();
  }
}
