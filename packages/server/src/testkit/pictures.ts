import { crc32, createDeflate } from "node:zlib";
import { randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { Readable } from "node:stream";

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

function* rows(width: number, height: number) {
  const row = Buffer.alloc(1 + Math.ceil(width / 8));
  for (let y = 0; y < height; y += 1) yield row;
}

function* noise(width: number, height: number) {
  for (let y = 0; y < height; y += 1) yield Buffer.concat([Buffer.alloc(1), randomBytes(width * 3)]);
}

interface Pixels {
  /** Bits per colour. */
  readonly bits: number;
  /** Colour type of PNG. */
  readonly colours: number;
  readonly rows: Iterable<Buffer>;
}

async function png(width: number, height: number, { bits, colours, rows: lines }: Pixels): Promise<Buffer> {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([bits, colours, 0, 0, 0], 8);
  const pixels = await buffer(Readable.from(lines).pipe(createDeflate({ level: 9 })));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))]);
}

/** A valid PNG of one colour with one bit per pixel: a small file, `width` by `height` when decoded. */
export const pngBomb = async (width: number, height: number): Promise<Buffer> =>
  await png(width, height, { bits: 1, colours: 0, rows: rows(width, height) });

/** A valid PNG of random pixels, which is unique and large in any encoding. */
export const pngNoise = async (width: number, height: number): Promise<Buffer> =>
  await png(width, height, { bits: 8, colours: 2, rows: noise(width, height) });

/** An SVG of a few hundred bytes that takes far longer to render than any limit. */
export function drawingBomb(): string {
  const blurs = Array.from({ length: 60 }, () => '<feTurbulence numOctaves="9"/><feGaussianBlur stdDeviation="40"/>').join("");
  const filter = `<filter id="f" x="0" y="0" width="1" height="1">${blurs}</filter>`;
  const rectangles = '<rect width="2000" height="2000" filter="url(#f)"/>'.repeat(50);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="2000">${filter}${rectangles}</svg>`;
}
