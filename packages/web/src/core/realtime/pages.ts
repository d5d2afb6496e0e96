import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { Page, TopicDefinition } from "@rollcall/server/contract/core";
import { type PagedOperation, pagesOf } from "#core/queries.ts";
import { filtersOf, isFiltered } from "#core/search.ts";
import { useLiveRows, type Versioned } from "./rows.ts";

const PAGE = 50;
const NO_ROWS: readonly never[] = [];

/** A filtered list, page by page, with live changes. */
export function useLivePages<Row extends Versioned>(
  operation: PagedOperation,
  topic: TopicDefinition,
  search: { readonly top?: string },
) {
  const query = useInfiniteQuery({
    ...pagesOf(operation, filtersOf(search), PAGE),
    placeholderData: keepPreviousData,
    select(data) {
      const pages = data.pages as unknown as Page<Row>[];
      const last = pages.at(-1);
      return { rows: pages.flatMap((page) => page.items), total: last?.total ?? 0, totalCapped: last?.totalCapped ?? false };
    },
  });
  const rows = useLiveRows<Row>({
    topic,
    rows: query.data?.rows ?? NO_ROWS,
    filtered: isFiltered(search),
    refetch: () => void query.refetch(),
  });
  return { query, rows, total: query.data?.total ?? 0, totalCapped: query.data?.totalCapped ?? false };
}
