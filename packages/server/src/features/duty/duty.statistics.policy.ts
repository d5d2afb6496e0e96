import type { WallTime } from "#core/zone.ts";
import { type Person, stateOf } from "./duty.policy.ts";
import type { Source } from "./duty.sources.policy.ts";

/** Each offset of a time zone is a multiple of it, so that a slot lies in one hour of one day anywhere. Milliseconds. */
const slotMs = 15 * 60_000;

/** Days of a statistic, the present one among them. */
export const statisticsDays = 30;

/** The quarters of an hour of the last days of a zone, up to an instant. */
export interface Slots {
  /** The first midnight: the start of the first slot. */
  readonly from: number;
  readonly to: number;
  readonly slots: readonly WallTime[];
}

interface Interval {
  readonly from: number;
  readonly to: number;
}

/** From when to when somebody was on duty, and by which source; null by hand. */
export interface Span extends Interval {
  readonly citizen: number;
  readonly source: string | null;
}

/** Why something of these days may not be known. */
export interface Gaps {
  /** The first duty that is stored, of any job once it has ended; null without one. */
  readonly since: number | null;
  /** Those that are over. */
  readonly silences: readonly (Interval & { readonly source: string })[];
  readonly sources: readonly { readonly source: string; readonly lastCallAt: number; readonly silent: boolean }[];
}

export interface DutyOfDay extends Interval {
  /** `YYYY-MM-DD` in the zone. */
  readonly day: string;
  readonly seconds: number;
  readonly knownSeconds: number;
}

export interface Statistics {
  readonly days: DutyOfDay[];
  /** Of which something is known. */
  readonly knownDays: number;
  /** By weekday and hour how many people were on duty on average, by the time that is known; null without any. */
  readonly hours: (number | null)[][];
  /** Seconds by citizen, without those who have none. */
  readonly people: ReadonlyMap<number, number>;
}

export function slotsUntil(now: number, wallTime: (instant: number) => WallTime): Slots {
  const slots: WallTime[] = [];
  const days = new Set<string>();
  let from = Math.floor(now / slotMs) * slotMs;
  for (; ; from -= slotMs) {
    const slot = wallTime(from);
    if (!days.has(slot.day) && days.size === statisticsDays) break;
    days.add(slot.day);
    slots.push(slot);
  }
  return { from: from + slotMs, to: now, slots: slots.toReversed() };
}

/** The same, from those of an earlier instant as long as that lies in the same slot. */
export function slotsSince(known: Slots | null, now: number, wallTime: (instant: number) => WallTime): Slots {
  const isSameSlot = known !== null && Math.floor(known.to / slotMs) === Math.floor(now / slotMs);
  return isSameSlot ? { ...known, to: now } : slotsUntil(now, wallTime);
}

/** Duties that run: up to `now`, and of people of whom nobody knows whether they are there up to the last sign of life. */
export function runningSpans(
  people: readonly (Pick<Person, "duty" | "seenAt"> & { readonly citizenId: number })[],
  sources: ReadonlyMap<string, Source>,
  now: number,
): Span[] {
  return people.flatMap(({ citizenId, duty, seenAt }): Span[] => {
    if (duty === null) return [];
    const state = stateOf(duty, duty.source === null ? null : (sources.get(duty.source) ?? null));
    return [{ citizen: citizenId, source: duty.source, from: duty.since, to: state === "on" ? now : seenAt }];
  });
}

/** Those that called in these days: by one that was silent all the time nobody was on duty. */
export const callingSince = (sources: ReadonlyMap<string, Source>, from: number): Gaps["sources"] =>
  [...sources]
    .filter(([, { lastCallAt }]) => lastCallAt >= from)
    .map(([source, { lastCallAt, silentFrom }]) => ({ source, lastCallAt, silent: silentFrom !== null }));

/**
 * What of these days nobody knows about a job. A silence that lasts counts only while no other source reports the job:
 * one that got another name never calls again.
 */
