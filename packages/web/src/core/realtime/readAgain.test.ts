import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { expect, it } from "vitest";
import type { Page } from "@rollcall/server/contract/core";
import { settle, testClock } from "#core/testkit.ts";
import type { Versioned } from "./merge.ts";
import { createReadAgain } from "./readAgain.ts";

/** Three loaded pages of one row each; returns the rows that were read after a change. */
async function readAfterChange(visible: readonly [number, number] | null): Promise<number[]> {
  const clock = testClock();
  const queries = new QueryClient();
  const read: number[] = [];
  const queryKey = ["cars.list", {}];
  const observer = new InfiniteQueryObserver<Page<Versioned>, Error, unknown, readonly unknown[], string | null>(queries, {
    queryKey,
    initialPageParam: null,
    queryFn: ({ pageParam }) => {
      const id = Number(pageParam ?? 1);
      read.push(id);
      return { items: [{ id, version: 1 }], next: id < 3 ? String(id + 1) : null, total: 3, totalCapped: false };
    },
    getNextPageParam: (last) => last.next,
  });
  const close = observer.subscribe(() => undefined);
  await settle();
  for (let page = 0; page < 2; page += 1) await observer.fetchNextPage();
  read.length = 0;
  createReadAgain(queries, clock, () => visible).soon(queries.getQueryCache().find({ queryKey })!);
  await clock.advance(2_000);
  await settle();
  close();
  expect(queries.getQueryData<{ pages: unknown[] }>(queryKey)?.pages).toHaveLength(3);
  return read;
}

it("reads the pages of a list that are on screen", async () => {
  expect(await readAfterChange([1, 1])).toEqual([2]);
});

it("reads all loaded pages of a list that does not say which rows are on screen", async () => {
  expect(await readAfterChange(null)).toEqual([1, 2, 3]);
});
