/**
 * What the timeclock should do, written from section 6 of the decisions alone and sharing nothing with the program.
 * It is slow and obvious on purpose: each answer is found by asking every entry again.
 */

export type Step =
  /**
   * A duty that has ended, as duty reports it. `from`, `to`: instants in ms. `proposed`: the game reported it after it
   * had ended by more than the limit of section 6, or out of order.
   */
  | {
      kind: "ended";
      key: number;
      person: string;
      job: string;
      grade: number;
      from: number;
      to: number;
      ending: "off" | "switched" | "missing" | "silence" | "restart";
      proposed: boolean;
    }
  /** The same duty reported once more. */
  | { kind: "repeat"; key: number }
  /** The person asks for another interval of the entry of duty `key`: instants. */
  | { kind: "correct"; key: number; from: number; to: number }
  /** Somebody of a higher grade decides the open correction (or proposal) of the entry of duty `key`. */
  | { kind: "decide"; key: number; approve: boolean }
  /** The person takes back the correction that was asked for. */
  | { kind: "cancel"; key: number }
  | { kind: "pass"; ms: number };

export interface Scenario {
  now: number;
  people: string[];
  steps: Step[];
}

export interface ModelEntry {
  key: number;
  state: "counted" | "proposed" | "rejected";
  from: number;
  to: number;
  estimated: boolean;
}

type Ended = Extract<Step, { kind: "ended" }>;
type Correct = Extract<Step, { kind: "correct" }>;
type Decide = Extract<Step, { kind: "decide" }>;
type Cancel = Extract<Step, { kind: "cancel" }>;

/** Half-open: `from` belongs to it, `to` does not. */
interface Interval {
  from: number;
  to: number;
}

interface Entry extends ModelEntry {
  person: string;
  job: string;
  /** The interval that the person asked for, while nobody has decided. */
  wanted: Interval | null;
}

const zone = "Europe/Berlin";
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** So many corrections a person asks for on one local day. */
const mostAday = 10;

const calendar = new Intl.DateTimeFormat("en-GB", { timeZone: zone, year: "numeric", month: "2-digit", day: "2-digit" });

/** The local day of an instant, as "2026-10-25". */
export function localDayOf(instant: number): string {
  const parts = new Map(calendar.formatToParts(instant).map(({ type, value }) => [type, value]));
  return `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`;
}

/** A day on the calendar has no length, so that counting in UTC, which has no clock changes, is right. */
export function dayAfter(name: string, days: number): string {
  return new Date(Date.parse(`${name}T00:00:00Z`) + days * day).toISOString().slice(0, 10);
}

/** Every local midnight of the zone is a whole hour of UTC, so that trying hour after hour finds it. */
export function firstInstantOf(name: string): number {
  let instant = Date.parse(`${name}T00:00:00Z`) - day;
  while (localDayOf(instant) !== name) instant += hour;
  return instant;
}

/** Cut at every whole hour of UTC: no piece holds a local midnight inside, and each is as long as time really was. */
function secondsByDay({ from, to }: Interval): Map<string, number> {
  const found = new Map<string, number>();
  let at = from;
  while (at < to) {
    const end = Math.min((Math.floor(at / hour) + 1) * hour, to);
    const name = localDayOf(at);
    found.set(name, (found.get(name) ?? 0) + (end - at) / 1000);
    at = end;
  }
  return found;
}

/** Intervals that only touch do not overlap, because they are half-open. */
function overlaps(one: Interval, other: Interval): boolean {
  return one.from < other.to && other.from < one.to;
}

/** By code unit: the order of a language would depend on the machine. */
function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

export class TimeclockModel {
  private now: number;
  private readonly all = new Map<number, Entry>();
  /** Who asked for a correction, and on which local day. */
  private readonly requests: string[] = [];

  constructor(now: number) {
    this.now = now;
  }

  /** Whether the command was refused (always false for ended, repeat and pass). */
  apply(step: Step): { refused: boolean } {
    const refused = this.refusalOf(step) !== null;
    if (!refused) this.carryOut(step);
    return { refused };
  }

  entries(person: string): ModelEntry[] {
    return [...this.all.values()]
      .filter((entry) => entry.person === person)
      .map(({ key, state, from, to, estimated }) => ({ key, state, from, to, estimated }))
      .sort((one, other) => one.key - other.key);
  }

  /** Whole seconds of counted entries by person, job and local day ("2026-10-25"), days without seconds left out. */
  days(person: string): { job: string; day: string; seconds: number }[] {
    const sums: { job: string; day: string; seconds: number }[] = [];
    for (const entry of this.all.values()) {
      if (entry.person !== person || entry.state !== "counted") continue;
      for (const [name, seconds] of secondsByDay(entry)) {
        const sum = sums.find((one) => one.job === entry.job && one.day === name);
        if (sum) sum.seconds += seconds;
        else sums.push({ job: entry.job, day: name, seconds });
      }
    }
    return sums.sort((one, other) => compare(one.day, other.day) || compare(one.job, other.job));
  }

