import type { Clock, Ids, Storage } from "#core/ports/index.ts";
import { FilesystemStorage } from "./filesystem.ts";
import { ObjectStorage } from "./objectstore.ts";

/** The part of `storage` in the configuration that concerns the adapters. */
export interface StorageSettings {
  readonly type: "filesystem" | "objectstore";
  readonly filesystem: { readonly path: string; readonly prefix: string | null };
  readonly objectstore: {
    readonly endpoint: string | null;
    readonly region: string;
    readonly accessKeyID: string | null;
    readonly secretAccessKey: string | null;
    readonly bucketName: string | null;
    readonly prefix: string | null;
    readonly retries: number;
  };
}

/** Names of the options that are missing for a backend. */
export function missingOptions(settings: StorageSettings, type: Storage["kind"]): string[] {
  if (type === "filesystem") return [];
  const { endpoint, accessKeyID, secretAccessKey, bucketName } = settings.objectstore;
  return Object.entries({ endpoint, accessKeyID, secretAccessKey, bucketName })
    .filter(([, value]) => value === null)
    .map(([name]) => `storage.objectstore.${name}`);
}

/** The backend of `type`, by default the configured one. Opens nothing before its first use. */
export function createStorage(
  settings: StorageSettings,
  { clock, ids, type = settings.type }: { readonly clock: Clock; readonly ids: Ids; readonly type?: Storage["kind"] },
): Storage {
  const shared = { clock, life: ids.next() };
  if (type === "filesystem") return new FilesystemStorage({ ...settings.filesystem, ...shared });
  const { endpoint, accessKeyID, secretAccessKey, bucketName, ...rest } = settings.objectstore;
  if (endpoint === null || accessKeyID === null || secretAccessKey === null || bucketName === null)
    throw new Error(`${missingOptions(settings, type).join(", ")} missing`);
  return new ObjectStorage({ ...rest, endpoint, accessKeyID, secretAccessKey, bucketName, ...shared });
}
