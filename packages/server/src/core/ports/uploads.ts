/** The upload exceeds its size limit. */
export class UploadTooLarge extends Error {
  override name = "UploadTooLarge";
}

/** The upload stalled or was too slow. */
export class UploadTooSlow extends Error {
  override name = "UploadTooSlow";
}

/** A complete upload in temporary storage of this process: it is gone when the process ends, even when killed. */
export interface Spooled {
  /** Bytes, as counted. */
  readonly size: number;
  /** Of the whole upload, in hexadecimal. */
  readonly sha256: string;
  /** The first bytes, at most 4096. */
  readonly head: Uint8Array;
  /** Each call reads from the beginning. */
  bytes(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Writes uploads to temporary storage as they arrive. */
export interface Uploads {
  /**
   * Reads to the end. Throws `UploadTooLarge` after more than `maxBytes` and `UploadTooSlow` after
   * 20 seconds without data or when the average is below 16 kB per second.
   */
  take(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Spooled>;
}
