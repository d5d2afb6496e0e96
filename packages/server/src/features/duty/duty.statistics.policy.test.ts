import { describe, expect, it } from "vitest";
import { Zone } from "#core/zone.ts";
import type { Duty } from "./duty.policy.ts";
import { neverCalled } from "./duty.sources.policy.ts";
import {
  callingSince,
  type Gaps,
  runningSpans,
  slotsSince,
  slotsUntil,
  type Span,
  statisticsDays,
  statisticsOf,
  unknownIn,
} from "./duty.statistics.policy.ts";

const hour = 3_600_000;
const reading = (name: string) => {
  const zone = new Zone(name);
  return (instant: number) => zone.wallTime(instant);
};
const statistics = (
  spans: readonly Pick<Span, "from" | "to">[],
  now: number,
  { zone = "Europe/Berlin", unknown = [] }: { zone?: string; unknown?: readonly { from: number; to: number }[] } = {},
) => {
  const people = spans.map((span) => ({ citizen: 1, source: null, ...span }));
  return statisticsOf(people, unknown, slotsUntil(now, reading(zone)));
};
const lengths = (now: number, zone: string) =>
  new Map(statistics([], now, { zone }).days.map(({ day, from, to }) => [day, (to - from) / hour]));

describe("the statistic of duty", () => {
  it("has the last days of the zone, from midnight to midnight, the present one up to now", () => {
    const now = Date.UTC(2026, 5, 20, 10, 7);
    const { days } = statistics([], now);
    expect(days).toHaveLength(statisticsDays);
    expect(days[0]).toMatchObject({ day: "2026-05-22", from: Date.UTC(2026, 4, 21, 22) });
    expect(days.at(-1)).toEqual({
      day: "2026-06-20",
      from: Date.UTC(2026, 5, 19, 22),
      to: now,
      seconds: 0,
      knownSeconds: 12 * 3600 + 420,
    });
    expect(days.slice(1).every(({ from }, i) => from === days[i]!.to)).toBe(true);
  });

  it("asks the zone once in a quarter of an hour", () => {
    const read = reading("Europe/Berlin");
    let asked = 0;
    const counted = (instant: number) => {
      asked += 1;
      return read(instant);
    };
    const now = Date.UTC(2026, 5, 20, 10, 7);
    const first = slotsSince(null, now, counted);
    const once = asked;
    const minute = 60_000;
    expect(slotsSince(first, now + 7 * minute, counted)).toEqual(slotsUntil(now + 7 * minute, read));
    expect(asked).toBe(once);
    expect(slotsSince(first, now + 8 * minute, counted)).toEqual(slotsUntil(now + 8 * minute, read));
    expect(asked).toBeGreaterThan(once);
  });

  it("has days of 23 and 25 hours where clocks change, also where they do so at midnight or by half an hour", () => {
    expect(lengths(Date.UTC(2026, 3, 5), "Europe/Berlin").get("2026-03-29")).toBe(23);
    expect(lengths(Date.UTC(2026, 10, 5), "Europe/Berlin").get("2026-10-25")).toBe(25);
    expect(lengths(Date.UTC(2026, 9, 20), "Australia/Lord_Howe").get("2026-10-04")).toBe(23.5);
    expect(lengths(Date.UTC(2026, 8, 20), "America/Santiago").get("2026-09-06")).toBe(23);
    expect(lengths(Date.UTC(2026, 8, 20), "Asia/Kathmandu").get("2026-09-06")).toBe(24);
  });

  it("counts real seconds, of a duty over midnight on both days, and of one over the change of clocks all of them", () => {
    const now = Date.UTC(2026, 9, 27, 12);
    // From 22:00 of the 24th to 06:00 of the 25th in Berlin, which are nine hours.
    const { days } = statistics([{ from: Date.UTC(2026, 9, 24, 20), to: Date.UTC(2026, 9, 25, 5) }], now);
    const seconds = new Map(days.map((one) => [one.day, one.seconds]));
    expect([seconds.get("2026-10-24"), seconds.get("2026-10-25")]).toEqual([2 * 3600, 7 * 3600]);
  });

  it("says how many people are on duty in an hour of a weekday on average, in which the doubled hour counts twice", () => {
    const now = Date.UTC(2026, 9, 27, 23);
    const always = [{ from: 0, to: now }];
    expect(statistics([...always, ...always], now).hours).toEqual(
      Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => 2)),
    );
    // From 10:20 to 10:50 of a Monday, which these 30 days have four of.
    const part = { from: Date.UTC(2026, 9, 26, 9, 20), to: Date.UTC(2026, 9, 26, 9, 50) };
    const { hours, days } = statistics([part], now);
    expect(hours.flatMap((one, row) => one.flatMap((people, at) => (people === 0 ? [] : [[row, at, people]])))).toEqual([
      [0, 10, 0.13],
    ]);
    expect(days.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(1800);
  });

  it("divides by the time that is known, and knows nothing of an hour in which nobody reported", () => {
    const now = Date.UTC(2026, 9, 27, 23);
    const { from } = slotsUntil(now, reading("Europe/Berlin"));
    // Known are the last two days alone, of which the first is a Monday, and of that not the hour from 10 to 11.
    const unknown = [
      { from, to: Date.UTC(2026, 9, 25, 23) },
      { from: Date.UTC(2026, 9, 26, 9), to: Date.UTC(2026, 9, 26, 10) },
    ];
    const work = { from: Date.UTC(2026, 9, 26, 7), to: Date.UTC(2026, 9, 26, 10) };
    const { hours, days, knownDays } = statistics([work], now, { unknown });
    expect(hours[0]!.slice(7, 12)).toEqual([0, 1, 1, null, 0]);
    expect([hours[1]![10], hours[2]![10]]).toEqual([0, null]);
    expect(knownDays).toBe(2);
    expect(days.slice(-4, -1).map(({ seconds, knownSeconds }) => [seconds, knownSeconds])).toEqual([
      [0, 0],
      [3 * 3600, 23 * 3600],
      [0, 24 * 3600],
    ]);
  });

  it("knows nothing of the quarter of an hour that runs while no duty is stored at all", () => {
    const now = Date.UTC(2026, 9, 27, 23, 7);
    const slots = slotsUntil(now, reading("Europe/Berlin"));
    const { knownDays, hours } = statisticsOf([], unknownIn([], { since: null, silences: [], sources: [] }, slots), slots);
    expect([knownDays, hours.flat().every((one) => one === null)]).toEqual([0, true]);
  });

  it("adds up the time of each person, cut to its days", () => {
    const now = Date.UTC(2026, 9, 27, 23);
    const slots = slotsUntil(now, reading("Europe/Berlin"));
    const span = (citizen: number, from: number, to: number) => ({ citizen, source: null, from, to });
    const spans = [
      span(7, slots.from - hour, slots.from + hour),
      span(8, now - 3 * hour, now - hour),
      span(7, now - hour, now + hour),
      span(9, now, now + hour),
    ];
    expect([...statisticsOf(spans, [], slots).people]).toEqual([
      [7, 2 * 3600],
      [8, 2 * 3600],
    ]);
  });

  it("adds up to the duties, cut to its days", () => {
    const now = Date.UTC(2026, 3, 9, 17, 3, 21);
    const { from, to } = slotsUntil(now, reading("Europe/Berlin"));
    let seed = 7;
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const spans = Array.from({ length: 500 }, () => {
      const begin = from - 40 * hour + Math.floor(random() * (to - from + 80 * hour));
      return { from: begin, to: begin + Math.floor(random() ** 3 * 90 * hour) };
    });
    const cut = spans.reduce((sum, one) => sum + Math.max(0, Math.min(one.to, to) - Math.max(one.from, from)), 0);
    const counted = statistics(spans, now).days.reduce((sum, { seconds }) => sum + seconds, 0);
    expect(Math.abs(counted - cut / 1000)).toBeLessThan(statisticsDays);
  });
});

