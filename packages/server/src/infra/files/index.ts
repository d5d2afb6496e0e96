import type { Clock, Ids, Storage } from "#core/ports/index.ts";
import { createFilesystemStorage } from "./filesystem.ts";
import { createObjectStorage } from "./objectstore.ts";

/** `storage` of the configuration, as far as it concerns the adapters. */
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

/** The options of a backend that are missing, by name. */
export function missingOptions(settings: StorageSettings, type: Storage["kind"]): string[] {
  if (type === "filesystem") return [];
  const { endpoint, accessKeyID, secretAccessKey, bucketName } = settings.objectstore;
  return Object.entries({ endpoint, accessKeyID, secretAccessKey, bucketName })
    .filter(([, value]) => value === null)
    .map(([name]) => `storage.objectstore.${name}`);
}

/** The backend of `type`, the configured one unless said; nothing is touched before it is used. */
export function createStorage(
  settings: StorageSettings,
  { clock, ids, type = settings.type }: { readonly clock: Clock; readonly ids: Ids; readonly type?: Storage["kind"] },
): Storage {
  const shared = { clock, life: ids.next() };
  if (type === "filesystem") return createFilesystemStorage({ ...settings.filesystem, ...shared });
  const { endpoint, accessKeyID, secretAccessKey, bucketName, ...rest } = settings.objectstore;
  if (endpoint === null || accessKeyID === null || secretAccessKey === null || bucketName === null)
    throw new Error(`${missingOptions(settings, type).join(", ")} missing`);
  return createObjectStorage({ ...rest, endpoint, accessKeyID, secretAccessKey, bucketName, ...shared });
}
