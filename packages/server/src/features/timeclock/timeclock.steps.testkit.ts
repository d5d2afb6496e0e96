import fc from "fast-check";
import type { Scenario, Step } from "./timeclock.model.testkit.ts";
import { dayAfter, firstInstantOf, localDayOf } from "./timeclock.model.testkit.ts";

/**
 * Scenarios are drawn as intentions ("right after the last duty", "one second before the limit") and become instants in
 * a second pass. Instants drawn at once would hardly ever meet an edge, and shrinking would break what holds for them.
 */

const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000] as const;

/** The days with 23 and with 25 hours. */
const changes = ["2025-03-30", "2025-10-26", "2026-03-29", "2026-10-25"];
const everybody = ["anna", "ben", "cara"];
const unknownKey = 999;
const mostSteps = 25;
/** Far below the 365 days for which entries are kept, so that none goes because of its age. */
const longest = 60 * day;

type Duty = Extract<Step, { kind: "ended" }>;
type Interval = Pick<Duty, "from" | "to">;

/** A place in time that means something in the scenario, and how far beside it. */
interface Point {
  of: "now" | "month" | "limit" | "change" | "midnight" | "known";
  which: number;
  shift: number;
}

type Place =
  | { by: "next"; gap: number; length: number }
  | { by: "length"; at: Point; length: number; backwards: boolean }
  | { by: "points"; one: Point; other: Point }
  | { by: "day"; which: number; days: number; before: number; after: number };

/** What a command refers to: the last duty that is likely counted, asked about or open, one of those reported, or none. */
type Which = "counted" | "asked" | "open" | "unknown" | number;

type Wanted =
  | { by: "own"; from: number; to: number }
  | { by: "edge"; edge: "from" | "to"; at: Point }
  | Exclude<Place, { by: "next" }>;

type Intent =
  | ({ do: "duty"; person: number; place: Place; delay: number } & Pick<Duty, "job" | "grade" | "ending" | "proposed">)
  | { do: "correct"; which: Which; wanted: Wanted }
  | { do: "again" }
  | { do: "decide"; which: Which; approve: boolean }
  | { do: "repeat" | "cancel"; which: Which }
  | { do: "pass"; ms: number };

const shifts = fc.constantFrom(0, 0, 0, -second, second, -hour, hour, 10 * minute);
const delays = fc.constantFrom(0, 0, 0, 0, 0, second, 15 * second, 10 * minute, 10 * minute + second, 2 * hour);
const lengths = fc.oneof(
  fc.constantFrom(0, second, 59 * second, 10 * minute, hour, 2 * hour, 8 * hour, 23 * hour, day, 25 * hour, 49 * hour),
  fc.integer({ min: 1, max: 30 * 3600 }).map((seconds) => seconds * second),
);
const waits = fc.constantFrom(second, 10 * minute, hour, 7 * hour, day, 5 * day, 29 * day, 30 * day, 31 * day);
const gaps = fc.constantFrom(0, 0, second, hour, 9 * hour);

const points: fc.Arbitrary<Point> = fc.record({
  of: fc.constantFrom("now", "month", "limit", "limit", "change", "midnight", "midnight", "known", "known", "known"),
  which: fc.nat(9),
  shift: shifts,
});

const byLength = fc.record({ by: fc.constant("length"), at: points, length: lengths, backwards: fc.boolean() });
const byPoints = fc.record({ by: fc.constant("points"), one: points, other: points });
const byDay = fc.record({ by: fc.constant("day"), which: fc.nat(4), days: fc.constantFrom(1, 2), before: shifts, after: shifts });

const places: fc.Arbitrary<Place> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ by: fc.constant("next"), gap: gaps, length: lengths }) },
  { weight: 3, arbitrary: byLength },
  { weight: 1, arbitrary: byPoints },
  { weight: 2, arbitrary: byDay },
);

const wishes: fc.Arbitrary<Wanted> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ by: fc.constant("own"), from: shifts, to: shifts }) },
  { weight: 3, arbitrary: fc.record({ by: fc.constant("edge"), edge: fc.constantFrom("from", "to"), at: points }) },
  { weight: 1, arbitrary: byLength },
  { weight: 1, arbitrary: byPoints },
  { weight: 1, arbitrary: byDay },
);

/** Mostly a key that exists, often the one for which the command has a meaning. */
function keys(likely: Which): fc.Arbitrary<Which> {
  return fc.oneof(
    { weight: 7, arbitrary: fc.constant(likely) },
    { weight: 5, arbitrary: fc.nat(9) },
    { weight: 1, arbitrary: fc.constant("unknown" as const) },
  );
}

const duties = fc.record({
  do: fc.constant("duty"),
  person: fc.nat(2),
  job: fc.constantFrom("police", "ambulance"),
  grade: fc.nat(3),
  ending: fc.constantFrom("off", "off", "switched", "missing", "silence", "restart"),
  proposed: fc.constantFrom(false, false, false, false, true),
  place: places,
  delay: delays,
});

const decisions = fc.constantFrom(true, true, false);
const intents: fc.Arbitrary<Intent> = fc.oneof(
  { weight: 9, arbitrary: duties },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("repeat"), which: keys(0) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("correct"), which: keys("counted"), wanted: wishes }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("again") }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("decide"), which: keys("open"), approve: decisions }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("cancel"), which: keys("asked") }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("pass"), ms: waits }) },
);

