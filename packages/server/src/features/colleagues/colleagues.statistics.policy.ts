import { days, type OutputOf } from "#core/contract/index.ts";
import type { Zone } from "#core/zone.ts";
import type { getJobStatistics, retentionDays } from "./colleagues.statistics.contract.ts";

/** Somebody came into a job or left it. */
export interface Move {
  readonly citizenId: number;
  readonly kind: "hired" | "left";
  readonly at: number;
}

export interface History {
  /** In the order of their instants. */
  readonly moves: readonly Move[];
  /** Of now. */
  readonly people: number;
  /** From when on all moves are known. */
  readonly knownFrom: number;
  readonly now: number;
}

type Months = OutputOf<typeof getJobStatistics>["months"];
type Share = Months[number]["retention"]["days30"];

/** A month with its instants, half-open. */
export interface MonthSpan {
  readonly month: string;
  readonly from: number;
  readonly until: number;
}

/** So many whole months up to that of an instant. */
export function monthsUntil(zone: Pick<Zone, "dayOf" | "startOf">, now: number, count: number): MonthSpan[] {
  const [year = 0, month = 1] = zone.dayOf(now).split("-").map(Number);
  const firstOf = (back: number) => new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 10);
  return Array.from({ length: count }, (_, at) => {
    const back = count - 1 - at;
    const first = firstOf(back);
    return { month: first.slice(0, 7), from: zone.startOf(first), until: zone.startOf(firstOf(back - 1)) };
  });
}

/** By month. What happened before everything was known is null. */
export function statisticsOf(months: readonly MonthSpan[], { moves, people, knownFrom, now }: History): Months {
  const leftAfter = leavings(moves);
  const byMonth = inMonths(months, moves);
  const ends = endsOf(byMonth, people);
  return months.map(({ month, from, until }, at) => {
    const isKnown = from >= knownFrom;
    const own = byMonth[at] ?? [];
    const hires = own.filter(({ kind }) => kind === "hired");
    const stay = (count: (typeof retentionDays)[number]) =>
      isKnown ? stayedOf(hires, leftAfter, { afterMs: days(count), now }) : null;
    return {
      month,
      // At the end of a month everything after it has to be known, and nothing before it.
      people: until > knownFrom ? Math.max(0, ends[at] ?? 0) : null,
      hired: isKnown ? hires.length : null,
      left: isKnown ? own.length - hires.length : null,
      retention: { days30: stay(30), days60: stay(60), days90: stay(90) },
    };
  });
}

/** The moves of each month, in one pass over histories that may be long; what is behind the last month is the last part. */
function inMonths(months: readonly MonthSpan[], moves: readonly Move[]): Move[][] {
  const found: Move[][] = [...months, null].map(() => []);
  let at = 0;
  for (const move of moves) {
    while (at < months.length && move.at >= months[at]!.until) at += 1;
    if (at === months.length || move.at >= months[at]!.from) found[at]!.push(move);
  }
  return found;
}

/** How many there were at the end of each month, back from those of now. */
function endsOf(byMonth: readonly (readonly Move[])[], people: number): number[] {
  const ends: number[] = [];
  let count = people;
  for (let at = byMonth.length - 1; at > 0; at -= 1) {
    for (const { kind } of byMonth[at]!) count -= kind === "hired" ? 1 : -1;
    ends[at - 1] = count;
  }
  return ends;
}

type LeftAfter = (citizenId: number, at: number) => number | null;

/** When somebody left for the first time after an instant. */
function leavings(moves: readonly Move[]): LeftAfter {
  const byPerson = Map.groupBy(
    moves.filter(({ kind }) => kind === "left"),
    ({ citizenId }) => citizenId,
  );
  return (citizenId, at) => byPerson.get(citizenId)?.find((one) => one.at > at)?.at ?? null;
}

function stayedOf(
  hires: readonly Move[],
  leftAfter: LeftAfter,
  { afterMs, now }: { readonly afterMs: number; readonly now: number },
): Share {
  const over = hires.filter(({ at }) => at + afterMs <= now);
  if (over.length === 0) return null;
  const stayed = over.filter(({ citizenId, at }) => {
    const left = leftAfter(citizenId, at);
    return left === null || left > at + afterMs;
  });
  return { hired: over.length, stayed: stayed.length };
}
