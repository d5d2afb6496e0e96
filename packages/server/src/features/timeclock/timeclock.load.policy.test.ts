import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDays, Zone } from "#core/zone.ts";
import { loadOf, loadSlots, type LoadSlots, type SlotPair } from "./timeclock.load.policy.ts";
import { type Interval, secondsOf } from "./timeclock.policy.ts";

const berlin = new Zone("Europe/Berlin");
const hour = 3_600_000;
const later = Date.parse("2027-06-01T00:00:00Z");
const at = (text: string) => Date.parse(text);
const week = (firstDay: string) => ({ firstDay, lastDay: addDays(firstDay, 6) });

/** As the database groups them. */
function pairsOf(entries: readonly Interval[], { from, to, slotMs }: LoadSlots): SlotPair[] {
  return entries
    .filter((one) => one.to > from && one.from < to)
    .map((one) => {
      const begins = one.from < from ? from : one.from - (one.from % 1000);
      const ends = one.to > to ? to : one.to - (one.to % 1000);
      const [startMs, endMs] = [(begins - from) % slotMs, (ends - from) % slotMs];
      return { start: begins - startMs, end: ends - endMs, entries: 1, startMs, endMs };
    });
}

function load(entries: readonly Interval[], range: { firstDay: string; lastDay: string }, more: Partial<Given> = {}) {
  const { zone = berlin, unknown = [], now = later } = more;
  const slots = loadSlots(zone, range, now);
  return loadOf(pairsOf(entries, slots), unknown, slots);
}

interface Given {
  readonly zone: Zone;
  readonly unknown: readonly Interval[];
  readonly now: number;
}

