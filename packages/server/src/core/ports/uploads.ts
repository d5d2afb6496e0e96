/** More came than may be. */
export class UploadTooLarge extends Error {
  override name = "UploadTooLarge";
}

/** It stood still, or would have taken for ever. */
export class UploadTooSlow extends Error {
  override name = "UploadTooSlow";
}

/** Something that was sent, whole, and held by this process alone: gone when it ends, however it ends. */
export interface Spooled {
  /** Bytes, as counted. */
  readonly size: number;
  /** Of all bytes, in hexadecimal. */
  readonly sha256: string;
  /** The first bytes, at most 4096. */
  readonly head: Uint8Array;
  /** From the beginning, each time. */
  bytes(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** Takes what people send out of memory while it comes. */
export interface Uploads {
  /**
   * Reads to the end, counting. Throws `UploadTooLarge` once more than `maxBytes` came and
   * `UploadTooSlow` when nothing came for 20 seconds, or not enough for a line of 16 kB a second.
   */
  take(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Spooled>;
}
