import { type Query, QueryClient } from "@tanstack/react-query";
import type { Page } from "@rollcall/server/contract/core";
import type { Clock } from "#core/clock.ts";
import { isPages, type Pages, type Versioned } from "./merge.ts";

/** Reads answers on screen again, spread over all open pages and never more often than their kind allows. */
export interface ReadAgain {
  /** An object, or the visible part of a list, that is known to be stale. */
  soon(query: Query): void;
  /** The visible part of a list into which a changed row may belong. */
  list(query: Query): void;
  /** The number of rows of a list. */
  count(query: Query): void;
  forget(hash: string): void;
  stop(): void;
}

interface Rate {
  /** One change reaches all open pages at once; their calls are spread over this time. Milliseconds. */
  readonly spread: number;
  /** Shortest interval between two calls of a page. Milliseconds. */
  readonly interval: number;
}

const RATES = {
  soon: { spread: 500, interval: 1_000 },
  list: { spread: 10_000, interval: 20_000 },
  count: { spread: 60_000, interval: 120_000 },
} as const satisfies Record<string, Rate>;

type Kind = keyof typeof RATES;

interface Planned {
  readonly kind: Kind;
  readonly at: number;
  readonly cancel: () => void;
}

/** A function that TanStack Query calls for each page of a list. */
type ReadPage = (context: object) => Promise<Page<Versioned>>;

export function createReadAgain(
  queries: QueryClient,
  clock: Clock,
  visibleOf: (hash: string) => readonly [first: number, last: number] | null,
): ReadAgain {
  const planned = new Map<string, Planned>();
  const last = new Map<string, number>();

  async function run(query: Query, kind: Kind): Promise<void> {
    const { data } = query.state;
    if (!isPages(data)) {
      await queries.refetchQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false });
      return;
    }
    // Another read is on its way, which fetches the same.
    if (query.state.fetchStatus === "fetching") return;
    const next = kind === "count" ? await counted(query, data) : await visibleRead(query, data, visibleOf(query.queryHash));
    // Meanwhile read or scrolled further: that is newer.
    if (query.state.data === data) queries.setQueryData<Pages<Versioned>>(query.queryKey, next);
  }

  function plan(query: Query, kind: Kind): void {
    const { queryHash } = query;
    if (!query.isActive()) {
      query.invalidate();
      return;
    }
    const { spread, interval } = RATES[kind];
    const at = Math.max(clock.now() + clock.random() * spread, (last.get(queryHash) ?? -Infinity) + interval);
    const before = planned.get(queryHash);
    if (before && before.at <= at) return;
    before?.cancel();
    const cancel = clock.after(at - clock.now(), () => {
      planned.delete(queryHash);
      if (!query.isActive()) {
        query.invalidate();
        return;
      }
      last.set(queryHash, clock.now());
      // The answer on screen stays; the banner of the connection says why nothing changes.
      run(query, kind).catch(() => undefined);
    });
    planned.set(queryHash, { kind, at, cancel });
  }

  return {
    soon: (query) => plan(query, "soon"),
    list: (query) => plan(query, "list"),
    count: (query) => plan(query, "count"),
    forget(hash) {
      planned.get(hash)?.cancel();
      planned.delete(hash);
      last.delete(hash);
    },
    stop() {
      for (const { cancel } of planned.values()) cancel();
      planned.clear();
    },
  };
}

function readPage(query: Query, pageParam: unknown): Promise<Page<Versioned>> {
  const { queryFn } = query.options;
  if (typeof queryFn !== "function") throw new Error(`${query.queryHash} has no function that reads it`);
  // The list as a whole stands where it stood: its other pages are not read again.
  const client = new QueryClient();
  const context = { queryKey: query.queryKey, signal: new AbortController().signal, meta: undefined, pageParam, client };
  return (queryFn as unknown as ReadPage)(context);
}

/** The pages with a visible row, or all loaded ones of a list that does not say which are visible, read again, and nothing below them that would no longer connect. */
async function visibleRead(
  query: Query,
  data: Pages<Versioned>,
  visible: readonly [number, number] | null,
): Promise<Pages<Versioned>> {
  const [first, last] = visible ?? [0, Infinity];
  const starts = data.pages.map((_, index) => data.pages.slice(0, index).reduce((sum, { items }) => sum + items.length, 0));
  const from = Math.max(
    0,
    starts.findLastIndex((start) => start <= first),
  );
  const to = Math.max(
    from,
    starts.findLastIndex((start) => start <= last),
  );
  const pages: Page<Versioned>[] = [];
  const pageParams: unknown[] = [];
  let param: unknown = data.pageParams[from] ?? null;
  for (let index = from; index <= to; index += 1) {
    const page = await readPage(query, param);
    pages.push(page);
    pageParams.push(param);
    if (page.next === null) break;
    param = page.next;
  }
  const { total, totalCapped } = pages.at(-1)!;
  const kept = data.pages.slice(0, from).map((page) => ({ ...page, total, totalCapped }));
  const rest = pages.at(-1)!.next === (data.pageParams[to + 1] ?? undefined) ? to + 1 : data.pages.length;
  return {
    pages: [...kept, ...pages, ...data.pages.slice(rest).map((page) => ({ ...page, total, totalCapped }))],
    pageParams: [...data.pageParams.slice(0, from), ...pageParams, ...data.pageParams.slice(rest)],
  };
}

async function counted(query: Query, data: Pages<Versioned>): Promise<Pages<Versioned>> {
  const { total, totalCapped } = await readPage(query, null);
  return { ...data, pages: data.pages.map((page) => ({ ...page, total, totalCapped })) };
}
