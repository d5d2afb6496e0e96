import fc from "fast-check";
import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { sortItems } from "./sync.items.policy.ts";

interface Item {
  readonly id: string;
  readonly name?: string | null;
  readonly tags?: string[];
}

const schema = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  name: Type.Optional(Type.Union([Type.String({ maxLength: 8 }), Type.Null()])),
  tags: Type.Optional(Type.Array(Type.String())),
});
const sort = (items: readonly unknown[]) => sortItems<Item>({ schema, items, idOf: (item) => item.id });

describe("an id that is repeated", () => {
  test.each<[string, Item[], Item]>([
    [
      "takes the last value of each field",
      [
        { id: "a", name: "x" },
        { id: "a", name: "y" },
      ],
      { id: "a", name: "y" },
    ],
    [
      "keeps what the last item leaves out",
      [
        { id: "a", name: "x" },
        { id: "a", tags: ["t"] },
      ],
      { id: "a", name: "x", tags: ["t"] },
    ],
    [
      "is erased by null, not by absence",
      [{ id: "a", name: "x" }, { id: "a", name: null }, { id: "a" }],
      { id: "a", name: null },
    ],
    [
      "takes a list whole",
      [
        { id: "a", tags: ["s", "t"] },
        { id: "a", tags: [] },
      ],
      { id: "a", tags: [] },
    ],
  ])("%s", (_what, items, stored) => {
    expect(sort(items)).toEqual({
      valid: [{ id: "a", index: items.length - 1, item: stored }],
      merged: items.length - 1,
      rejected: [],
    });
  });

  test("leaves the sent items as they are", () => {
    const items = [
      { id: "a", name: "x" },
      { id: "a", name: "y" },
    ];
    sort(items);
    expect(items).toEqual([
      { id: "a", name: "x" },
      { id: "a", name: "y" },
    ]);
  });
});

describe("an item that cannot be stored is rejected with its position and the reason", () => {
  test.each<[string, unknown, string | null, string]>([
    ["a missing field", { name: "x" }, null, "id is missing"],
    ["a wrong type", { id: "a", name: 3 }, "a", "name "],
    ["a text that is too long", { id: "a", name: "123456789" }, "a", "name "],
    ["no object", "text", null, "item "],
    ["nothing", null, null, "item "],
    ["an id of another type", { id: 7 }, null, "id "],
    ["a long id, which is shown in part", { id: "x".repeat(65) }, "x".repeat(64), "id "],
    ["half of a character", { id: "a", name: "\uD800" }, "a", "name holds half of a character"],
    ["the character NUL in a list", { id: "a", tags: ["ok", "\0"] }, "a", "tags.1 holds the character NUL"],
  ])("%s", (_what, item, id, reason) => {
    const { valid, rejected } = sort([{ id: "good" }, item]);
    expect(valid.map((one) => one.id)).toEqual(["good"]);
    expect(rejected).toEqual([{ index: 1, id, code: "sync.itemInvalid", message: expect.stringContaining(reason) }]);
  });

  test("and does not touch the item that was sent before it under the same id", () => {
    expect(
      sort([
        { id: "a", name: "x" },
        { id: "a", name: 3 },
      ]).valid,
    ).toEqual([{ id: "a", index: 0, item: { id: "a", name: "x" } }]);
  });
});

test("each item is stored, merged or rejected; ids keep the order of their first item", () => {
  const id = fc.constantFrom("a", "b", "c");
  const good = fc.record(
    { id, name: fc.option(fc.constantFrom("x", "y"), { nil: null }), tags: fc.constant(["t"]) },
    { requiredKeys: ["id"] },
  );
  const bad = fc.record({ id, name: fc.integer() });
  fc.assert(
    fc.property(fc.array(fc.oneof(good, bad), { maxLength: 12 }), (items) => {
      const { valid, merged, rejected } = sort(items);
      const kept = items.filter((one) => typeof one.name !== "number");
      expect(valid.length + merged + rejected.length).toBe(items.length);
      expect(valid.map((one) => one.id)).toEqual([...new Set(kept.map((one) => one.id))]);
      for (const one of valid) expect(one.item).toEqual(Object.assign({}, ...kept.filter((sent) => sent.id === one.id)));
      expect(rejected.map(({ index }) => index)).toEqual(items.flatMap((one, i) => (typeof one.name === "number" ? [i] : [])));
    }),
    { seed: 30, numRuns: 300 },
  );
});
