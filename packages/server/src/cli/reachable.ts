import type { Config } from "#config/index.ts";
import type { Storage } from "#core/ports/index.ts";
import { CommandError } from "./command.ts";

/** Probes the storage before long work begins, because an unresponsive object store would delay it for minutes. */
export async function requireStorage(storage: Storage, { storage: { objectstore, filesystem } }: Config): Promise<void> {
  const [option, location] =
    storage.kind === "objectstore"
      ? ["storage.objectstore.endpoint", objectstore.endpoint]
      : ["storage.filesystem.path", filesystem.path];
  await storage.probe().catch((error: unknown) => {
    throw new CommandError(
      `${option}: ${location} cannot be used (${(error as Error).message}); correct it or its related options`,
    );
  });
}
