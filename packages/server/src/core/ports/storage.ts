import type { ByteRange } from "../contract/operation.ts";

export interface StoredObject {
  /** `<namespace>/<rest>`: words of letters, digits, `.`, `_` and `-`, joined by slashes; none begins with a dot. */
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly modifiedAt: number;
}

/** Not reachable, or it refused: what was asked may or may not have happened. */
export class StorageUnavailable extends Error {
  override name = "StorageUnavailable";
}

/** A key that is no key: found before anything is touched. */
export class BadStorageKey extends Error {
  override name = "BadStorageKey";
}

/**
 * Where the bytes of uploads lie: a folder or an S3-compatible bucket. What is there is whole: an
 * object appears under its key when its last byte was taken over, or not at all. The prefix of the
 * configuration is put before every key and taken off again. Everything throws `StorageUnavailable`
 * once the retries of the configuration are used up.
 */
export interface Storage {
  readonly kind: "filesystem" | "objectstore";
  /**
   * Stores an object, replacing one of the same key; resolves when it is durable. When `bytes` throws,
   * nothing is left behind and its error comes out unchanged.
   */
  put(key: string, bytes: AsyncIterable<Uint8Array>, options?: { readonly type?: string }): Promise<{ readonly size: number }>;
  /** Null when there is none. `size` is of the whole object. A range beyond the end gives what is there. */
  open(
    key: string,
    range?: ByteRange | null,
  ): Promise<{ readonly size: number; readonly bytes: AsyncIterable<Uint8Array> } | null>;
  stat(key: string): Promise<StoredObject | null>;
  /** True when there was one. */
  remove(key: string): Promise<boolean>;
  /** Objects below a prefix of keys, in order of their keys, above `after`; page by page. */
  list(prefix: string, options?: { readonly after?: string }): AsyncIterable<StoredObject>;
  /** Writes, reads and deletes a small object; throws `StorageUnavailable` with the step that failed. */
  probe(): Promise<void>;
  /** Removes what killed writes left behind, never what is under way; returns how much it was. */
  clean(): Promise<number>;
  close(): Promise<void>;
}
