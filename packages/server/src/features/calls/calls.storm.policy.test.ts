import { expect, it } from "vitest";
import { isRunning, originsOf, placeKeyOf, stormKey } from "./calls.storm.policy.ts";

const by = (citizenId: number | null, anonymous = false) => ({ citizenId, name: null, anonymous, phone: null });

it("counts alerts of a source and of a person, anonymous ones of the same person apart", () => {
  const keys = (source: string, caller: ReturnType<typeof by> | null) => originsOf({ source, caller }).map(({ key }) => key);
  expect(keys("city-1", null)).toHaveLength(1);
  expect(keys("city-1", by(null, true))).toEqual(keys("city-1", null));
  expect(keys("city-2", null)).not.toEqual(keys("city-1", null));
  const [source, person] = keys("city-1", by(7));
  expect(keys("city-1", null)).toEqual([source]);
  expect(keys("city-2", by(7))[1]).toBe(person);
  const others = [keys("city-1", by(8))[1], keys("city-1", by(7, true))[1], source];
  expect(others).not.toContain(person);
  expect(originsOf({ source: "city-1", caller: by(7) }).map(({ most }) => most)).toEqual([200, 20]);
});

it("keeps alerts to other jobs apart, in whatever order they are named", () => {
  const origin = { key: "a" };
  expect(stormKey(origin, ["police", "ems"])).toBe(stormKey(origin, ["ems", "police"]));
  expect(stormKey(origin, ["police"])).not.toBe(stormKey(origin, ["ems", "police"]));
  expect(stormKey({ key: "b" }, ["police"])).not.toBe(stormKey(origin, ["police"]));
});

it("takes alerts until a minute without one above the limit, and none once it was handled", () => {
  expect(isRunning({ state: "open", above_at: 1000 }, 60_999)).toBe(true);
  expect(isRunning({ state: "open", above_at: 1000 }, 61_000)).toBe(false);
  expect(isRunning({ state: "dismissed", above_at: 1000 }, 1001)).toBe(false);
});

it("has a place for each postal code, for each square without one, and for alerts without a place", () => {
  expect(placeKeyOf({ x: 1, y: 1 }, "204")).toBe(placeKeyOf({ x: 900, y: 1 }, "204"));
  expect(placeKeyOf({ x: 1, y: 1 }, null)).toBe(placeKeyOf({ x: 44, y: 44 }, null));
  expect(placeKeyOf({ x: 1, y: 1 }, null)).not.toBe(placeKeyOf({ x: -1, y: 1 }, null));
  expect(placeKeyOf(null, null)).toBe("none");
});
