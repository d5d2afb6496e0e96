import { describe, expect, test } from "vitest";
import { BoundedMap } from "./recent.ts";

const keysIn = (map: BoundedMap<number, string>, keys: readonly number[]) => keys.filter((key) => map.get(key) !== undefined);

describe("a bounded map", () => {
  test("returns what was set last, and nothing that was deleted", () => {
    const map = new BoundedMap<string, number | null>(2);
    map.set("a", 1);
    map.set("a", 2);
    map.set("b", null);
    expect([map.get("a"), map.get("b"), map.get("c")]).toEqual([2, null, undefined]);
    map.delete("a");
    expect(map.get("a")).toBeUndefined();
  });

  test("drops its oldest tenth when there are too many, and no other entry", () => {
    const map = new BoundedMap<number, string>(20);
    const keys = Array.from({ length: 21 }, (_, i) => i);
    for (const key of keys.slice(0, 20)) map.set(key, "");
    expect(keysIn(map, keys)).toEqual(keys.slice(0, 20));
    map.set(20, "");
    expect(keysIn(map, keys)).toEqual(keys.slice(2));
  });

  test("counts an entry that is set again as new", () => {
    const map = new BoundedMap<number, string>(2);
    for (const key of [1, 2, 1, 3]) map.set(key, "");
    expect(keysIn(map, [1, 2, 3])).toEqual([1, 3]);
  });
});
