import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BRAND, contrast, FILLED, jobColour, ON_DARK, parse, shadesOf } from "./accent.ts";
import { extremeColours } from "./testkit.ts";

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);

describe("shadesOf", () => {
  it("is readable in both schemes for any colour of a job", () => {
    fc.assert(
      fc.property(colour, (value) => {
        const shades = shadesOf(value);
        expect(shades).toHaveLength(10);
        for (const shade of shades) expect(shade).toMatch(/^#[0-9a-f]{6}$/);
        expect(contrast(parse(shades[FILLED]), [255, 255, 255])).toBeGreaterThanOrEqual(4.5);
        expect(contrast(parse(shades[FILLED]), [246, 247, 249])).toBeGreaterThanOrEqual(4.5);
        expect(contrast(parse(shades[ON_DARK]), [22, 26, 32])).toBeGreaterThanOrEqual(4.5);
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  it("is lightest for yellow and darkest for blue, with which the pages are tested", () => {
    // The two shades that are made readable depend on the search, not on the colour alone.
    const free = [0, 1, 2, 4, 5] as const;
    const onWhite = (value: string) => free.map((shade) => contrast(parse(shadesOf(value)[shade]), [255, 255, 255]));
    const [lightest, darkest] = [onWhite(extremeColours.lightest), onWhite(extremeColours.darkest)];
    fc.assert(
      fc.property(colour, (value) => {
        for (const [index, one] of onWhite(value).entries()) {
          expect(one).toBeGreaterThanOrEqual(lightest[index]! - 0.02);
          expect(one).toBeLessThanOrEqual(darkest[index]! + 0.02);
        }
      }),
      { seed: 5, numRuns: 300 },
    );
  });

  it("keeps the hue", () => {
    const [r, , b] = parse(shadesOf("#d6455d")[FILLED]);
    expect(r).toBeGreaterThan(b);
  });
});

describe("jobColour", () => {
  it("gives known trades their usual colour, and others a stable one", () => {
    expect(jobColour("police")).toBe(BRAND);
    expect(jobColour("unemployed")).not.toBe(BRAND);
    expect(jobColour("bakery")).toBe(jobColour("Bakery"));
    expect(jobColour("bakery")).toMatch(/^#[0-9a-f]{6}$/);
  });
});
