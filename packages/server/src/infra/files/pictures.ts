import { buffer } from "node:stream/consumers";
import type { Sharp, SharpOptions } from "sharp";
import { BadPicture, type Picture, type Pictures, type PictureWish } from "#core/ports/index.ts";

/** A photograph of a good camera: up to 170 MB of memory as a progressive JPEG, twice that as an interlaced PNG. */
const mostPixels = 40_000_000;
const longestSeconds = 10;
const known = new Set(["png", "jpeg", "webp", "gif"]);

type SharpModule = (typeof import("sharp"))["default"];

const reading: SharpOptions = { limitInputPixels: mostPixels, sequentialRead: true, failOn: "error", pages: 1 };

/** Only the decoders of the formats that we take are left. */
async function load(): Promise<SharpModule> {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({
    operation: ["VipsForeignLoadPng", "VipsForeignLoadJpeg", "VipsForeignLoadWebp", "VipsForeignLoadNsgif"],
  });
  return sharp;
}

function badPicture(error: unknown): BadPicture {
  if (error instanceof BadPicture) return error;
  const { message } = error as Error;
  if (/pixel limit/i.test(message)) return new BadPicture("tooManyPixels", { cause: error });
  if (/timeout/i.test(message)) return new BadPicture("tooLong", { cause: error });
  return new BadPicture("unreadable", { cause: error });
}

async function encoded(image: Sharp, format: "png" | "jpeg" | "webp"): Promise<Picture> {
  const options = { png: { compressionLevel: 9 }, jpeg: { quality: 85, mozjpeg: true }, webp: { quality: 82 } };
  const { data, info } = await image.toFormat(format, options[format]).toBuffer({ resolveWithObject: true });
  return { bytes: data, type: `image/${format}`, width: info.width, height: info.height };
}

/** Decodes one picture at a time, so that many at once take no more memory than one. */
export function createPictures(): Pictures {
  let loading: Promise<SharpModule> | null = null;
  let turn: Promise<unknown> = Promise.resolve();

  async function encode(given: AsyncIterable<Uint8Array>, { maxEdge, square, thumbnail }: PictureWish) {
    const sharp = await (loading ??= load());
    const source = await buffer(given);
    const { format, autoOrient } = await sharp(source, reading).metadata();
    const { width, height } = autoOrient;
    if (!known.has(format)) throw new BadPicture("unreadable");
    if (width * height > mostPixels) throw new BadPicture("tooManyPixels");
    const edge = square ? Math.min(maxEdge, width, height) : maxEdge;
    const fit = square ? "cover" : "inside";
    const upright = sharp(source, reading)
      .timeout({ seconds: longestSeconds })
      .autoOrient()
      .resize({ width: edge, height: edge, fit, withoutEnlargement: true });
    const whole = await encoded(upright, format === "gif" ? "png" : (format as "png" | "jpeg" | "webp"));
    const size = { width: thumbnail, height: thumbnail, fit: "inside", withoutEnlargement: true } as const;
    return { whole, thumbnail: await encoded(sharp(whole.bytes).resize(size), "webp") };
  }

  return {
    async encode(given, wish) {
      const result = turn.then(async () => await encode(given, wish));
      turn = result.catch(() => undefined);
      return await result.catch((error: unknown) => {
        throw badPicture(error);
      });
    },
  };
}
