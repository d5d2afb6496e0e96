import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, it } from "vitest";
import type { Position } from "@rollcall/server/contract/core";
import { settle } from "#core/testkit.ts";
import { notePosition, readBehind } from "./positions.ts";

const at = (seq: number): Position => ({ epoch: "e", seq });

/** An answer on screen; `answer` lets the call that is on its way return, as of a position. */
function shown() {
  const queries = new QueryClient();
  const open: ((position: Position) => void)[] = [];
  const observer = new QueryObserver(queries, {
    queryKey: ["mails.unread", {}],
    staleTime: Infinity,
    queryFn: async ({ client, queryKey }) => {
      const position = await new Promise<Position>((resolve) => open.push(resolve));
      notePosition(client, queryKey, position);
      return position.seq;
    },
  });
  const stop = observer.subscribe(() => undefined);
  return { queries, open, stop, missed: (position: Position | null) => readBehind(queries, ["mails.unread"], position) };
}

it("reads an answer again that does not hold what was missed", async () => {
  for (const [stands, missed, calls] of [
    [at(7), at(7), 1],
    [at(7), at(3), 1],
    [at(7), at(8), 2],
    [at(7), { epoch: "other", seq: 1 }, 2],
    [at(7), null, 2],
  ] as const) {
    const page = shown();
    page.open[0]!(stands);
    await settle();
    page.missed(missed);
    await settle();
    expect(page.open, JSON.stringify([stands, missed])).toHaveLength(calls);
    page.stop();
  }
});

it("waits for the answer that is on its way before it decides", async () => {
  const page = shown();
  page.missed(at(7));
  page.missed(at(8));
  await settle();
  expect(page.open).toHaveLength(1);
  page.open[0]!(at(7));
  await settle();
  expect(page.open).toHaveLength(2);
  page.stop();
});

it("does not wait for it where rights were lost", async () => {
  const page = shown();
  page.open[0]!(at(7));
  await settle();
  void page.queries.invalidateQueries();
  await settle();
  expect(page.open).toHaveLength(2);
  page.missed(null);
  await settle();
  expect(page.open).toHaveLength(3);
  page.stop();
});