/** What the second pass knows: only what was reported and asked for, nothing of the answers. */
class Sketch {
  readonly steps: Step[] = [];
  private readonly change: string;
  private readonly people: string[];
  private now: number;
  private readonly start: number;
  private readonly duties: Duty[] = [];
  /** Every interval that was named, the newest first. */
  private readonly known: Interval[] = [];
  private readonly likely: { counted?: number; asked?: number; open?: number } = {};
  /** The last correction, or none. */
  private asked: Step[] = [];

  constructor(change: string, now: number, people: string[]) {
    this.change = change;
    this.now = now;
    this.start = now;
    this.people = people;
  }

  add(intent: Intent): void {
    if (intent.do === "duty") this.addDuty(intent);
    else if (intent.do === "correct") this.addCorrection(intent);
    else if (intent.do === "pass") this.pass(this.now + intent.ms - this.start > longest ? hour : intent.ms);
    else if (intent.do === "again") this.steps.push(...this.asked);
    else if (intent.do === "decide") this.steps.push({ kind: "decide", key: this.keyOf(intent.which), approve: intent.approve });
    else this.steps.push({ kind: intent.do, key: this.keyOf(intent.which) });
  }

  private addDuty({ person: index, job, grade, ending, proposed, place, delay }: Extract<Intent, { do: "duty" }>): void {
    const person = this.people[index % this.people.length]!;
    const placed = this.placed(place, person);
    const from = Math.min(placed.from, placed.to);
    const to = Math.max(placed.from, placed.to);
    // A duty is reported when it has ended: one that ends later has to be waited for.
    if (to + delay > this.now && to >= this.now) this.pass(to + delay - this.now);
    const key = this.duties.length + 1;
    const step: Duty = { kind: "ended", key, person, job, grade, from, to, ending, proposed };
    this.duties.unshift(step);
    this.known.unshift({ from, to });
    this.steps.push(step);
    const prompt = ["missing", "silence", "restart"].includes(ending) || this.now - to <= 10 * minute;
    this.likely[proposed || !prompt ? "open" : "counted"] = key;
  }

  private addCorrection({ which, wanted }: Extract<Intent, { do: "correct" }>): void {
    const key = this.keyOf(which);
    const { from, to } = this.wished(wanted, this.duties.find((one) => one.key === key) ?? this.known[0]!);
    this.asked = [{ kind: "correct", key, from, to }];
    this.steps.push(...this.asked);
    this.known.unshift({ from, to });
    // One that can only be refused leaves nothing to be decided or cancelled.
    if (from < to && to <= this.now) this.likely.asked = this.likely.open = key;
  }

  private wished(wanted: Wanted, { from, to }: Interval): Interval {
    if (wanted.by === "own") return { from: from + wanted.from, to: to + wanted.to };
    if (wanted.by === "edge") return { from, to, [wanted.edge]: this.instantOf(wanted.at) };
    return this.placed(wanted, "");
  }

  private pass(ms: number): void {
    this.now += ms;
    this.steps.push({ kind: "pass", ms });
  }

  private keyOf(named: Which): number {
    if (named === "unknown") return unknownKey;
    const likely = typeof named === "number" ? undefined : this.likely[named];
    return likely ?? this.duties[(typeof named === "number" ? named : 0) % this.duties.length]?.key ?? unknownKey;
  }

  private placed(place: Place, person: string): Interval {
    switch (place.by) {
      case "next": {
        // Without a duty before it, or long after it, the one that ends now.
        const ends = this.duties.filter((duty) => duty.person === person).map(({ to }) => to + place.gap);
        const from = Math.max(...ends, this.now - place.length);
        return { from, to: from + place.length };
      }
      case "length": {
        const at = this.instantOf(place.at);
        return place.backwards ? { from: at - place.length, to: at } : { from: at, to: at + place.length };
      }
      case "points":
        return { from: this.instantOf(place.one), to: this.instantOf(place.other) };
      case "day":
        return {
          from: firstInstantOf(dayAfter(this.change, place.which - 2)) + place.before,
          to: firstInstantOf(dayAfter(this.change, place.which - 2 + place.days)) + place.after,
        };
    }
  }

  private instantOf({ of, which: number, shift }: Point): number {
    const known = this.known[Math.floor(number / 2) % this.known.length];
    const instants = {
      now: this.now,
      month: this.now - 30 * day,
      limit: firstInstantOf(dayAfter(localDayOf(this.now), -30)),
      // 01:00 UTC is when the clocks of the zone change.
      change: Date.parse(`${this.change}T01:00:00Z`),
      midnight: firstInstantOf(dayAfter(this.change, (number % 5) - 2)),
      known: (number % 2 === 0 ? known?.from : known?.to) ?? this.now,
    };
    return instants[of] + shift;
  }
}

/** Near a clock change, or as long after it that the limit of 30 days lies near it. */
const starts = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: -2 * 86_400, max: 3 * 86_400 }) },
  { weight: 1, arbitrary: fc.integer({ min: 27 * 86_400, max: 33 * 86_400 }) },
);

export function scenarios(): fc.Arbitrary<Scenario> {
  return fc
    .record({
      change: fc.constantFrom(...changes),
      start: starts,
      people: fc.integer({ min: 1, max: everybody.length }),
      // Commands mean nothing before the first duty.
      drawn: fc.tuple(duties, fc.array(intents, { maxLength: mostSteps - 1, size: "max" })),
    })
    .map(({ change, start, people, drawn }) => {
      const now = Date.parse(`${change}T01:00:00Z`) + start * second;
      const named = everybody.slice(0, people);
      const sketch = new Sketch(change, now, named);
      for (const intent of drawn.flat()) sketch.add(intent);
      return { now, people: named, steps: sketch.steps.slice(0, mostSteps) };
    });
}
