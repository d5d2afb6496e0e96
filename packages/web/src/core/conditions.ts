import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { useQueryClient } from "@tanstack/react-query";
import type { OperationDefinition, OutputOf } from "@rollcall/server/contract/core";
import { queryOf } from "./queries.ts";
import type { CallInput } from "./transport.ts";

/** What the server has to answer for something to be offered: not before it was read. */
export interface Condition {
  readonly read: Pick<ReturnType<typeof queryOf>, "queryKey" | "queryFn">;
  /** Whether this answer is such a one. */
  readonly holds: (answer: never) => boolean;
}

/** Answers that nothing keeps current are read again after this time. Milliseconds. */
const FRESH = 60_000;

/** Declares what is offered only while `holds` says so of the answer. The operation is one that answers quickly. */
export function whileAnswer<D extends OperationDefinition>(
  operation: D,
  input: CallInput<D>,
  holds: (answer: OutputOf<D>) => boolean,
): Condition {
  return { read: queryOf(operation, input) as Condition["read"], holds };
}

/** Those of these conditions that hold now. A hook of TanStack Query for several answers would cost every first page 2 kB. */
export function useHolding(conditions: readonly (Condition | undefined)[]): ReadonlySet<Condition> {
  const client = useQueryClient();
  const all = [...new Set(conditions.filter((one) => one !== undefined))];
  const read = useEffectEvent((_count: number) => {
    for (const one of all) client.fetchQuery({ ...one.read, staleTime: FRESH }).catch(() => undefined);
  });
  useEffect(() => read(all.length), [all.length]);
  const holds = (one: Condition) => {
    const answer = client.getQueryData(one.read.queryKey);
    return answer !== undefined && one.holds(answer as never);
  };
  const held = useSyncExternalStore(
    (onChange) => client.getQueryCache().subscribe(onChange),
    () => all.map((one) => (holds(one) ? "1" : "0")).join(""),
  );
  return new Set(all.filter((_one, index) => held[index] === "1"));
}
