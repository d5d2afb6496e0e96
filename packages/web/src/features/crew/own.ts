import type { Call, UnitOnCall } from "@rollcall/server/contract/calls";

/** A call with what the own unit is to it. */
export interface OwnCall {
  readonly call: Call;
  readonly on: UnitOnCall;
}

/** What the unit is asked for, the first to end first, and what it works, the furthest first. */
export function ownCalls(calls: readonly Call[]): { readonly offers: readonly OwnCall[]; readonly works: readonly OwnCall[] } {
  const own = calls.flatMap((call) => call.units.filter(({ mine }) => mine).map((on) => ({ call, on })));
  const offers = own.filter(({ on }) => on.state === "offered");
  return {
    offers: offers.toSorted((a, b) => (a.on.until ?? 0) - (b.on.until ?? 0)),
    works: own.filter(({ on }) => on.state !== "offered"),
  };
}

/** How an offer runs out, as of now: what is left of it, and its share of the whole. */
export function remaining({ since, until }: Pick<UnitOnCall, "since" | "until">, now: number) {
  const end = until ?? now;
  const left = Math.max(0, end - now);
  const whole = Math.max(1, end - since);
  return { left, share: Math.min(1, left / whole) };
}
