import { addDays, weekdayOf, type Zone } from "#core/zone.ts";
import type { LoadCell } from "./timeclock.load.contract.ts";
import type { Interval, Range } from "./timeclock.policy.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** Each offset of a time zone is a multiple of it. */
const quarterMs = hourMs / 4;
/** From this share on, what is not known of an hour makes it one that nobody knows. */
const unknownShare = 1 / 4;

/** The hours of a range that are over, by where they stand in the week. */
export interface LoadSlots {
  /** The first midnight: the start of the first slot. */
  readonly from: number;
  /** Where the last one ends. */
  readonly to: number;
  /** An hour; a quarter of it where clocks change by less than an hour, and hours would lie across two of the clock. */
  readonly slotMs: number;
  /** 24 times the weekday, and the hour. */
  readonly cells: readonly number[];
}

type Reading = Pick<Zone, "startOf" | "wallTime">;

export function loadSlots(zone: Reading, { firstDay, lastDay }: Range, now: number): LoadSlots {
  const days: { readonly day: string; readonly at: number }[] = [];
  for (let day = firstDay; day <= lastDay; day = addDays(day, 1)) {
    const at = zone.startOf(day);
    if (at >= now) break;
    days.push({ day, at });
  }
  const from = days[0]?.at ?? zone.startOf(firstDay);
  const last = days.at(-1);
  const end = last === undefined ? from : zone.startOf(addDays(last.day, 1));
  const slotMs = [...days.map(({ at }) => at), end].every((at) => (at - from) % hourMs === 0) ? hourMs : quarterMs;
  const cells = days.flatMap(({ day, at }, i) => cellsOf(zone, { day, from: at, to: days[i + 1]?.at ?? end }, slotMs));
  const over = Math.min(cells.length, Math.max(0, Math.floor((now - from) / slotMs)));
  return { from, to: from + over * slotMs, slotMs, cells: cells.slice(0, over) };
}

/** Only a day on which the clock changes is asked for each of its hours. */
function cellsOf(zone: Reading, { day, from, to }: Interval & { readonly day: string }, slotMs: number): number[] {
  const first = weekdayOf(day) * 24;
  const length = Math.round((to - from) / slotMs);
  if (to - from === dayMs) return Array.from({ length }, (_none, i) => first + Math.floor((i * slotMs) / hourMs));
  return Array.from({ length }, (_none, i) => first + zone.wallTime(from + i * slotMs).hour);
}

/** Entries that begin in one slot and end in another one, or in the same. */
export interface SlotPair {
  /** The first instants of both slots. */
  readonly start: number;
  readonly end: number;
  readonly entries: number;
  /** How far into its slot they begin, and end, together. Milliseconds. */
  readonly startMs: number;
  readonly endMs: number;
}

/** What all of them worked in each slot. Whole slots are counted by where entries begin and end, so that a long one costs no more. */
function workedIn(pairs: readonly SlotPair[], { from, slotMs, cells }: LoadSlots): number[] {
  const partial = Array.from({ length: cells.length + 1 }, () => 0);
  const change = Array.from({ length: cells.length + 2 }, () => 0);
  for (const { start, end, entries, startMs, endMs } of pairs) {
    const [first, last] = [(start - from) / slotMs, (end - from) / slotMs];
    partial[first]! += entries * slotMs - startMs;
    partial[last]! -= entries * slotMs - endMs;
    change[first + 1]! += entries;
    change[last + 1]! -= entries;
  }
  let whole = 0;
  return cells.map((_cell, i) => {
    whole += change[i]!;
    return partial[i]! + whole * slotMs;
  });
}

/** By slot whether so much of it is not known that nobody knows who worked in it. */
function unknownSlots(unknown: readonly Interval[], { from, to, slotMs, cells }: LoadSlots): boolean[] {
  const missing = cells.map(() => 0);
  let covered = from;
  for (const gap of unknown.toSorted((a, b) => a.from - b.from)) {
    const [begin, end] = [Math.max(gap.from, covered), Math.min(gap.to, to)];
    for (let at = begin; at < end;) {
      const slot = Math.floor((at - from) / slotMs);
      const next = Math.min(end, from + (slot + 1) * slotMs);
      missing[slot]! += next - at;
      at = next;
    }
    covered = Math.max(covered, end);
  }
  return missing.map((ms) => ms >= slotMs * unknownShare);
}

/** By weekday and hour, of the slots from an instant on. */
export function loadOf(
  pairs: readonly SlotPair[],
  unknown: readonly Interval[],
  slots: LoadSlots,
  since: number = slots.from,
): LoadCell[][] {
  const { from, slotMs, cells } = slots;
  const worked = workedIn(pairs, slots);
  const isUnknown = unknownSlots(unknown, slots);
  const sums = Array.from({ length: 7 * 24 }, () => ({ ms: 0, known: 0, unknown: 0 }));
  for (const [i, cell] of cells.entries()) {
    if (from + i * slotMs < since) continue;
    const sum = sums[cell]!;
    if (isUnknown[i]!) sum.unknown += 1;
    else {
      sum.known += 1;
      sum.ms += worked[i]!;
    }
  }
  const hours = (count: number) => (count * slotMs) / hourMs;
  const shown = sums.map(({ ms, known, unknown: gaps }) => ({
    people: known === 0 ? null : Math.round((ms / (known * slotMs)) * 100) / 100,
    seconds: Math.round(ms / 1000),
    hours: hours(known),
    unknown: hours(gaps),
  }));
  return Array.from({ length: 7 }, (_none, row) => shown.slice(row * 24, row * 24 + 24));
}
