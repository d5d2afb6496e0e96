import { describe, expect, test } from "vitest";
import { dayTicks, heatLegend, heatLevel, labelStep, moved, nearest, stackedBars, valueTicks } from "./plot.scale.ts";

describe("the values on an axis", () => {
  test.each([
    [0, "count", [0, 1]],
    [1, "count", [0, 1]],
    [3, "count", [0, 1, 2, 3]],
    [7, "count", [0, 2, 4, 6, 8]],
    [1234, "count", [0, 500, 1000, 1500]],
    [0, "milliseconds", [0, 1]],
    [240, "milliseconds", [0, 100, 200, 300]],
    [7_200_000, "worked", [0, 1_800_000, 3_600_000, 5_400_000, 7_200_000]],
    [7400, "milliseconds", [0, 2000, 4000, 6000, 8000]],
    // 1.7 minutes would be nothing to read.
    [400_000, "milliseconds", [0, 120_000, 240_000, 360_000, 480_000]],
  ] as const)("up to %i %s", (highest, unit, ticks) => expect(valueTicks(highest, 4, unit)).toEqual(ticks));

  test("cover the highest value in few steps, whatever it is", () => {
    for (const unit of ["count", "milliseconds"] as const)
      for (let highest = 1; highest < 1e9; highest = Math.ceil(highest * 1.37)) {
        const ticks = valueTicks(highest, 4, unit);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(highest);
        expect(ticks.at(-2)).toBeLessThan(highest);
        expect(ticks.length).toBeLessThanOrEqual(5);
      }
  });
});

describe("the days on an axis", () => {
  const local = (month: number, day: number, hour = 0) => new Date(2026, month - 1, day, hour).getTime();

  test("are midnights of the viewer, also where the clocks change", () => {
    for (const [from, to] of [
      [local(3, 20, 7), local(4, 4, 7)],
      [local(10, 18, 7), local(11, 2, 7)],
    ] as const) {
      const ticks = dayTicks(from, to, 30);
      expect(ticks).toHaveLength(15);
      expect(ticks.every((at) => new Date(at).getHours() === 0 && at >= from && at <= to)).toBe(true);
    }
  });

  test("are thinned out, and the last one stays", () => {
    const ticks = dayTicks(local(5, 1), local(5, 31), 6);
    expect(ticks.map((at) => new Date(at).getDate())).toEqual([3, 10, 17, 24, 31]);
  });
});

test.each([
  [30, 900, 48, 2],
  [30, 320, 48, 6],
  [90, 900, 48, 6],
  [3, 900, 48, 1],
  [24, 10, 48, 24],
])("of %i labels on %i pixels of %i each, one of %i is written", (count, available, width, step) =>
  expect(labelStep(count, available, width)).toBe(step === 24 ? 28 : step),
);

test.each([
  [[10, 20, 30], 14, 0],
  [[10, 20, 30], 16, 1],
  [[10, 20, 30], 15, 0],
  [[10, 20, 30], -5, 0],
  [[10, 20, 30], 99, 2],
  [[10], 3, 0],
  [[], 3, -1],
])("of %j the nearest to %i has the index %i", (values, wanted, index) => expect(nearest(values, wanted)).toBe(index));

describe("the cursor", () => {
  test.each([
    ["ArrowRight", 3, 4],
    ["ArrowRight", 9, 9],
    ["ArrowLeft", 0, 0],
    ["ArrowUp", 3, 4],
    ["ArrowDown", 3, 2],
    ["Home", 7, 0],
    ["End", 2, 9],
    ["PageUp", 4, 0],
    ["a", 4, null],
  ])("in a row moves with %s from %i to %s", (key, at, to) => expect(moved(key, at, 10, 10)).toBe(to));

  test.each([
    ["ArrowDown", 5, 29],
    ["ArrowUp", 29, 5],
    ["ArrowUp", 5, 5],
    ["ArrowDown", 150, 150],
    ["ArrowRight", 23, 24],
  ])("in a grid moves with %s from %i to %i", (key, at, to) => expect(moved(key, at, 168, 24)).toBe(to));

  test("does not move where there is no point", () => expect(moved("ArrowRight", 0, 0, 0)).toBeNull());
});

describe("stacked bars", () => {
  const area = { width: 300, height: 100, highest: 10 };

  test("stand on each other, in the middle of their place", () => {
    expect(
      stackedBars(
        [
          [5, 0, 2],
          [5, null, 1],
        ],
        area,
      ),
    ).toEqual([
      { series: 0, index: 0, x: 26, y: 50, width: 48, height: 50 },
      { series: 1, index: 0, x: 26, y: 0, width: 48, height: 50 },
      { series: 0, index: 2, x: 226, y: 80, width: 48, height: 20 },
      { series: 1, index: 2, x: 226, y: 70, width: 48, height: 10 },
    ]);
  });

  test("are seen when they are tiny, and stay inside", () => {
    const bars = stackedBars([[9999], [1], [1]], { ...area, highest: 10_001 });
    expect(bars.every(({ y, height }) => y >= 0 && height >= 0)).toBe(true);
    expect(bars.slice(0, 1).every(({ height }) => height > 99)).toBe(true);
    expect(stackedBars([[1]], { ...area, highest: 100_000 })[0]!.height).toBe(1);
  });
});

describe("the strength of a cell", () => {
  test.each([
    [0, 10, 0],
    [1, 10, 1],
    [2, 10, 1],
    [3, 10, 2],
    [10, 10, 5],
    [1, 1, 5],
    [1, 1000, 1],
  ])("%i of %i is %i", (value, highest, level) => expect(heatLevel(value, highest, 5)).toBe(level));

  test("of an average is that of the legend, in hundredths", () => {
    for (const highest of [0.13, 0.5, 4, 12.25]) {
      const legend = heatLegend(highest, 5, 0.01);
      for (let value = 0.01; value <= highest; value = Math.round(value * 100 + 1) / 100) {
        const row = legend.find(({ from, to }) => value >= from - 1e-9 && value <= to + 1e-9);
        expect([highest, value, row?.level]).toEqual([highest, value, heatLevel(value, highest, 5)]);
      }
    }
  });

  test("is that of the legend for every value", () => {
    for (const highest of [1, 2, 3, 4, 5, 7, 10, 99, 1000]) {
      const legend = heatLegend(highest, 5);
      for (let value = 1; value <= highest; value += 1) {
        const row = legend.find(({ from, to }) => value >= from && value <= to);
        expect([highest, value, row?.level]).toEqual([highest, value, heatLevel(value, highest, 5)]);
      }
    }
  });
});
