import { Type } from "typebox";
import { OneOf } from "./ids.ts";

/** The name of an order, ascending, or with a leading `-` descending. */
export type OrderOf<N extends string> = N | `-${N}`;

/** The orders that callers may ask a list for. */
export interface Orders<N extends string = string> {
  readonly names: readonly N[];
  /** The order of the list without `order`, unless it is a ranked search. */
  readonly default: OrderOf<N>;
  /** For the query of the list's operation. */
  readonly query: ReturnType<typeof queryOf<N>>;
}

function queryOf<N extends string>(names: readonly N[], standard: OrderOf<N>) {
  const values = names.flatMap((name): OrderOf<N>[] => [name, `-${name}`]);
  const description = `The order of the list, with a leading - descending; ${standard} by default, and the best hits first in a ranked search`;
  return { order: Type.Optional(OneOf<OrderOf<N>[]>(values, { description })) };
}

/** Declares the orders of a list by the fields of its rows. The server declares an index for each (`core/db/lists.ts`). */
export function defineOrders<const N extends string>(
  names: readonly N[],
  { default: standard }: { readonly default: OrderOf<NoInfer<N>> },
): Orders<N> {
  return { names, default: standard, query: queryOf(names, standard) };
}

/** The name and the direction of an order. */
export function readOrder<N extends string>(order: OrderOf<N>): { readonly name: N; readonly descending: boolean } {
  const descending = order.startsWith("-");
  return { name: (descending ? order.slice(1) : order) as N, descending };
}
