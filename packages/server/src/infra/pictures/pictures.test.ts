import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import type { PictureEncoding } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { pngBomb } from "#testkit/pictures.ts";
import { createPictures } from "./index.ts";

const maker = createPictures({ clock: systemClock });
afterAll(async () => await maker.close());
async function* once(bytes: Uint8Array) {
  yield bytes;
}
const pictures = {
  encode: async (bytes: Uint8Array, wanted: PictureEncoding) => await maker.encode(once(bytes), wanted, "the tests"),
};
const wish: PictureEncoding = { maxEdge: 300, square: false, thumbnail: 50 };
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: { r: 200, g: 30, b: 30 } } });

const made = {
  png: await plain(400, 200).png().toBuffer(),
  jpeg: await plain(400, 200)
    .withExif({ IFD0: { Copyright: "somebody" }, IFD3: { GPSLatitude: "51/1 30/1 0/1" } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer(),
  webp: await plain(400, 200).webp().toBuffer(),
  gif: await plain(400, 200).gif().toBuffer(),
  tiff: await plain(40, 20).tiff().toBuffer(),
  avif: await plain(64, 64).avif().toBuffer(),
};

describe("pictures", () => {
  test.each(["png", "jpeg", "webp"] as const)("%s keeps its format, smaller and without metadata", async (format) => {
    const { whole, thumbnail } = await pictures.encode(made[format], wish);
    const turned = format === "jpeg";
    expect([whole.type, whole.width, whole.height]).toEqual([`image/${format}`, turned ? 150 : 300, turned ? 300 : 150]);
    expect([thumbnail.type, Math.max(thumbnail.width, thumbnail.height)]).toEqual(["image/webp", 50]);
    const after = await sharp(whole.bytes).metadata();
    expect([after.exif, after.icc, after.xmp, after.orientation]).toEqual([undefined, undefined, undefined, undefined]);
  });

  test("of a gif become png; small ones keep their size; squares are cropped", async () => {
    const { whole } = await pictures.encode(made.gif, { ...wish, maxEdge: 1000 });
    expect([whole.type, whole.width, whole.height]).toEqual(["image/png", 400, 200]);
    const square = await pictures.encode(made.png, { ...wish, square: true, maxEdge: 256 });
    expect([square.whole.width, square.whole.height]).toEqual([200, 200]);
  });

  test.each(["tiff", "avif"] as const)("of other formats (%s) are refused", async (format) => {
    await expect(pictures.encode(made[format], wish)).rejects.toMatchObject({ problem: "unreadable" });
  });

  test("that are damaged, or not pictures, are refused", async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="/etc/passwd"/></svg>');
    for (const bad of [
      Buffer.alloc(0),
      Buffer.from("hello"),
      svg,
      made.png.subarray(0, 60),
      made.jpeg.subarray(0, made.jpeg.length - 300),
    ])
      await expect(pictures.encode(bad, wish)).rejects.toMatchObject({ problem: "unreadable" });
  });

  test("that would need too much memory are refused by their header", async () => {
    await expect(pictures.encode(await pngBomb(50_000, 50_000), wish)).rejects.toMatchObject({ problem: "tooManyPixels" });
    await expect(pictures.encode(await pngBomb(6400, 6400), wish)).rejects.toMatchObject({ problem: "tooManyPixels" });
    expect((await pictures.encode(await pngBomb(6000, 6000), wish)).whole.width).toBe(300);
    // Creating the bombs takes seconds.
  }, 20_000);

  test("are handled one after the other, and a failing one does not affect the others", async () => {
    const results = await Promise.allSettled(
      [made.png, Buffer.from("x"), made.webp].map(async (one) => await pictures.encode(one, wish)),
    );
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });
});
