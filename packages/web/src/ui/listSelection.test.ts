import { describe, expect, it } from "vitest";
import { allOf, extendedTo, nothingSelected, present, toggled, type Selection } from "./listSelection.ts";

const order = [7, 3, 9, 1, 5];
const idsOf = ({ ids }: Selection) => [...ids].toSorted((a, b) => order.indexOf(a) - order.indexOf(b));

describe("a selection", () => {
  it("takes a row in and out", () => {
    const one = toggled(nothingSelected, 9);
    expect(idsOf(one)).toEqual([9]);
    expect(idsOf(toggled(one, 9))).toEqual([]);
  });

  it("extends from the row that was selected last, in both directions", () => {
    const from = toggled(nothingSelected, 9);
    expect(idsOf(extendedTo(from, order, 5))).toEqual([9, 1, 5]);
    expect(idsOf(extendedTo(from, order, 7))).toEqual([7, 3, 9]);
  });

  it("becomes shorter again when the range does, and keeps what was selected before", () => {
    const before = toggled(toggled(nothingSelected, 7), 9);
    const long = extendedTo(before, order, 5);
    expect(idsOf(long)).toEqual([7, 9, 1, 5]);
    expect(idsOf(extendedTo(long, order, 1))).toEqual([7, 9, 1]);
    expect(idsOf(extendedTo(long, order, 9))).toEqual([7, 9]);
  });

  it("extends from the row itself where nothing was selected, or the first row is gone", () => {
    expect(extendedTo(nothingSelected, order, 3)).toMatchObject({ anchor: 3, ids: new Set([3]) });
    const gone = toggled(toggled(nothingSelected, 7), 42);
    expect(idsOf(extendedTo(gone, order, 3)).filter((id) => id !== 42)).toEqual([7, 3]);
    expect(extendedTo(gone, order, 99)).toBe(gone);
  });

  it("holds all loaded rows, and loses those that are gone", () => {
    const all = allOf(order);
    expect(idsOf(all)).toEqual(order);
    expect(present(all, [...order, 11])).toBe(all);
    const fewer = present(all, [7, 3]);
    expect([idsOf(fewer), fewer.anchor]).toEqual([[7, 3], null]);
    expect(present(nothingSelected, [])).toBe(nothingSelected);
  });
});
