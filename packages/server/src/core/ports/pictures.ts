/**
 * `unreadable`: not a picture, or damaged. `tooManyPixels`, `tooLong`: too expensive to decode.
 * `busy`: the queue is full, or this requester used up its budget; a later attempt may succeed.
 */
export type PictureProblem = "unreadable" | "tooManyPixels" | "tooLong" | "busy";

export class BadPicture extends Error {
  override name = "BadPicture";
  readonly problem: PictureProblem;
  constructor(problem: PictureProblem, options?: ErrorOptions) {
    super(problem, options);
    this.problem = problem;
  }
}

export interface Picture {
  readonly bytes: Uint8Array;
  readonly type: "image/png" | "image/jpeg" | "image/webp";
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export interface PictureEncoding {
  /** Longest edge in pixels; smaller pictures keep their size. */
  readonly maxEdge: number;
  /** Crop to a centred square. */
  readonly square: boolean;
  /** Longest edge of the thumbnail, which is webp. */
  readonly thumbnail: number;
}

export interface WebpEncoding {
  /** Format of the bytes; anything else is `unreadable`. `svg` is rendered. */
  readonly format: "png" | "jpeg" | "gif" | "webp" | "avif" | "svg";
  /** Longest edge in pixels; only SVG is enlarged. */
  readonly maxEdge: number;
}

/**
 * Makes untrusted pictures safe: decodes them, rotates them upright, drops metadata, and encodes them
 * again; of animations only the first frame is kept. The work is done in child processes, which are
 * killed at a limit of time or memory. `requester` (an account or a network): requesters take turns and
 * each has a budget. Every method throws `BadPicture`.
 */
export interface Pictures {
  /**
   * For an upload: PNG, JPEG and WebP keep their format, a GIF becomes PNG. The source is read when
   * the requester's turn comes.
   */
  encode(
    source: AsyncIterable<Uint8Array>,
    target: PictureEncoding,
    requester: string,
  ): Promise<{ readonly whole: Picture; readonly thumbnail: Picture }>;
  /** For a picture of another site: WebP, whatever the format was. */
  webp(bytes: Uint8Array, target: WebpEncoding, requester: string): Promise<Uint8Array>;
  close(): Promise<void>;
}
