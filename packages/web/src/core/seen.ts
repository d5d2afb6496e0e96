import { useState } from "react";
import { useQuery, type QueryFunctionContext } from "@tanstack/react-query";

interface Query<T> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: QueryFunctionContext<never>) => Promise<T>;
}

/** What is read once the part of the page that shows it comes into view. */
export interface SeenAnswer<T> {
  readonly data: T | undefined;
  /** Null while there is none. */
  readonly error: unknown;
  readonly retrying: boolean;
  /** Whether it came into view; nothing is read before. */
  readonly seen: boolean;
  readonly onSeen: () => void;
  readonly onRetry: () => void;
}

/** Reads `query` (from `queryOf`) when `onSeen` is called for the first time. */
export function useSeenQuery<T>(query: Query<T>): SeenAnswer<T> {
  const [seen, setSeen] = useState(false);
  const { data, error, isFetching, refetch } = useQuery<T>({
    queryKey: query.queryKey,
    queryFn: query.queryFn as (context: QueryFunctionContext) => Promise<T>,
    enabled: seen,
  });
  return { data, error, retrying: isFetching, seen, onSeen: () => setSeen(true), onRetry: () => void refetch() };
}

/** The same for what is computed from an answer that is there already. */
export const answered = <T>(data: T): SeenAnswer<T> => ({
  ...{ data, error: null, retrying: false, seen: true },
  ...{ onSeen: () => undefined, onRetry: () => undefined },
});
