import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { compact, difference } from "./compare.ts";

/** A page with one line of text and a button. */
async function drawn({ text = "Citizens 1,204", colour = "#2b5fd9", x = 20, width = 400 } = {}): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="120"><rect width="100%" height="100%" fill="#14171c"/><text x="${x}" y="40" font-size="20" fill="#eee">${text}</text><rect x="${x}" y="60" width="90" height="36" fill="${colour}"/></svg>`;
  return await compact(await sharp(Buffer.from(svg)).png().toBuffer());
}

describe("the comparison of pictures", () => {
  const reference = drawn();

  test.each([
    ["the same page", {}],
    ["a colour that is off by one level", { colour: "#2b5fda" }],
  ])("passes %s", async (_what, change) => expect(await difference(await reference, await drawn(change))).toBeNull());

  test.each([
    ["a changed digit", { text: "Citizens 1,284" }, /pixels$/],
    ["another colour of a button", { colour: "#d92b5f" }, /pixels$/],
    ["a shift by a pixel", { x: 21 }, /pixels$/],
    ["another size", { width: 399 }, /399x120 instead of 400x120/],
  ])("finds %s", async (_what, change, said) => {
    expect((await difference(await reference, await drawn(change)))?.what).toMatch(said);
  });
});
