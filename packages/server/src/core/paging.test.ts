import { describe, expect, test } from "vitest";
import { readCursor } from "./cursor.ts";
import { mostCounted } from "./contract/index.ts";
import { keysetPage, rankedPage } from "./paging.ts";

const rowsOf = (...ids: number[]) => ids.map((id) => ({ id, key: `k${id}` }));
const cursorOf = ({ key, id }: { key: string; id: number }) => ({ key, id });

describe("a page by keyset", () => {
  test("leaves the row beyond the limit to the next page, which begins after the last one shown", () => {
    const page = keysetPage({ rows: rowsOf(1, 2, 3), limit: 2, count: 3, cursorOf });
    expect(page).toMatchObject({ items: rowsOf(1, 2), total: 3, totalCapped: false });
    expect(readCursor(page.next ?? "")).toEqual({ key: "k2", id: 2 });
  });

  test("is the last one when it is not longer than the limit, also when it is empty", () => {
    expect(keysetPage({ rows: rowsOf(1, 2), limit: 2, count: 2, cursorOf }).next).toBeNull();
    const empty = { items: [], next: null, total: 0, totalCapped: false };
    expect(keysetPage({ rows: rowsOf(), limit: 2, count: 0, cursorOf })).toEqual(empty);
  });

  test("caps its total", () => {
    const totalOf = (count: number) => {
      const { total, totalCapped } = keysetPage({ rows: rowsOf(1), limit: 2, count, cursorOf });
      return [total, totalCapped];
    };
    expect([totalOf(mostCounted), totalOf(mostCounted + 1)]).toEqual([
      [mostCounted, false],
      [mostCounted, true],
    ]);
  });
});

describe("a page of a ranked search", () => {
  test("has the rows in the order of the ids, and no next one", () => {
    expect(rankedPage(rowsOf(1, 2, 3), [3, 9, 1, 2], 200)).toEqual({
      items: rowsOf(3, 1, 2),
      next: null,
      total: 3,
      totalCapped: false,
    });
  });

  test("is capped when the search found as many as it may", () => {
    expect(rankedPage(rowsOf(1), [1, 2], 2).totalCapped).toBe(true);
    expect(rankedPage(rowsOf(), [], 2)).toEqual({ items: [], next: null, total: 0, totalCapped: false });
  });
});
