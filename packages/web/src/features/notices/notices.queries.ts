import { useInfiniteQuery } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import { listNotices, noticesTopic } from "@rollcall/server/contract/notices";
import { pagesOf } from "#core/queries.ts";
import { useFollow } from "#core/realtime/lists.ts";

export type Notice = OutputOf<typeof listNotices>["items"][number];

const PAGE = 10;

/** The board as this character sees it, newest first, with live changes. */
export function useBoard() {
  const query = useInfiniteQuery({
    ...pagesOf(listNotices, {}, PAGE),
    select: (data) => data.pages.flatMap((page) => page.items),
  });
  useFollow(noticesTopic);
  return query;
}
