import { useCallback, useContext, useEffect, useEffectEvent, useRef, useSyncExternalStore } from "react";
import {
  hashKey,
  keepPreviousData,
  notifyManager,
  type QueryClient,
  useInfiniteQuery,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import type { EventTopic, OperationDefinition, OutputOf, Page } from "@rollcall/server/contract/core";
import { type PagedOperation, pagesOf, queryOf, wholeOf } from "#core/queries.ts";
import type { CallInput } from "#core/transport.ts";
import { useStore } from "#core/store.ts";
import { LinkContext } from "./link.ts";
import { isPages, type Placement, type Versioned } from "./merge.ts";

const PAGE = 50;

/** Follows a topic while the component is mounted: the answers that it declares stay current. Nothing while it is null. */
export function useFollow(topic: EventTopic | null, key?: string | number): void {
  const link = useContext(LinkContext);
  const answers = link?.answers;
  useEffect(() => (topic === null ? undefined : answers?.follow(topic, key)), [answers, topic, key]);
}

export interface LiveListInput<Row extends Versioned> extends Placement<Row> {
  readonly operation: PagedOperation;
  readonly topic: EventTopic | null;
  readonly filters: Record<string, unknown>;
  readonly limit?: number;
  /** The operation answers all of it at once. */
  readonly whole?: true;
  /** Read again whenever it is shown, also where it is current by its topic. */
  readonly fresh?: boolean;
  readonly enabled?: boolean;
}

/** A filtered list, page by page, with live changes: rows move, come and go without the list being read again. */
export function useLiveList<Row extends Versioned>(input: LiveListInput<Row>) {
  const { operation, topic, filters, limit = PAGE, enabled = true, compare, matches, likely } = input;
  const read = input.whole ? wholeOf(operation, filters) : pagesOf(operation, filters, limit);
  const query = useInfiniteQuery({
    ...read,
    enabled,
    ...(input.fresh ? { refetchOnMount: "always" as const } : {}),
    placeholderData: keepPreviousData,
    select(data) {
      const pages = data.pages as unknown as Page<Row>[];
      const last = pages.at(-1);
      return { rows: uniqueRows(pages), total: last?.total ?? 0, totalCapped: last?.totalCapped ?? false };
    },
  });
  const visible = useRef<readonly [number, number]>([0, 0]);
  const answers = useContext(LinkContext)?.answers;
  const hash = hashKey(read.queryKey);
  const order = useEffectEvent((a: Row, b: Row) => compare?.(a, b) ?? 0);
  const fits = useEffectEvent((row: Row) => (matches ? matches(row) : true));
  const looksLikeIt = useEffectEvent((row: Row) => likely?.(row) ?? true);
  const ordered = compare !== undefined;
  const filtered = matches !== undefined;
  useEffect(
    () =>
      answers?.show<Row>(hash, {
        ...(ordered ? { compare: (a: Row, b: Row) => order(a, b) } : {}),
        ...(filtered ? { matches: (row: Row) => fits(row) } : {}),
        likely: (row: Row) => looksLikeIt(row),
        visible: () => visible.current,
      }),
    [answers, hash, ordered, filtered],
  );
  useFollow(enabled ? topic : null);
  return {
    query,
    rows: query.data?.rows ?? NO_ROWS,
    total: query.data?.total ?? 0,
    totalCapped: query.data?.totalCapped ?? false,
    /** Says which rows are on screen: of a long list only those are read again. */
    onShown: (first: number, last: number) => void (visible.current = [first, last]),
  };
}

const NO_ROWS: readonly never[] = [];

/** A row that moved while the next page was read is in both. */
function uniqueRows<Row extends Versioned>(pages: readonly Page<Row>[]): readonly Row[] {
  const rows = pages.flatMap((page) => page.items);
  const seen = new Set<number>();
  return rows.filter(({ id }) => !seen.has(id) && seen.add(id));
}

type RowOf<D extends PagedOperation> = OutputOf<D> extends { readonly items: readonly (infer Row)[] } ? Row & Versioned : never;

/** The newest row of an object in the lists that were read; undefined where none has it. */
export function listedRow<D extends PagedOperation>(queries: QueryClient, operation: D, id: number): RowOf<D> | undefined {
  const lists = queries.getQueryCache().findAll({ queryKey: [operation.id] });
  const rows = lists.flatMap(({ state }) => (isPages(state.data) ? state.data.pages.flatMap(({ items }) => items) : []));
  const found = rows.filter((row) => row.id === id);
  return found.toSorted((a, b) => b.version - a.version)[0] as RowOf<D> | undefined;
}

/** What a list says already of a record that is still to be read; nothing where the record is `known`. */
export function useListedRow<D extends PagedOperation>(operation: D, id: number, known: boolean): RowOf<D> | undefined {
  const queries = useQueryClient();
  const subscribe = useCallback(
    (changed: () => void) => (known ? () => undefined : queries.getQueryCache().subscribe(notifyManager.batchCalls(changed))),
    [queries, known],
  );
  return useSyncExternalStore(subscribe, () => (known ? undefined : listedRow(queries, operation, id)));
}

/** One answer with live changes; `deleted` once its object was deleted. */
export function useLiveAnswer<D extends OperationDefinition>(
  operation: D,
  input: CallInput<D>,
  follow: { readonly topic: EventTopic; readonly key?: string | number; readonly enabled?: boolean },
) {
  const { topic, key, enabled = true } = follow;
  const read = queryOf(operation, input);
  const query = useQuery({ ...read, enabled });
  useFollow(enabled ? topic : null, key);
  const answers = useContext(LinkContext)?.answers;
  const deleted = useStore(answers?.deleted ?? NOTHING_DELETED).has(hashKey(read.queryKey));
  const data = query.data;
  return { query, data: deleted ? undefined : data, deleted };
}

const none: ReadonlySet<string> = new Set();
const NOTHING_DELETED = { get: () => none, subscribe: () => () => undefined };
