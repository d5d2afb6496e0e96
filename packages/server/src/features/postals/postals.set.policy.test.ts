import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Postal } from "./postals.contract.ts";
import { PostalSet } from "./postals.set.policy.ts";
import { streetGrid, usualMap } from "./postals.testkit.ts";

const codes = (set: PostalSet, query: string, limit = 10) => set.search(query, limit).map(({ postal }) => postal.code);
const named = (...names: string[]) => new PostalSet(names.map((code, x) => ({ code, x, y: 0 })));

describe("the nearest postal code", () => {
  test("is in a straight line, in metres", () => {
    const set = new PostalSet([
      { code: "1", x: 0, y: 0 },
      { code: "2", x: 100, y: 0 },
    ]);
    expect(set.nearest(3, 4)).toEqual({ code: "1", distance: 5 });
    expect(set.nearest(100, 0)).toEqual({ code: "2", distance: 0 });
  });

  test.each([
    [Number.NaN, 0],
    [0, Number.NaN],
    [Number.POSITIVE_INFINITY, 0],
    [0, Number.NEGATIVE_INFINITY],
    [1_000_001, 0],
    [0, 1e300],
  ])("of %d, %d is none", (x, y) => expect(named("1").nearest(x, y)).toBeNull());

  test("is none where there are no postal codes", () => {
    const set = new PostalSet([]);
    expect([set.nearest(0, 0), set.find("1"), set.search("1", 5)]).toEqual([null, null, []]);
    expect(set.list).toEqual({ version: set.version, postals: [] });
  });

  const within = (most: number) => fc.double({ min: -most, max: most, noNaN: true });
  const onMap = fc.record({ x: within(7000), y: within(7000) });
  // Whole numbers make places that are the same and distances that are equal.
  const onGrid = fc.record({ x: fc.integer({ min: -4, max: 4 }), y: fc.integer({ min: -4, max: 4 }) });
  const anywhere = fc.record({ x: within(1e6), y: within(1e6) });

  test.each([
    ["a map", onMap],
    ["a grid", onGrid],
    ["the whole world", anywhere],
  ])("is the one that comparing all finds, on %s", (_where, place) => {
    fc.assert(
      fc.property(fc.array(place, { minLength: 1, maxLength: 120 }), fc.array(place, { maxLength: 20 }), (places, wanted) => {
        const postals = places.map(({ x, y }, i): Postal => ({ code: `c${i}`, x, y }));
        const set = new PostalSet(postals);
        for (const { x, y } of [...wanted, ...places]) {
          const distances = postals.map((postal) => Math.hypot(postal.x - x, postal.y - y));
          const found = set.nearest(x, y)!;
          expect(found.distance).toBe(distances[Number(found.code.slice(1))]);
          // Squares of distances, which the index compares, lose the last digits.
          expect(found.distance - Math.min(...distances)).toBeLessThanOrEqual(1e-6);
        }
      }),
      { seed: 11, numRuns: 200 },
    );
  });
});

describe("a postal code", () => {
  test("is found by its code, whatever its case, and the first of several places", () => {
    const set = new PostalSet([
      { code: "A-1", x: 1, y: 1 },
      { code: "7", x: 2, y: 2 },
      { code: "7", x: 3, y: 3 },
    ]);
    expect([set.find("a-1"), set.find(" 7 "), set.find("A"), set.find("")]).toEqual([
      { code: "A-1", x: 1, y: 1 },
      { code: "7", x: 2, y: 2 },
      null,
      null,
    ]);
    expect(codes(set, "7")).toEqual(["7"]);
  });

  test("is searched: the exact one, then beginnings, then parts, in the order of the codes", () => {
    const set = named("2100", "1009", "10", "100", "1001", "A100", "55", "3100");
    expect(codes(set, "100")).toEqual(["100", "1001", "1009", "2100", "3100", "A100"]);
    expect(codes(set, "a1")).toEqual(["A100"]);
    expect(codes(set, "100", 2)).toEqual(["100", "1001"]);
    expect([codes(set, " "), codes(set, "x")]).toEqual([[], []]);
    expect(set.search("100", 4).map(({ match, index }) => [match, index])).toEqual([
      ["whole", 3],
      ["beginning", 4],
      ["beginning", 1],
      ["beginning", 0],
    ]);
  });
});

test("the version is that of the list alone", () => {
  const [one, same] = [new PostalSet(streetGrid()), new PostalSet(streetGrid())];
  expect(same.version).toBe(one.version);
  expect(new PostalSet(streetGrid({ seed: 8 })).version).not.toBe(one.version);
  expect(new PostalSet([]).version).not.toBe(one.version);
});

test("a street grid of the test kit is a usual map", () => {
  const grid = streetGrid();
  expect(new Set(grid.map(({ code }) => code)).size).toBe(600);
  const isInside = ({ x, y }: Postal) => x > usualMap.west && x < usualMap.east && y > usualMap.south && y < usualMap.north;
  expect(grid.every(isInside)).toBe(true);
});
