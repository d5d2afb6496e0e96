import type { ByteRange } from "../contract/operation.ts";

export interface StoredObject {
  /** `<namespace>/<rest>`: words of letters, digits, `.`, `_` and `-`, joined by slashes; none begins with a dot. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly modifiedAt: number;
}

/** One name in a folder of the storage, own or foreign. */
export interface StorageEntry {
  /** Ends in a slash for a folder. Any text that the backend allows, so not always part of a key. */
  readonly name: string;
  readonly isFolder: boolean;
  /** Null for a folder, and for anything that is not a file, such as a link. */
  readonly object: StoredObject | null;
}

/** The storage is unreachable or refused the request: the operation may or may not have happened. */
export class StorageUnavailable extends Error {
  override name = "StorageUnavailable";
}

/** There is no room for another object; what is stored can still be read. */
export class StorageFull extends StorageUnavailable {
  override name = "StorageFull";
}

/** No space left on the device, or of the quota. */
const fullCodes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"]);

/** What a failed call of the file system means for the storage; `doing` says which, where its message does not. */
export function storageFailure(error: unknown, doing = ""): StorageUnavailable {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof StorageFull || fullCodes.has(code))
    return new StorageFull(`${doing}the disk is full (${message})`, { cause: error });
  return new StorageUnavailable(`${doing}${message}`, { cause: error });
}

/** The key is malformed. Thrown before anything is changed. */
export class BadStorageKey extends Error {
  override name = "BadStorageKey";
}

/**
 * Stores the bytes of uploads in a folder or an S3-compatible bucket. Objects are always complete: one
 * appears under its key after its last byte was stored, or not at all. The configured prefix is added
 * to every key and removed again. Every method throws `StorageUnavailable` once the configured retries
 * are used up.
 */
export interface Storage {
  readonly kind: "filesystem" | "objectstore";
  /**
   * Stores an object, replacing one of the same key; resolves when it is durable. When `bytes` throws,
   * nothing is stored and the error is rethrown unchanged.
   */
  put(key: string, bytes: AsyncIterable<Uint8Array>, options?: { readonly type?: string }): Promise<{ readonly size: number }>;
  /** Null when there is none. `size` is that of the whole object. A range beyond the end is cut at the end. */
  open(
    key: string,
    range?: ByteRange | null,
  ): Promise<{ readonly size: number; readonly bytes: AsyncIterable<Uint8Array> } | null>;
  stat(key: string): Promise<StoredObject | null>;
  /** True when there was one. */
  remove(key: string): Promise<boolean>;
  /**
   * The direct entries of a folder (empty for the root, else with a trailing slash), ordered by name,
   * above `after`; read page by page. `OwnObjects` tells own objects from foreign ones.
   */
  entries(folder: string, options?: { readonly after?: string }): AsyncIterable<StorageEntry>;
  /** Writes, reads and deletes a small object; throws `StorageUnavailable` with the step that failed. */
  probe(): Promise<void>;
  /** Removes what killed writes of `owned` keys left behind, never a write in progress; returns the number of files. */
  clean(owned: (key: string) => boolean): Promise<number>;
  close(): Promise<void>;
}