  /** Why the step is refused, in words for the person who reads a failure; null when it is not. */
  private refusalOf(step: Step): string | null {
    switch (step.kind) {
      case "correct":
        return this.refusalOfCorrection(step);
      case "decide":
        return this.refusalOfDecision(step);
      case "cancel":
        return this.all.get(step.key)?.wanted ? null : "the person asked for nothing that is open";
      case "ended":
      case "repeat":
      case "pass":
        return null;
    }
  }

  private refusalOfCorrection({ key, from, to }: Correct): string | null {
    const entry = this.all.get(key);
    if (!entry) return "no such entry";
    if (entry.state !== "counted") return "not counted";
    if (entry.wanted) return "one is open already";
    if (to <= from) return "ends before it begins";
    if (to > this.now) return "in the future";
    const earliest = firstInstantOf(dayAfter(localDayOf(this.now), -30));
    if (from < earliest) return "wanted too far back";
    // Otherwise hours that can no longer be examined could be moved into the present.
    if (entry.from < earliest) return "present too far back";
    if (from === entry.from && to === entry.to) return "nothing would change";
    if (this.collides(entry, { from, to })) return "overlaps";
    if (this.requests.filter((one) => one === this.requestOf(entry)).length >= mostAday) return "too many on one day";
    return null;
  }

  private refusalOfDecision({ key, approve }: Decide): string | null {
    const entry = this.all.get(key);
    const asked = entry && this.openOf(entry);
    if (!asked) return "nothing is open";
    // Other entries may have been counted since it was asked for.
    if (approve && this.collides(entry, asked)) return "overlaps by now";
    return null;
  }

  private carryOut(step: Step): void {
    switch (step.kind) {
      case "ended":
        this.report(step);
        break;
      case "correct":
        this.ask(step);
        break;
      case "decide":
        this.decide(step);
        break;
      case "cancel":
        this.cancel(step);
        break;
      case "pass":
        this.now += step.ms;
        break;
      case "repeat":
        // What was reported is known already, whatever became of it since.
        break;
    }
  }

  private report(step: Ended): void {
    const { key, person, job, from, to, ending } = step;
    // These would be mistakes of a scenario, about which the specification says nothing.
    if (to > this.now) throw new RangeError(`duty ${key} ends in the future`);
    if (to < from) throw new RangeError(`duty ${key} ends before it begins`);
    if ([from, to, this.now].some((instant) => instant % 1000 !== 0)) throw new RangeError(`duty ${key} is not in whole seconds`);
    if (from === to || this.all.has(key)) return;
    const estimated = ending === "missing" || ending === "silence" || ending === "restart";
    const entry: Entry = { key, person, job, from, to, estimated, state: "proposed", wanted: null };
    entry.state = this.stateOf(step, entry);
    this.all.set(key, entry);
  }

  private stateOf({ ending, proposed }: Ended, entry: Entry): ModelEntry["state"] {
    // The endings that the game did not send are found late by their nature.
    const sent = ending === "off" || ending === "switched";
    const late = sent && this.now - entry.to > 10 * minute;
    if (!proposed && !late && !this.collides(entry, entry)) return "counted";
    return this.now - entry.from > 30 * day ? "rejected" : "proposed";
  }

  private ask({ key, from, to }: Correct): void {
    const entry = this.entryOf(key);
    entry.wanted = { from, to };
    this.requests.push(this.requestOf(entry));
  }

  private requestOf({ person }: Entry): string {
    return `${person} ${localDayOf(this.now)}`;
  }

  private decide({ key, approve }: Decide): void {
    const entry = this.entryOf(key);
    const { wanted } = entry;
    entry.wanted = null;
    if (entry.state === "proposed") {
      entry.state = approve ? "counted" : "rejected";
      return;
    }
    if (!approve || !wanted) return;
    // Only the end was ever estimated; a person has vouched for the new one.
    if (wanted.to !== entry.to) entry.estimated = false;
    entry.from = wanted.from;
    entry.to = wanted.to;
  }

  private cancel({ key }: Cancel): void {
    this.entryOf(key).wanted = null;
  }

  /** The interval about which somebody must decide: of a proposal its own, of a correction the wanted one. */
  private openOf(entry: Entry): Interval | null {
    return entry.state === "proposed" ? entry : entry.wanted;
  }

  /** Whether another counted entry of the person, in any job, shares an instant with the interval. */
  private collides({ key, person }: Entry, interval: Interval): boolean {
    return [...this.all.values()].some(
      (other) => other.key !== key && other.person === person && other.state === "counted" && overlaps(other, interval),
    );
  }

  private entryOf(key: number): Entry {
    const entry = this.all.get(key);
    if (!entry) throw new Error(`no entry of duty ${key}`);
    return entry;
  }
}
