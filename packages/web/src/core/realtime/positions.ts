import { hashKey, type QueryClient, type QueryKey } from "@tanstack/react-query";
import type { Position } from "@rollcall/server/contract/core";
import { reaches } from "./position.ts";

/**
 * Of each kept answer the position in the stream of events up to which it holds all changes, by the hash of its key.
 * Not in the answer itself: that would change what components compare.
 */
const known = new WeakMap<QueryClient, Map<string, Position>>();

function positionsOf(client: QueryClient): Map<string, Position> {
  const found = known.get(client) ?? new Map<string, Position>();
  known.set(client, found);
  return found;
}

/** `more`: a further page of an answer, which as a whole is as old as its oldest page. */
export function notePosition(client: QueryClient, queryKey: QueryKey, position: Position | null, more = false): void {
  const positions = positionsOf(client);
  const hash = hashKey(queryKey);
  const before = positions.get(hash);
  if (position === null) positions.delete(hash);
  else if (!more) positions.set(hash, position);
  else if (before?.epoch !== position.epoch) positions.delete(hash);
  else if (position.seq < before.seq) positions.set(hash, position);
}

export function positionOf(client: QueryClient, hash: string): Position | null {
  return positionsOf(client).get(hash) ?? null;
}

export function movePosition(client: QueryClient, hash: string, position: Position): void {
  positionsOf(client).set(hash, position);
}

export function forgetPosition(client: QueryClient, hash: string): void {
  positionsOf(client).delete(hash);
}

/**
 * Reads again what events before this position may have changed, by the beginning of the keys; null: all of it. An answer
 * that holds them is left as it is, also one that is on its way.
 */
export function readBehind(client: QueryClient, queryKey: QueryKey, position: Position | null): void {
  for (const query of client.getQueryCache().findAll({ queryKey })) {
    const check = () => {
      const stands = positionOf(client, query.queryHash);
      if (position === null || !reaches(stands, position))
        void client.invalidateQueries({ queryKey: query.queryKey, exact: true });
    };
    if (position !== null && query.promise !== undefined && query.state.fetchStatus === "fetching")
      query.promise.then(check, check);
    else check();
  }
}
