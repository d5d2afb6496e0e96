/** `unreadable`: no picture, or a damaged one. `tooManyPixels`, `tooLong`: it would take too much to decode. */
export type PictureProblem = "unreadable" | "tooManyPixels" | "tooLong";

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

export interface PictureWish {
  /** Longest edge in pixels; smaller pictures stay as large as they are. */
  readonly maxEdge: number;
  /** Cut to a square around the middle. */
  readonly square: boolean;
  /** Longest edge of the thumbnail, which is webp. */
  readonly thumbnail: number;
}

/** Makes pictures of strangers harmless: decoded, upright, without metadata, encoded anew. */
export interface Pictures {
  /**
   * PNG, JPEG and WebP stay what they are; of a GIF, and of anything that moves, the first frame
   * becomes the picture (PNG for a GIF). The source is read when its turn comes. Throws `BadPicture`.
   */
  encode(source: AsyncIterable<Uint8Array>, wish: PictureWish): Promise<{ readonly whole: Picture; readonly thumbnail: Picture }>;
}
