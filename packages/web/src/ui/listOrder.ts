/** The orders that the server offers for a list. */
export interface ListOrders {
  readonly names: readonly string[];
  /** That of the list without a choice; after a minus where it is descending. */
  readonly default: string;
}

export type SortDirection = "ascending" | "descending" | "none";

export const nameOfOrder = (order: string) => order.replace(/^-/, "");

/**
 * The order that is in effect. `ranked`: the server puts the best matches of a search first unless an order was chosen,
 * so that none of its orders is.
 */
export function orderInEffect(chosen: string | undefined, orders: ListOrders, ranked: boolean): string | null {
  return chosen ?? (ranked ? null : orders.default);
}

/** By how a column is sorted, as its header says. */
export function directionOf(name: string, inEffect: string | null): SortDirection {
  if (inEffect === name) return "ascending";
  return inEffect === `-${name}` ? "descending" : "none";
}

/**
 * What a click on the header of a column leads to: ascending, descending, the list's own order; undefined for the last.
 * The column of the list's own order has two steps only, because two of the three are the same.
 */
export function nextOrder(chosen: string | undefined, name: string, orders: ListOrders, ranked = false): string | undefined {
  const inEffect = orderInEffect(chosen, orders, ranked);
  const direction = directionOf(name, inEffect);
  const own = chosen === undefined;
  const next = direction === "none" ? name : direction === "ascending" ? `-${name}` : own ? name : undefined;
  return next === orders.default && !ranked ? undefined : next;
}
