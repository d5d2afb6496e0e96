import { describe, expect, it } from "vitest";
import { slotsSince, slotsUntil, type Span, statisticsDays, statisticsOf, wallTimeIn } from "./duty.statistics.policy.ts";

const hour = 3_600_000;
const statistics = (spans: readonly Span[], now: number, zone = "Europe/Berlin") =>
  statisticsOf(spans, slotsUntil(now, wallTimeIn(zone)));
const lengths = (now: number, zone: string) =>
  new Map(statistics([], now, zone).days.map(({ day, from, to }) => [day, (to - from) / hour]));

describe("the statistic of duty", () => {
  it("has the last days of the zone, from midnight to midnight, the present one up to now", () => {
    const now = Date.UTC(2026, 5, 20, 10, 7);
    const { days } = statistics([], now);
    expect(days).toHaveLength(statisticsDays);
    expect(days[0]).toMatchObject({ day: "2026-05-22", from: Date.UTC(2026, 4, 21, 22) });
    expect(days.at(-1)).toEqual({ day: "2026-06-20", from: Date.UTC(2026, 5, 19, 22), to: now, seconds: 0 });
    expect(days.slice(1).every(({ from }, i) => from === days[i]!.to)).toBe(true);
  });

  it("asks the zone once in a quarter of an hour", () => {
    const read = wallTimeIn("Europe/Berlin");
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

  it("says how many people are on duty in an hour on average, in which the doubled hour counts twice", () => {
    const now = Date.UTC(2026, 9, 27, 23);
    const always = [{ from: 0, to: now }];
    expect(statistics([...always, ...always], now).hours.map(({ people }) => people)).toEqual(
      Array.from({ length: 24 }, () => 2),
    );
    const part = { from: Date.UTC(2026, 9, 26, 9, 20), to: Date.UTC(2026, 9, 26, 9, 50) };
    const { hours, days } = statistics([part], now);
    expect(hours.filter(({ people }) => people > 0)).toEqual([{ hour: 10, people: 0.02 }]);
    expect(days.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(1800);
  });

  it("adds up to the duties, cut to its days", () => {
    const now = Date.UTC(2026, 3, 9, 17, 3, 21);
    const { from, to } = slotsUntil(now, wallTimeIn("Europe/Berlin"));
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
