import { draftLimits } from "./drafts.contract.ts";

export function isTooLarge(text: string): boolean {
  return new TextEncoder().encode(text).byteLength > draftLimits.bytes;
}

interface Aged {
  readonly saved_at: number;
}

/** Of the other drafts of an account, the oldest, which have to go before one more is kept. */
export function beyond<T extends Aged>(others: readonly T[]): T[] {
  const newestFirst = others.toSorted((a, b) => b.saved_at - a.saved_at);
  return newestFirst.slice(draftLimits.account - 1);
}
