import { describe, expect, test } from "vitest";
import { AppError } from "./errors.ts";
import { defineOrders, mostCounted, readOrder } from "./contract/index.ts";
import { readCursor, writeCursor } from "./cursor.ts";
import { col, defineOrderedList, defineTable, type Position } from "./db/index.ts";
import { idCursor, keysetPage, positionOf, readPage } from "./paging.ts";

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

describe("the filters of a list", () => {
  const table = defineTable(
    "people",
    { ...columns, state: col.int() },
    {
      primary: ["id"],
      indexes: { ...indexes, people_state_name: ["deleted_at", "state", "name", "id"], people_state: ["deleted_at", "state"] },
    },
  );
  const byName = defineOrders(["name", "id"], { default: "name" });

  test("know an index for each order", () => {
    const { filters } = defineOrderedList(table, byName, {
      live: "deleted_at",
      by: { name: "name", id: "id" },
      filters: { state: "state" },
    });
    expect(filters).toEqual({ state: { column: "state", indexes: { name: "people_state_name", id: "people_state" } } });
  });

  test("are refused without one", () => {
    expect(() => defineOrderedList(table, orders, { live: "deleted_at", by, filters: { state: "state" } })).toThrow(
      "people has no index over deleted_at, state, updated_at for the filter state in the order updatedAt",
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
