import type { Sharp, SharpOptions } from "sharp";
import { BadPicture, type Picture, type PictureEncoding, type WebpEncoding } from "#core/ports/pictures.ts";
import type { Encoded, PicturePool } from "./protocol.ts";

// Imported only by the child processes, so that a decoder that hangs or crashes affects nothing else.

/** Enough for a photo of a good camera, which needs up to 170 MB of memory as a progressive JPEG, twice that as an interlaced PNG. */
const maxPixels = { uploads: 40_000_000, sites: 24_000_000 };
const known = new Set(["png", "jpeg", "webp", "gif"]);

export type SharpModule = (typeof import("sharp"))["default"];

/** Blocks all decoders except those of the accepted formats. */
export async function loadSharp(pool: PicturePool): Promise<SharpModule> {
  const { default: sharp } = await import("sharp");
  sharp.cache(false);
  sharp.concurrency(1);
  const loaders = ["Png", "Jpeg", "Webp", "Nsgif", ...(pool === "sites" ? ["Heif", "Svg"] : [])];
  sharp.block({ operation: ["VipsForeignLoad"] });
  sharp.unblock({ operation: loaders.map((name) => `VipsForeignLoad${name}`) });
  return sharp;
}

const reading = (pool: PicturePool): SharpOptions => ({
  limitInputPixels: maxPixels[pool],
  sequentialRead: true,
  failOn: "error",
  pages: 1,
});

export function badPicture(error: unknown): BadPicture {
  if (error instanceof BadPicture) return error;
  const isLimit = /pixel limit/i.test((error as Error).message);
  return new BadPicture(isLimit ? "tooManyPixels" : "unreadable", { cause: error });
}

async function toPicture(image: Sharp, format: "png" | "jpeg" | "webp"): Promise<Picture> {
  const options = { png: { compressionLevel: 9 }, jpeg: { quality: 85, mozjpeg: true }, webp: { quality: 82 } };
  const { data, info } = await image.toFormat(format, options[format]).toBuffer({ resolveWithObject: true });
  return { bytes: data, type: `image/${format}`, width: info.width, height: info.height };
}

export async function encode(
  sharp: SharpModule,
  source: Uint8Array,
  { maxEdge, square, thumbnail }: PictureEncoding,
): Promise<Encoded> {
  const options = reading("uploads");
  const { format, autoOrient } = await sharp(source, options).metadata();
  const { width, height } = autoOrient;
  if (!known.has(format)) throw new BadPicture("unreadable");
  if (width * height > maxPixels.uploads) throw new BadPicture("tooManyPixels");
  const edge = square ? Math.min(maxEdge, width, height) : maxEdge;
  const fit = square ? "cover" : "inside";
  const upright = sharp(source, options).autoOrient().resize({ width: edge, height: edge, fit, withoutEnlargement: true });
  const whole = await toPicture(upright, format === "gif" ? "png" : (format as "png" | "jpeg" | "webp"));
  const size = { width: thumbnail, height: thumbnail, fit: "inside", withoutEnlargement: true } as const;
  return { whole, thumbnail: await toPicture(sharp(whole.bytes).resize(size), "webp") };
}

export async function webp(sharp: SharpModule, source: Uint8Array, { format, maxEdge }: WebpEncoding): Promise<Uint8Array> {
  const options = reading("sites");
  const { format: found, width, height } = await sharp(source, options).metadata();
  if (found !== (format === "avif" ? "heif" : format) || width === 0 || height === 0) throw new BadPicture("unreadable");
  if (width * height > maxPixels.sites) throw new BadPicture("tooManyPixels");
  const density = format === "svg" ? { density: Math.min(2400, Math.max(1, (72 * maxEdge) / Math.max(width, height))) } : {};
  return await sharp(source, { ...options, ...density })
    .autoOrient()
    .resize({ width: maxEdge, height: maxEdge, fit: "inside", withoutEnlargement: true })
    .webp({ quality: 82, effort: 3 })
    .toBuffer();
}
