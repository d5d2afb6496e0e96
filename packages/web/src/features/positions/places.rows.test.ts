import { describe, expect, it } from "vitest";
import { distanceText, heldOrder, hiddenBecause, type PlaceRow, placeRows } from "./places.rows.ts";

const entry = (key: string, name: string, job: string, x: number, grade = 1) => ({
  key,
  at: 1_790_000_000_000,
  value: { name, job, grade, state: "on" as const, x, y: 0, z: null, heading: null, speed: null, vehicle: null, postal: null },
});
const entries = [entry("1", "Zoe", "police", 400), entry("2", "Änne", "police", -100), entry("3", "Bo", "ambulance", 300)];
const ids = (rows: readonly PlaceRow[]) => rows.map(({ id }) => id);

describe("the list of places", () => {
  it("is by job, grade and name, as long as no postal is chosen", () => {
    expect(ids(placeRows(entries, null, (job) => job))).toEqual([3, 2, 1]);
    const chief = entry("4", "Zz", "police", 0, 5);
    expect(ids(placeRows([...entries, chief], null, (job) => job))).toEqual([3, 4, 2, 1]);
  });

  it("has those nearest to a postal first, with their distance in a straight line", () => {
    const rows = placeRows(entries, { x: 300, y: 40 }, (job) => job);
    expect(ids(rows)).toEqual([3, 1, 2]);
    expect(rows.map(({ distance }) => Math.round(distance!))).toEqual([40, 108, 402]);
  });

  it("keeps its order while that is held: who came since is at the end, and who left is gone", () => {
    const rows = placeRows(entries, null, (job) => job);
    expect(ids(heldOrder(rows, [1, 9, 3]))).toEqual([1, 3, 2]);
    expect(heldOrder(rows, null)).toBe(rows);
  });
});

it.each([
  [{ onDuty: false, known: true, hidden: false, exempt: false }, "offDuty"],
  [{ onDuty: true, known: false, hidden: false, exempt: false }, "unknown"],
  [{ onDuty: true, known: true, hidden: true, exempt: false }, "hidden"],
  [{ onDuty: true, known: true, hidden: false, exempt: false }, null],
  [{ onDuty: false, known: false, hidden: false, exempt: true }, null],
])("of a viewer with %o nobody is shown because of: %s", (own, why) => expect(hiddenBecause(own)).toBe(why));

it.each([
  [4, "0 m"],
  [118, "120 m"],
  [994, "990 m"],
  [996, "1.0 km"],
  [12_340, "12.3 km"],
])("%d metres are %s", (metres, text) => expect(distanceText(metres, "en-GB")).toBe(text));
