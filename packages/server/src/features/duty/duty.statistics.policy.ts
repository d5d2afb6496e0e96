/** Each offset of a time zone is a multiple of it, so that a slot lies in one hour of one day anywhere. Milliseconds. */
const slotMs = 15 * 60_000;

/** Days of a statistic, the present one among them. */
export const statisticsDays = 30;

interface Slot {
  readonly day: string;
  readonly hour: number;
}

/** The quarters of an hour of the last days of a zone, up to an instant. */
export interface Slots {
  /** The first midnight: the start of the first slot. */
  readonly from: number;
  readonly to: number;
  readonly slots: readonly Slot[];
}

/** From when to when a duty was. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

export interface DutyOfDay {
  /** `YYYY-MM-DD` in the zone. */
  readonly day: string;
  readonly from: number;
  readonly to: number;
  readonly seconds: number;
}

export interface DutyOfHour {
  readonly hour: number;
  readonly people: number;
}

/** Reads the day and the hour of instants in a zone. */
export function wallTimeIn(zone: string): (instant: number) => Slot {
  const parts = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit" } as const;
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: zone, hourCycle: "h23", ...parts });
  return (instant) => {
    const read = new Map(format.formatToParts(instant).map(({ type, value }) => [type, value]));
    return { day: `${read.get("year")}-${read.get("month")}-${read.get("day")}`, hour: Number(read.get("hour")) };
  };
}

export function slotsUntil(now: number, wallTime: (instant: number) => Slot): Slots {
  const slots: Slot[] = [];
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
export function slotsSince(known: Slots | null, now: number, wallTime: (instant: number) => Slot): Slots {
  const isSameSlot = known !== null && Math.floor(known.to / slotMs) === Math.floor(now / slotMs);
  return isSameSlot ? { ...known, to: now } : slotsUntil(now, wallTime);
}

/** How long people were on duty on each day, and how many on average in each hour of the day, by real time. */
export function statisticsOf(spans: readonly Span[], { from, to, slots }: Slots): { days: DutyOfDay[]; hours: DutyOfHour[] } {
  const worked = workedIn(spans, { from, to, slots });
  const days = new Map<string, { from: number; to: number; ms: number }>();
  const hours = Array.from({ length: 24 }, () => ({ ms: 0, length: 0 }));
  for (const [i, { day, hour }] of slots.entries()) {
    const begin = from + i * slotMs;
    const end = Math.min(begin + slotMs, to);
    const known = days.get(day) ?? { from: begin, to: end, ms: 0 };
    days.set(day, { from: known.from, to: end, ms: known.ms + worked[i]! });
    const ofHour = hours[hour]!;
    ofHour.ms += worked[i]!;
    ofHour.length += end - begin;
  }
  return {
    days: [...days].map(([day, { ms, ...span }]) => ({ day, ...span, seconds: Math.round(ms / 1000) })),
    hours: hours.map(({ ms, length }, hour) => ({ hour, people: length === 0 ? 0 : Math.round((ms / length) * 100) / 100 })),
  };
}

/** Milliseconds on duty in each slot. Whole slots are counted by where they begin and end, so that a long duty costs no more. */
function workedIn(spans: readonly Span[], { from, to, slots }: Slots): number[] {
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
