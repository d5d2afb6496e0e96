import { describe, expect, test } from "vitest";
import { defineOrders } from "./contract/index.ts";
import { writeCursor } from "./cursor.ts";
import { col, defineOrderedList, defineTable } from "./db/index.ts";
import { foundIds, hitsNeeded, readFound } from "./found.ts";
import { mostFound } from "./paging.ts";

const columns = { id: col.id(), name: col.text(50) };
const table = defineTable("people", columns, { primary: ["id"], indexes: { people_name: ["name"] } });
const people = defineOrderedList(table, defineOrders(["name"], { default: "name" }), { by: { name: "name" } });
const rowsOf = (...ids: number[]) => ids.map((id) => ({ id, order_key: `k${id}` }));
const stored = rowsOf(1, 2, 3);
const read = async (ids: readonly number[]) => stored.filter(({ id }) => ids.includes(id));
const found = foundIds([3, 9, 1, 2]);
const idsOf = ({ items }: { readonly items: readonly { readonly id: number }[] }) => items.map(({ id }) => id);

describe("a page of a search", () => {
  test("has the best hits first, and the next one goes on behind them", async () => {
    const first = await readFound(people, { limit: 3 }, found, read, { isNarrowed: false });
    expect([idsOf(first), first.total]).toEqual([[3, 1], 4]);
    const second = await readFound(people, { limit: 3, cursor: first.next! }, found, read, { isNarrowed: false });
    expect([idsOf(second), second.next]).toEqual([[2], null]);
  });

  test("has the order that was asked for, and counts what the filters leave", async () => {
    const page = await readFound(people, { order: "name", limit: 2 }, found, read, { isNarrowed: false });
    expect([idsOf(page), page.total]).toEqual([[1, 2], 3]);
    expect((await readFound(people, {}, found, read, { isNarrowed: true })).total).toBe(3);
  });

  test("of no hits reads nothing", async () => {
    const refuse = async () => await Promise.reject(new Error("read"));
    const page = await readFound(people, {}, foundIds([]), refuse, { isNarrowed: false });
    expect(page).toEqual({ items: [], next: null, total: 0, totalCapped: false });
  });

  test("is capped when the search found as many as it may", async () => {
    const most = Array.from({ length: mostFound }, (_none, at) => at + 1);
    const capped = async (ids: readonly number[]) =>
      (await readFound(people, {}, foundIds(ids), read, { isNarrowed: false })).totalCapped;
    expect([await capped(most), await capped(most.slice(1))]).toEqual([true, false]);
  });
});

test("a page needs one hit more than it shows, and all where something else decides what is on it", () => {
  expect(hitsNeeded({ limit: 20 }, false)).toBe(21);
  expect(hitsNeeded({ limit: 20, cursor: writeCursor({ order: "found", key: 20, id: 0 }) }, false)).toBe(41);
  expect([hitsNeeded({ limit: 20 }, true), hitsNeeded({ limit: 20, order: "name" }, false)]).toEqual([mostFound, mostFound]);
});
