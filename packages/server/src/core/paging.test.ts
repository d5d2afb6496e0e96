import { describe, expect, test } from "vitest";
import { AppError } from "./errors.ts";
import { defineOrders, mostCounted, readOrder } from "./contract/index.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { col, defineOrderedList, defineTable, type Position } from "./db/index.ts";
import { idCursor, keysetPage, mostFound, positionOf, rankedPage, readList, readPage } from "./paging.ts";

const rowsOf = (...ids: number[]) => ids.map((id) => ({ id, order_key: `k${id}` }));
const cursorOf = ({ order_key: key, id }: { order_key: string; id: number }) => ({ order: "name", key, id });

const orders = defineOrders(["name", "updatedAt"], { default: "name" });
const columns = { id: col.id(), name: col.text(50).orNull(), updated_at: col.int(), deleted_at: col.int().orNull() };
const by = { name: "name", updatedAt: "updated_at" } as const;
const indexes = { people_name: ["deleted_at", "name", "id"], people_updated: ["deleted_at", "updated_at"] } as const;
const people = defineOrderedList(defineTable("people", columns, { primary: ["id"], indexes }), orders, {
  live: "deleted_at",
  by,
});

async function refusal(read: () => unknown): Promise<unknown> {
  try {
    await read();
  } catch (error) {
    return error instanceof AppError ? error.params : error;
  }
  return "none";
}

/** Reads a list that has these rows, and keeps with what it was read. */
function reading(rows: readonly ReturnType<typeof rowsOf>[number][], count: number) {
  const asked: { position: Position | null; limit: number; cap: number | null } = { position: null, limit: 0, cap: null };
  return {
    asked,
    rows: async (position: Position, limit: number) => {
      Object.assign(asked, { position, limit });
      return rows.slice(0, limit);
    },
    count: async (cap: number) => {
      asked.cap = cap;
      return Math.min(cap, count);
    },
  };
}

describe("the orders of a list", () => {
  test("are declared as the values of the field `order` of its query", () => {
    expect(orders.query.order).toMatchObject({ enum: ["name", "-name", "updatedAt", "-updatedAt"] });
    expect([readOrder("name"), readOrder("-updatedAt")]).toEqual([
      { name: "name", descending: false },
      { name: "updatedAt", descending: true },
    ]);
  });

  test("know their indexes, whether these name the id or not", () => {
    expect(people.keys).toEqual({
      name: { column: "name", index: "people_name", type: "string", nullable: true },
      updatedAt: { column: "updated_at", index: "people_updated", type: "number", nullable: false },
    });
  });

  test.each([
    ["none", {}],
    ["another order", { people_name: ["deleted_at", "updated_at", "name"] }],
    ["without what is live", { people_name: ["name", "id"] }],
  ] as const)("are refused with an index that does not read them: %s", (_what, wrong) => {
    const table = defineTable("people", columns, {
      primary: ["id"],
      indexes: { ...wrong, people_updated: indexes.people_updated },
    });
    expect(() => defineOrderedList(table, orders, { live: "deleted_at", by })).toThrow(
      "people has no index over deleted_at, name for the order name",
    );
  });
});

