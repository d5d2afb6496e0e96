import { describe, expect, test } from "vitest";
import { Zone } from "#core/zone.ts";
import { monthsUntil, type Move, statisticsOf } from "./colleagues.statistics.policy.ts";

const zone = new Zone("Europe/Berlin");
const at = (day: string, hour = "12") => Date.parse(`${day}T${hour}:00:00Z`);
const hired = (citizenId: number, day: string): Move => ({ citizenId, kind: "hired", at: at(day) });
const left = (citizenId: number, day: string): Move => ({ citizenId, kind: "left", at: at(day) });
const now = at("2026-11-26");

describe("months", () => {
  test("begin at local midnight and follow each other over the turn of the year", () => {
    const months = monthsUntil(zone, at("2027-02-10"), 4);
    expect(months.map(({ month }) => month)).toEqual(["2026-11", "2026-12", "2027-01", "2027-02"]);
    expect(months[0]!.from).toBe(Date.parse("2026-10-31T23:00:00Z"));
    expect(months.slice(1).map(({ from }) => from)).toEqual(months.slice(0, -1).map(({ until }) => until));
  });

  test("are those of the zone: the first hour of a month there is its own", () => {
    expect(monthsUntil(zone, Date.parse("2026-10-31T23:30:00Z"), 1)[0]!.month).toBe("2026-11");
  });
});

describe("statistics", () => {
  const months = monthsUntil(zone, now, 4);
  const moves = [
    hired(1, "2026-08-05"),
    hired(2, "2026-08-06"),
    left(2, "2026-09-01"),
    hired(3, "2026-09-20"),
    left(1, "2026-10-10"),
    hired(2, "2026-10-15"),
    left(3, "2026-11-25"),
    hired(4, "2026-11-26"),
  ].toSorted((a, b) => a.at - b.at);

  test("count back from the people of now, and who came and left", () => {
    const found = statisticsOf(months, { moves, people: 10, knownFrom: 0, now });
    expect(found.map(({ month, people, hired: came, left: went }) => [month, people, came, went])).toEqual([
      ["2026-08", 10, 2, 0],
      ["2026-09", 10, 1, 1],
      ["2026-10", 10, 1, 1],
      ["2026-11", 10, 1, 1],
    ]);
    const more = statisticsOf(months, { moves: [...moves, left(9, "2026-11-26")], people: 9, knownFrom: 0, now });
    expect(more.map(({ people }) => people)).toEqual([10, 10, 10, 9]);
  });

  test("say of recruits who was still there, once their days are over", () => {
    const [august, september, october, november] = statisticsOf(months, { moves, people: 10, knownFrom: 0, now });
    expect(august!.retention).toEqual({
      days30: { hired: 2, stayed: 1 },
      days60: { hired: 2, stayed: 1 },
      days90: { hired: 2, stayed: 0 },
    });
    expect(september!.retention).toEqual({ days30: { hired: 1, stayed: 1 }, days60: { hired: 1, stayed: 1 }, days90: null });
    expect(october!.retention).toEqual({ days30: { hired: 1, stayed: 1 }, days60: null, days90: null });
    expect(november!.retention).toEqual({ days30: null, days60: null, days90: null });
  });

  test("do not take for nobody what nobody knows", () => {
    const found = statisticsOf(months, { moves, people: 10, knownFrom: at("2026-09-15"), now });
    expect(found.map(({ people, hired: came, left: went }) => [people, came, went])).toEqual([
      [null, null, null],
      [10, null, null],
      [10, 1, 1],
      [10, 1, 1],
    ]);
    expect(found[1]!.retention).toEqual({ days30: null, days60: null, days90: null });
  });
});
