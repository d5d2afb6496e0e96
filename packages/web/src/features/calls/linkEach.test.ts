import { expect, test } from "vitest";
import { withOldest } from "./linkEach.ts";

const rows = [
  { id: 3, createdAt: 30 },
  { id: 1, createdAt: 10 },
  { id: 2, createdAt: 20 },
];

function links(...before: readonly number[]) {
  const pairs = new Set(before);
  return {
    pairs,
    linkedWith: async () => new Set(pairs),
    link: async (_id: number, other: number) => void pairs.add(other),
    unlink: async (_id: number, other: number) => void pairs.delete(other),
  };
}

test("taking back that several calls were linked leaves the links that were there before", async () => {
  const { pairs, linkedWith, link, unlink } = links(2);
  const { done, skipped } = await withOldest(rows, { linkedWith, change: link }, true, () => undefined);
  expect([done.map(({ id }) => id), skipped]).toEqual([[1, 3], 1]);
  expect([...pairs]).toEqual([2, 3]);
  await withOldest(done, { linkedWith, change: unlink }, false, () => undefined);
  expect([...pairs]).toEqual([2]);
});

test("nothing is done where all are linked already", async () => {
  const { linkedWith, link } = links(2, 3);
  expect(await withOldest(rows, { linkedWith, change: link }, true, () => undefined)).toEqual({
    done: [],
    refused: [],
    skipped: 2,
  });
});

test("nothing is linked where the oldest call cannot be read", async () => {
  const error = new Error("gone");
  const { pairs, link } = links();
  const linkedWith = async () => await Promise.reject(error);
  const { refused } = await withOldest(rows, { linkedWith, change: link }, true, () => undefined);
  expect(refused).toEqual([{ row: rows[1], error }]);
  expect([...pairs]).toEqual([]);
});
