import type { ImageSize } from "./imageproxy.contract.ts";
import { formatOf, type PictureFormat } from "./imageproxy.policy.ts";

/** Pixels of the largest picture that is opened: some 100 MB while it is worked on. */
const mostPixels = 24_000_000;
const mostSeconds = 10;
const largestDrawing = 512 * 1024;
const quality = 82;
/** Pictures worked on at the same time; the others wait. */
const atOnce = 2;

export type Unusable = "type" | "broken" | "tooLarge";

const formatName: Readonly<Record<PictureFormat, string>> = {
  png: "png",
  jpeg: "jpeg",
  gif: "gif",
  webp: "webp",
  avif: "heif",
  svg: "svg",
};

let working = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (working >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else working += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else working -= 1;
  }
}

/**
 * Makes a picture anew as WebP within `size` by `size` pixels, upright, without metadata, the first
 * frame of moving ones. Drawings (SVG) are drawn, never handed on, and only where `drawings` says so.
 */
export async function remake(
  bytes: Uint8Array,
  size: ImageSize,
  { drawings }: { readonly drawings: boolean },
): Promise<Uint8Array | Unusable> {
  const format = formatOf(bytes);
  if (format === null || (format === "svg" && !drawings)) return "type";
  if (format === "svg" && bytes.length > largestDrawing) return "tooLarge";
  return await inTurn(async () => {
    const { default: sharp } = await import("sharp");
    const usual = { limitInputPixels: mostPixels, failOn: "error", pages: 1, sequentialRead: true } as const;
    try {
      const { format: found, width, height } = await sharp(bytes, usual).metadata();
      if (found !== formatName[format] || width === 0 || height === 0) return "broken";
      if (width * height > mostPixels) return "tooLarge";
      const density = format === "svg" ? { density: Math.min(2400, Math.max(1, (72 * size) / Math.max(width, height))) } : {};
      return await sharp(bytes, { ...usual, ...density })
        .timeout({ seconds: mostSeconds })
        .autoOrient()
        .resize({ width: size, height: size, fit: "inside", withoutEnlargement: true })
        .webp({ quality, effort: 3 })
        .toBuffer();
    } catch (error) {
      return /pixel limit|timeout/i.test((error as Error).message) ? "tooLarge" : "broken";
    }
  });
}
