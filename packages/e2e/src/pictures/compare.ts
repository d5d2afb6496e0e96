import pixelmatch from "pixelmatch";
import sharp from "sharp";

/** Difference of a pixel's colour that an eye does not see, from 0 to 1; other font hinting stays below it. */
const threshold = 0.1;

/** Pixels that may differ. One changed digit is 43 pixels. */
const mostPixels = 20;

/** A PNG with at most 256 colours: about a third of the bytes. The same picture gives the same bytes. */
export async function compact(png: Buffer): Promise<Buffer> {
  return await sharp(png).png({ palette: true, colours: 256, dither: 0, effort: 10 }).toBuffer();
}

async function decode(png: Buffer) {
  const { data, info } = await sharp(png).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height };
}

/**
 * Compares two PNGs. Null if they look the same; otherwise what differs in words, and a PNG that shows
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
