import { useInfiniteQuery } from "@tanstack/react-query";
import type { OutputOf } from "@rollcall/server/contract/core";
import { listNotices, noticesTopic } from "@rollcall/server/contract/notices";
import { useFollow } from "#core/realtime/lists.ts";
import { api } from "#core/services.ts";

export type Notice = OutputOf<typeof listNotices>["items"][number];

const PAGE = 10;

/** The board as this character sees it, newest first, with live changes. */
export function useBoard() {
  const query = useInfiniteQuery({
    queryKey: [listNotices.id],
    initialPageParam: null as number | null,
    queryFn: ({ signal, pageParam }) =>
      api.call(listNotices, { query: { limit: PAGE, ...(pageParam === null ? {} : { before: pageParam }) } }, { signal }),
    getNextPageParam: (last) => last.next,
    select: (data) => data.pages.flatMap((page) => page.items),
  });
  useFollow(noticesTopic);
  return query;
}
