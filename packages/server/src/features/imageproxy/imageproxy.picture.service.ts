import { BadPicture, type PictureProblem, type Pictures } from "#core/ports/index.ts";
import type { PictureRequest } from "./imageproxy.api.ts";
import { formatOf } from "./imageproxy.policy.ts";

const largestDrawing = 512 * 1024;

export type Unusable = "type" | "broken" | "tooLarge" | "busy";

const unusableOf: Readonly<Record<PictureProblem, Unusable>> = {
  unreadable: "broken",
  tooManyPixels: "tooLarge",
  tooLong: "tooLarge",
  busy: "busy",
};

/** Encodes pictures of other sites again, so that nothing is served as an origin sent it. */
export class PictureEncoder {
  readonly #pictures: Pick<Pictures, "webp">;

  constructor(pictures: Pick<Pictures, "webp">) {
    this.#pictures = pictures;
  }

  /**
   * WebP within `size` by `size` pixels: upright, without metadata, and only the first frame of an
   * animation. Drawings (SVG) are rasterized, and only if the request allows them.
   */
  async encode(
    bytes: Uint8Array,
    { size, drawings, requester }: Pick<PictureRequest, "size" | "drawings" | "requester">,
  ): Promise<Uint8Array | Unusable> {
    const format = formatOf(bytes);
    if (format === null || (format === "svg" && !drawings)) return "type";
    if (format === "svg" && bytes.length > largestDrawing) return "tooLarge";
    try {
      return await this.#pictures.webp(bytes, { format, maxEdge: size }, requester);
    } catch (error) {
      if (error instanceof BadPicture) return unusableOf[error.problem];
      throw error;
    }
  }
}
