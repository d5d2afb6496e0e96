import { describe, expect, it } from "vitest";
import { createRandom } from "#core/random.ts";
import { Driver } from "./driver.ts";
import { cityBounds, createStreets, placeOn } from "./streets.ts";

const streets = createStreets(createRandom(42));

describe("the streets of the demo city", () => {
  it("are a few hundred crossings with curves and diagonals, the same for the same seed", () => {
    expect(createStreets(createRandom(42))).toEqual(streets);
    expect(streets.crossings.length).toBe(384);
    expect(streets.streets.filter(({ points }) => points.length > 2).length).toBeGreaterThan(100);
    expect(streets.streets.every(({ length }) => length > 20 && length < 2000)).toBe(true);
  });

  it("lead from everywhere to everywhere", () => {
    const reached = new Set([0]);
    for (const crossing of reached) for (const { from, to } of streets.at[crossing]!) reached.add(from).add(to);
    expect(reached.size).toBe(streets.crossings.length);
  });

  it("have places with a heading, anticlockwise from north", () => {
    const straight = (x: number, y: number) => ({
      ...{ from: 0, to: 1, length: 10, limit: 14, distances: [0, 10] },
      points: [
        { x: 0, y: 0 },
        { x, y },
      ],
    });
    expect(placeOn(straight(0, 10), 5)).toEqual({ x: 0, y: 5, heading: 0 });
    expect(placeOn(straight(-10, 0), 5).heading).toBe(90);
    expect(placeOn(straight(10, 0), 20)).toEqual({ x: 10, y: 0, heading: 270 });
  });
});

describe("drivers", () => {
  it("stay in the city, move as fast as they say, and park from time to time", () => {
    let parked = 0;
    for (let seed = 0; seed < 20; seed += 1) {
      const driver = new Driver(streets, createRandom(seed));
      for (let second = 0; second < 300; second += 1) {
        const { x, y } = driver.place;
        const before = driver.speed;
        driver.step(1000);
        const after = driver.place;
        const moved = Math.hypot(after.x - x, after.y - y);
        expect(moved).toBeLessThanOrEqual(Math.max(before, driver.speed) + 3);
        expect(driver.speed).toBeLessThan(45);
        expect(after.heading).toBeGreaterThanOrEqual(0);
        expect(after.heading).toBeLessThan(360);
        expect(after.x > cityBounds.west - 300 && after.x < cityBounds.east + 300).toBe(true);
        expect(after.y > cityBounds.south - 300 && after.y < cityBounds.north + 300).toBe(true);
        if (driver.isParked) parked += 1;
      }
    }
    expect(parked).toBeGreaterThan(100);
    expect(parked).toBeLessThan(3000);
  });
});
