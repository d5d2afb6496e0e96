import { type Source, sharedForMs } from "./duty.sources.policy.ts";

const minute = 60_000;
/** Clocks that differ by less than this cost no duty: a call may be on its way for some seconds. Milliseconds. */
const clockToleranceMs = minute;
/** What the last call said of the clock is reported for this long. Milliseconds. */
const clockKnownMs = 60 * minute;
/** So many restarts within `sharedForMs` are a game server that does not stay up. */
export const manyRestarts = 3;

/** Which clock finding a source has; null while its clock is right, or nothing is known of it. */
export function clockOf(
  { behindMs, lastCallAt }: Source,
  now: number,
): { readonly name: "clockBehind" | "clockAhead"; readonly count: number } | null {
  if (behindMs === null || Math.abs(behindMs) <= clockToleranceMs || now - lastCallAt > clockKnownMs) return null;
  return { name: behindMs > 0 ? "clockBehind" : "clockAhead", count: Math.round(Math.abs(behindMs) / minute) };
}

/** How often the source restarted lately; 0 when that is not often. */
export function restartsOf({ earlier }: Source, now: number): number {
  const lately = earlier.filter(({ at }) => now - at <= sharedForMs).length;
  return lately >= manyRestarts ? lately : 0;
}
