import { expect, test } from "vitest";
import { chunksOf } from "./chunks.ts";

test("chunks hold all items in their order, at most so many each", () => {
  expect(chunksOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(chunksOf([1, 2], 2)).toEqual([[1, 2]]);
  expect(chunksOf([], 2)).toEqual([]);
});