describe("a cursor", () => {
  test("is read as it was written, with numbers, texts and nulls", () => {
    for (const key of [null, 0, -5, Number.MAX_SAFE_INTEGER, "", "Ünal 👩‍🚒", 'a"b\\c\u0000'])
      expect(readCursor(writeCursor({ order: "-name", key, id: 7 }), "-name")).toEqual({ order: "-name", key, id: 7 });
  });

  test("of another order is refused, and the field is named", async () => {
    const cursor = writeCursor({ order: "name", key: "x", id: 1 });
    const problem = { field: "query.cursor", problem: "is the `next` of a page in another order" };
    expect(await refusal(() => positionOf(people, { order: "-name", cursor }))).toEqual(problem);
    expect(await refusal(() => positionOf(people, { order: "updatedAt", cursor }))).toEqual(problem);
    expect(positionOf(people, { cursor })).toEqual(positionOf(people, { order: "name", cursor }));
  });

  test.each([
    ["no JSON", "x"],
    ["of an earlier version", Buffer.from('["k",1]').toString("base64url")],
    ["without an id", Buffer.from('["name","k"]').toString("base64url")],
    ["with half a character", Buffer.from('["name","\\ud800",1]').toString("base64url")],
    ["with a number as text", writeCursor({ order: "name", key: 4, id: 1 })],
  ])("that no page wrote is refused: %s", async (_what, cursor) => {
    expect(await refusal(() => positionOf(people, { cursor }))).toMatchObject({ field: "query.cursor" });
  });

  test("has null as its key only where the column has", async () => {
    const at = (order: "name" | "updatedAt") => positionOf(people, { order, cursor: writeCursor({ order, key: null, id: 3 }) });
    expect(at("name").after).toMatchObject({ key: null, id: 3 });
    expect(await refusal(() => at("updatedAt"))).toMatchObject({ field: "query.cursor" });
  });
});

describe("a page of a list", () => {
  test("is read in the wanted order from the cursor on, and names the next one", async () => {
    const read = reading(rowsOf(5, 6, 7), 40);
    const cursor = writeCursor({ order: "-updatedAt", key: 9, id: 4 });
    const page = await readPage(people, { order: "-updatedAt", cursor, limit: 2 }, read);
    expect(page).toMatchObject({ items: rowsOf(5, 6), total: 40, totalCapped: false });
    expect(readCursor(page.next ?? "", "-updatedAt")).toMatchObject({ key: "k6", id: 6 });
    expect(read.asked).toMatchObject({
      limit: 3,
      cap: mostCounted + 1,
      position: { key: { column: "updated_at" }, descending: true, after: { key: 9, id: 4 } },
    });
  });

  test("that is the first and the last one is its own count", async () => {
    const read = reading(rowsOf(1, 2), 999);
    expect(await readPage(people, { limit: 2 }, read)).toMatchObject({ total: 2, next: null });
    expect(read.asked.cap).toBeNull();
  });

  test("of a search has all hits: best first, or in the order that was asked for", async () => {
    const found = rowsOf(1, 2, 3);
    const ids = [3, 9, 1, 2];
    expect((await readList(people, {}, ids, reading(found, 0))).items).toEqual(rowsOf(3, 1, 2));
    const sorted = await readList(people, { order: "name", limit: 1 }, ids, reading(found, 0));
    expect(sorted).toEqual({ items: found, next: null, total: 3, totalCapped: false });
  });

  test("of a search without hits reads nothing", async () => {
    const read = reading(rowsOf(1), 1);
    expect(await readList(people, {}, [], read)).toEqual({ items: [], next: null, total: 0, totalCapped: false });
    expect(read.asked.position).toBeNull();
  });
});

describe("a page by keyset", () => {
  test("leaves the row beyond the limit to the next page, which begins after the last one shown", () => {
    const page = keysetPage({ rows: rowsOf(1, 2, 3), limit: 2, count: 3, cursorOf });
    expect(page).toMatchObject({ items: rowsOf(1, 2), total: 3, totalCapped: false });
    expect(readCursor(page.next ?? "", "name")).toEqual({ order: "name", key: "k2", id: 2 });
    expect(readCursor(keysetPage({ rows: rowsOf(1, 2), limit: 1, count: 2, cursorOf: idCursor }).next ?? "").id).toBe(1);
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
  test("is capped when the search found as many as it may", () => {
    const most = Array.from({ length: mostFound }, (_none, id) => id + 1);
    expect(rankedPage(rowsOf(1), most).totalCapped).toBe(true);
    expect(rankedPage(rowsOf(1), most.slice(1)).totalCapped).toBe(false);
  });
});
