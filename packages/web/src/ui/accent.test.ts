import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BRAND, contrast, FILLED, jobColour, ON_DARK, parse, shadesOf } from "./accent.ts";

const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, "0")}`);

describe("shadesOf", () => {
  it("is readable in both schemes for any colour of a job", () => {
    fc.assert(
      fc.property(colour, (value) => {
        const shades = shadesOf(value);
        expect(shades).toHaveLength(10);
        for (const shade of shades) expect(shade).toMatch(/^#[0-9a-f]{6}$/);
        expect(contrast(parse(shades[FILLED]), [255, 255, 255])).toBeGreaterThanOrEqual(4.5);
        expect(contrast(parse(shades[ON_DARK]), [22, 26, 32])).toBeGreaterThanOrEqual(4.5);
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
