import { QueryClient, type QueryKey } from "@tanstack/react-query";
import type { OperationDefinition, OutputOf, Page, Position } from "@rollcall/server/contract/core";
import { asProblem } from "#core/problem.ts";
import { notePosition } from "#core/realtime/positions.ts";
import { api } from "#core/services.ts";
import type { CallArguments, CallInput } from "#core/transport.ts";

export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        gcTime: 10 * 60_000,
        refetchOnWindowFocus: false,
        // A query that waits for the browser to be online is a skeleton without a word; a failed one says why.
        networkMode: "always",
        refetchOnReconnect: true,
        retry: (failures, error) => failures < 2 && worthRepeating(asProblem(error).status),
      },
      mutations: { retry: false, networkMode: "always" },
    },
  });
}

function worthRepeating(status: number): boolean {
  return status === 0 || status === 502 || status === 503 || status === 504;
}

/** Reads again what is on screen and was not answered, once the server answers. */
export async function readUnanswered(queries: QueryClient): Promise<void> {
  const predicate = ({ state }: { readonly state: { readonly status: string; readonly error: unknown } }) =>
    state.status === "error" && worthRepeating(asProblem(state.error).status);
  await queries.refetchQueries({ type: "active", predicate }, { cancelRefetch: false });
}

/**
 * Whether there is an error to show in place of an answer: it was never answered, or is refused now. What is not answered
 * when it is read again keeps what it shows.
 */
export function hasNothing(query: { readonly isError: boolean; readonly data: unknown; readonly error: unknown }): boolean {
  return query.isError && (query.data === undefined || !worthRepeating(asProblem(query.error).status));
}

/** What a function that reads an answer gets. */
interface Reading {
  readonly signal: AbortSignal;
  readonly client: QueryClient;
  readonly queryKey: QueryKey;
}

interface ReadingPage extends Reading {
  readonly pageParam: string | null;
}

/** Key and function of a query that calls one operation. */
export function queryOf<D extends OperationDefinition>(operation: D, input: CallInput<D>) {
  return {
    queryKey: [operation.id, input] as const,
    queryFn: ({ signal, client, queryKey }: Reading): Promise<OutputOf<D>> => {
      const onPosition = (position: Position | null) => notePosition(client, queryKey, position);
      return api.call(operation, ...([input, { signal, onPosition }] as unknown as CallArguments<D>));
    },
  };
}

export type PagedOperation = OperationDefinition & { readonly input: { readonly query: unknown } };

/** Key and function of a list that is read page by page with an opaque cursor. */
export function pagesOf<D extends PagedOperation>(
  operation: D,
  query: Record<string, unknown>,
  limit: number,
  params?: Readonly<Record<string, number>>,
) {
  return {
    queryKey: [operation.id, params === undefined ? query : { ...query, ...params }] as const,
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam, client, queryKey }: ReadingPage): Promise<OutputOf<D>> => {
      const input = { ...(params ? { params } : {}), query: { ...query, limit, cursor: pageParam ?? undefined } };
      const onPosition = (position: Position | null) => notePosition(client, queryKey, position, pageParam !== null);
      return api.call(operation, ...([input, { signal, onPosition }] as unknown as CallArguments<D>));
    },
    getNextPageParam: (last: OutputOf<D>) => (last as Page<unknown>).next,
  };
}

/** Key and function of a list that is answered whole: one page, which no other follows. */
export function wholeOf<D extends PagedOperation>(operation: D, query: Record<string, unknown>) {
  return {
    queryKey: [operation.id, query] as const,
    initialPageParam: null as string | null,
    queryFn: async ({ signal, client, queryKey }: ReadingPage): Promise<OutputOf<D>> => {
      const onPosition = (position: Position | null) => notePosition(client, queryKey, position);
      const args = [{ query }, { signal, onPosition }] as unknown as CallArguments<D>;
      const { items } = (await api.call(operation, ...args)) as { readonly items: unknown[] };
      const page: Page<unknown> = { items, next: null, total: items.length, totalCapped: false };
      return page as OutputOf<D>;
    },
    getNextPageParam: () => null,
  };
}