describe("the load of a week", () => {
  it("is how many people work in each hour, by real time", () => {
    // From 09:30 to 11:00 of a Wednesday, and two from 10 to 11.
    const eleven = at("2026-11-18T10:00Z");
    const entries = [
      { from: eleven - 1.5 * hour, to: eleven },
      { from: eleven - hour, to: eleven },
      { from: eleven - hour, to: eleven },
    ];
    const cells = load(entries, week("2026-11-16"));
    expect(cells[2]!.slice(8, 12)).toEqual([
      { people: 0, seconds: 0, hours: 1, unknown: 0 },
      { people: 0.5, seconds: 1800, hours: 1, unknown: 0 },
      { people: 3, seconds: 3 * 3600, hours: 1, unknown: 0 },
      { people: 0, seconds: 0, hours: 1, unknown: 0 },
    ]);
    expect(cells.flat().reduce((sum, { hours }) => sum + hours, 0)).toBe(168);
  });

  it("has no hour from 2 to 3 in March, and the one of October twice", () => {
    const all = { from: at("2026-01-01T00:00Z"), to: at("2026-12-31T00:00Z") };
    const march = load([all], week("2026-03-23"));
    expect(march[6]!.slice(1, 4)).toEqual([
      { people: 1, seconds: 3600, hours: 1, unknown: 0 },
      { people: null, seconds: 0, hours: 0, unknown: 0 },
      { people: 1, seconds: 3600, hours: 1, unknown: 0 },
    ]);
    expect(march.flat().reduce((sum, { seconds }) => sum + seconds, 0)).toBe(167 * 3600);
    const october = load([all], week("2026-10-19"));
    expect(october[6]!.slice(1, 4)).toEqual([
      { people: 1, seconds: 3600, hours: 1, unknown: 0 },
      { people: 1, seconds: 7200, hours: 2, unknown: 0 },
      { people: 1, seconds: 3600, hours: 1, unknown: 0 },
    ]);
    expect(october.flat().reduce((sum, { seconds }) => sum + seconds, 0)).toBe(169 * 3600);
    // The second hour between 2 and 3 alone, and the hours of the days behind it.
    const second = load([{ from: at("2026-10-25T01:00Z"), to: at("2026-10-25T02:00Z") }], week("2026-10-19"));
    expect(second[6]![2]).toEqual({ people: 0.5, seconds: 3600, hours: 2, unknown: 0 });
    const both = load([{ from: at("2026-10-26T08:00Z"), to: at("2026-10-26T09:00Z") }], {
      firstDay: "2026-10-19",
      lastDay: "2026-11-01",
    });
    expect(both[0]![9]).toEqual({ people: 0.5, seconds: 3600, hours: 2, unknown: 0 });
  });

  it.each([
    ["Asia/Kathmandu", "2026-09-07", hour],
    ["America/Santiago", "2026-08-31", hour],
    ["Australia/Lord_Howe", "2026-09-28", hour / 4],
  ])("covers the clock of %s", (name, monday, slotMs) => {
    const zone = new Zone(name);
    const range = { firstDay: monday, lastDay: addDays(monday, 13) };
    const slots = loadSlots(zone, range, later);
    expect(slots.slotMs).toBe(slotMs);
    const read = slots.cells.map((_cell, i) => zone.wallTime(slots.from + i * slotMs));
    expect(slots.cells).toEqual(read.map(({ weekday, hour: one }) => weekday * 24 + one));
    expect(slots.to).toBe(zone.endOf(range.lastDay));
  });

  it("is divided by the hours that are known", () => {
    const monday = berlin.startOf("2026-11-16");
    const entries = [0, 7].map((days) => ({ from: monday + (days * 24 + 10) * hour, to: monday + (days * 24 + 12) * hour }));
    const silence = { from: monday + 10.5 * hour, to: monday + 10.75 * hour };
    const cells = (unknown: readonly Interval[]) =>
      load(entries, { firstDay: "2026-11-16", lastDay: "2026-11-29" }, { unknown })[0]!.slice(10, 12);
    const whole = { people: 1, seconds: 7200, hours: 2, unknown: 0 };
    const half = { people: 1, seconds: 3600, hours: 1, unknown: 1 };
    expect(cells([])).toEqual([whole, whole]);
    expect(cells([silence])).toEqual([half, whole]);
    expect(cells([{ ...silence, to: silence.to - 1 }])).toEqual([whole, whole]);
    // Two servers that are silent together are not silent twice, and two short silences add up.
    expect(cells([silence, silence].map((one) => ({ ...one, to: one.to - 1 })))).toEqual([whole, whole]);
    expect(
      cells([
        { from: monday + 11 * hour, to: monday + 11.125 * hour },
        { from: monday + 11.5 * hour, to: monday + 11.625 * hour },
      ]),
    ).toEqual([whole, half]);
    expect(cells([{ from: 0, to: later }])[0]).toEqual({ people: null, seconds: 0, hours: 0, unknown: 2 });
  });

  it("leaves out hours to come, also the present one", () => {
    const monday = berlin.startOf("2026-11-16");
    const cells = load([{ from: monday, to: monday + 3 * hour }], week("2026-11-16"), { now: monday + 2.9 * hour });
    expect(cells.flat().map(({ hours }) => hours)).toEqual([1, 1, ...Array.from({ length: 166 }, () => 0)]);
    expect(cells.flat().reduce((sum, { seconds }) => sum + seconds, 0)).toBe(7200);
    expect(
      load([], week("2027-11-15"))
        .flat()
        .every(({ people, unknown }) => people === null && unknown === 0),
    ).toBe(true);
  });

  it("leaves out what is before an instant from which on all entries are known", () => {
    const range = { firstDay: "2026-11-16", lastDay: "2026-11-29" };
    const slots = loadSlots(berlin, range, later);
    const entry = { from: slots.from + 34 * hour, to: slots.from + 36 * hour };
    const cells = loadOf(pairsOf([entry], slots), [], slots, berlin.startOf("2026-11-17"));
    expect([cells[0]![5]!.hours, cells[1]![5]!.hours]).toEqual([1, 2]);
    expect(cells[1]![10]).toEqual({ people: 0.5, seconds: 3600, hours: 2, unknown: 0 });
  });

  it("adds up to the seconds of all entries in the range", () => {
    const instant = fc.integer({ min: at("2026-10-01T00:00Z"), max: at("2026-11-30T00:00Z") });
    const entry = fc.tuple(instant, fc.nat(90 * hour)).map(([from, length]) => ({ from, to: from + length }));
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 20 }), (entries) => {
        const range = { firstDay: "2026-10-12", lastDay: "2026-11-08" };
        const [from, to] = [berlin.startOf(range.firstDay), berlin.endOf(range.lastDay)];
        const wanted = entries.reduce(
          (sum, one) => sum + secondsOf({ from: Math.max(one.from, from), to: Math.min(one.to, to) }),
          0,
        );
        expect(
          load(entries, range)
            .flat()
            .reduce((sum, { seconds }) => sum + seconds, 0),
        ).toBe(wanted);
      }),
      { numRuns: 200 },
    );
  });
});