describe("what nobody knows of the duty of a job", () => {
  const span = (source: string | null, from = 50, to = 60): Span => ({ citizen: 1, source, from, to });
  const silence = (source: string, from: number, to: number) => ({ source, from, to });
  const gaps = (more: Partial<Gaps>): Gaps => ({ since: 0, silences: [], sources: [], ...more });
  const window = { from: 10, to: 100 };

  it("is the time before the first duty of all, and the silences of those who report it", () => {
    expect(unknownIn([span("city")], gaps({ since: 30 }), window)).toEqual([{ from: 10, to: 30 }]);
    expect(unknownIn([], gaps({ since: null }), window)).toEqual([{ from: 10, to: 100 }]);
    const silences = [silence("city", 60, 70), silence("other", 40, 50)];
    expect(unknownIn([span("city"), span(null)], gaps({ silences }), window)).toEqual([{ from: 60, to: 70 }]);
    expect(unknownIn([span(null)], gaps({ silences }), window)).toEqual([]);
  });

  it("is a silence that lasts, unless another one reports the job: one that was renamed never comes back", () => {
    const sources = [
      { source: "old", lastCallAt: 60, silent: true },
      { source: "new", lastCallAt: 99, silent: false },
    ];
    expect(unknownIn([span("old")], gaps({ sources }), window)).toEqual([{ from: 60, to: 100 }]);
    expect(unknownIn([span("old"), span("new")], gaps({ sources }), window)).toEqual([]);
  });
});

describe("duties that run", () => {
  const duty = { job: "police", grade: 1, startGrade: 1, since: 10, bootCount: 0, missingAt: null, unnamedSince: null };
  const game = (source: string): Duty => ({ ...duty, by: "game", source });
  const sources = new Map([
    ["city", { ...neverCalled, lastCallAt: 90 }],
    ["quiet", { ...neverCalled, lastCallAt: 60, silentFrom: 60 }],
    ["rebooted", { ...neverCalled, lastCallAt: 90, bootCount: 1, bootSince: 80 }],
  ]);

  it.each<[string, Duty | null, [string | null, number] | null]>([
    ["count up to now", game("city"), ["city", 100]],
    ["by hand too", { ...duty, by: "hand", source: null }, [null, 100]],
    ["of who dropped up to the last sign of life", { ...game("city"), missingAt: 55 }, ["city", 50]],
    ["of a silent source too", game("quiet"), ["quiet", 50]],
    ["of who was not named after a restart too", game("rebooted"), ["rebooted", 50]],
    ["of who was named up to now", { ...game("rebooted"), bootCount: 1 }, ["rebooted", 100]],
    ["are none of who is off duty", null, null],
  ])("%s", (_name, one, wanted) => {
    const spans = runningSpans([{ citizenId: 7, duty: one, seenAt: 50 }], sources, 100);
    expect(spans).toEqual(wanted === null ? [] : [{ citizen: 7, source: wanted[0], from: 10, to: wanted[1] }]);
  });

  it("are known by sources that called in these days", () => {
    expect(callingSince(sources, 61).map(({ source }) => source)).toEqual(["city", "rebooted"]);
    expect(callingSince(sources, 60)[1]).toEqual({ source: "quiet", lastCallAt: 60, silent: true });
  });
});