export function unknownIn(
  spans: readonly Pick<Span, "source">[],
  { since, silences, sources }: Gaps,
  { from, to }: Interval,
): Interval[] {
  const before = since === null ? to : Math.min(since, to);
  const reporting = new Set(spans.map(({ source }) => source));
  const own = sources.filter(({ source }) => reporting.has(source));
  const lasting = own.every(({ silent }) => silent) ? own.map(({ lastCallAt }) => ({ from: lastCallAt, to })) : [];
  return [
    ...(before > from ? [{ from, to: before }] : []),
    ...silences.filter(({ source }) => reporting.has(source)).map((one) => ({ from: one.from, to: one.to })),
    ...lasting,
  ];
}

/** How long people were on duty on each day, and how many on average in each hour of the week, by real time. */
export function statisticsOf(spans: readonly Span[], unknown: readonly Interval[], given: Slots): Statistics {
  const { from, to, slots } = given;
  const worked = workedIn(spans, given);
  const isKnown = knownSlots(unknown, given);
  const days = new Map<string, { from: number; to: number; ms: number; knownMs: number }>();
  const hours = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => ({ ms: 0, knownMs: 0 })));
  for (const [i, { day, weekday, hour }] of slots.entries()) {
    const begin = from + i * slotMs;
    const end = Math.min(begin + slotMs, to);
    const knownMs = isKnown[i]! ? end - begin : 0;
    const ofDay = days.get(day) ?? { from: begin, to: end, ms: 0, knownMs: 0 };
    days.set(day, { from: ofDay.from, to: end, ms: ofDay.ms + worked[i]!, knownMs: ofDay.knownMs + knownMs });
    const ofHour = hours[weekday]![hour]!;
    if (knownMs > 0) ofHour.ms += worked[i]!;
    ofHour.knownMs += knownMs;
  }
  return {
    days: [...days].map(([day, { ms, knownMs, ...span }]) => {
      return { day, ...span, seconds: Math.round(ms / 1000), knownSeconds: Math.round(knownMs / 1000) };
    }),
    knownDays: [...days.values()].filter(({ knownMs }) => knownMs > 0).length,
    hours: hours.map((row) => row.map(({ ms, knownMs }) => (knownMs === 0 ? null : Math.round((ms / knownMs) * 100) / 100))),
    people: secondsOf(spans, given),
  };
}

function secondsOf(spans: readonly Span[], { from, to }: Interval): Map<number, number> {
  const people = new Map<number, number>();
  for (const span of spans) {
    const ms = Math.min(span.to, to) - Math.max(span.from, from);
    if (ms > 0) people.set(span.citizen, (people.get(span.citizen) ?? 0) + ms);
  }
  return new Map([...people].map(([citizen, ms]) => [citizen, Math.round(ms / 1000)]));
}

/** A slot of which a part is not known counts as unknown, but for the one in which the first duty of all began. */
function knownSlots(unknown: readonly Interval[], { from, to, slots }: Slots): boolean[] {
  const known = slots.map(() => true);
  for (const gap of unknown) {
    const first = Math.max(0, Math.floor((gap.from - from) / slotMs));
    const isOpen = gap.from <= from && gap.to < to;
    const end = isOpen ? Math.floor((gap.to - from) / slotMs) : Math.ceil((gap.to - from) / slotMs);
    known.fill(false, first, Math.max(first, end));
  }
  return known;
}

/** Milliseconds on duty in each slot. Whole slots are counted by where they begin and end, so that a long duty costs no more. */
function workedIn(spans: readonly Interval[], { from, to, slots }: Slots): number[] {
  const partial = Array.from({ length: slots.length }, () => 0);
  const change = Array.from({ length: slots.length + 1 }, () => 0);
  for (const span of spans) {
    const [begin, end] = [Math.max(span.from, from) - from, Math.min(span.to, to) - from];
    if (end <= begin) continue;
    const [first, last] = [Math.floor(begin / slotMs), Math.floor(end / slotMs)];
    if (first === last) partial[first]! += end - begin;
    else {
      partial[first]! += (first + 1) * slotMs - begin;
      if (last < slots.length) partial[last]! += end - last * slotMs;
      change[first + 1]! += 1;
      change[last]! -= 1;
    }
  }
  let whole = 0;
  return partial.map((ms, i) => {
    whole += change[i]!;
    return ms + whole * slotMs;
  });
}
