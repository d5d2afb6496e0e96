import pixelmatch from "pixelmatch";
import sharp from "sharp";

/** Difference of a pixel's colour that an eye does not see, from 0 to 1; other font hinting stays below it. */
const threshold = 0.1;

/** Pixels that may differ. The least that a changed digit makes, in text of 12 pixels, is 5. */
const mostPixels = 3;

/** A lossless WebP with at most 256 colours, which is small. The same picture gives the same bytes. */
export async function compact(png: Buffer): Promise<Buffer> {
  const reduced = await sharp(png).png({ palette: true, colours: 256, dither: 0 }).toBuffer();
  return await sharp(reduced).webp({ lossless: true }).toBuffer();
}

async function decode(picture: Buffer) {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/**
 * Compares two pictures. Null if they look the same; otherwise what differs in words, and a PNG that shows
 * where, unless their sizes differ.
 */
export async function difference(reference: Buffer, picture: Buffer): Promise<{ what: string; where: Buffer | null } | null> {
  const [before, after] = await Promise.all([decode(reference), decode(picture)]);
  const { width, height } = after;
  if (before.width !== width || before.height !== height)
    return { what: `${width}x${height} instead of ${before.width}x${before.height} pixels`, where: null };
  const marked = Buffer.alloc(after.data.length);
  const pixels = pixelmatch(before.data, after.data, marked, width, height, { threshold });
  if (pixels <= mostPixels) return null;
  return {
    what: `${pixels} pixels`,
    where: await sharp(marked, { raw: { width, height, channels: 4 } })
      .png()
      .toBuffer(),
  };
}
