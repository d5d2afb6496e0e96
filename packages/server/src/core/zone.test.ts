import { describe, expect, test } from "vitest";
import { addDays, isDay, isoWeekOf, Zone } from "./zone.ts";

const at = (text: string) => Date.parse(text);
const shown = (instants: readonly number[]) => instants.map((one) => new Date(one).toISOString().replace(".000", ""));

describe("a day", () => {
  test.each([
    ["UTC", "2026-11-26", "2026-11-26T00:00:00Z", "2026-11-27T00:00:00Z"],
    ["Europe/Berlin", "2026-11-26", "2026-11-25T23:00:00Z", "2026-11-26T23:00:00Z"],
    // Days of 23 and 25 hours.
    ["Europe/Berlin", "2026-03-29", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"],
    ["Europe/Berlin", "2026-10-25", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"],
    ["America/Los_Angeles", "2026-02-28", "2026-02-28T08:00:00Z", "2026-03-01T08:00:00Z"],
    ["Asia/Kathmandu", "2026-11-26", "2026-11-25T18:15:00Z", "2026-11-26T18:15:00Z"],
    ["Pacific/Kiritimati", "2026-11-26", "2026-11-25T10:00:00Z", "2026-11-26T10:00:00Z"],
    // Its clock goes from 23:59 to 01:00.
    ["Africa/Cairo", "2026-04-24", "2026-04-23T22:00:00Z", "2026-04-24T21:00:00Z"],
  ])("in %s, %s, is from %s until before %s", (name, day, start, end) => {
    const zone = new Zone(name);
    expect(shown([zone.startOf(day), zone.endOf(day)])).toEqual([start, end]);
    expect(
      [zone.startOf(day) - 1, zone.startOf(day), zone.endOf(day) - 1, zone.endOf(day)].map((one) => zone.dayOf(one)),
    ).toEqual([addDays(day, -1), day, day, addDays(day, 1)]);
  });
});

describe("the wall time of an instant", () => {
  test.each([
    ["UTC", "2026-03-01T23:45:00Z", "2026-03-01", 6, 23],
    ["Europe/Berlin", "2026-03-01T23:45:00Z", "2026-03-02", 0, 0],
    ["America/New_York", "2026-03-01T04:59:00Z", "2026-02-28", 5, 23],
    ["Asia/Kathmandu", "2026-03-01T18:15:00Z", "2026-03-02", 0, 0],
    ["Pacific/Kiritimati", "2026-12-31T10:00:00Z", "2027-01-01", 4, 0],
    // Summer begins: 01:45 is followed by 03:00.
    ["Europe/Berlin", "2026-03-29T00:45:00Z", "2026-03-29", 6, 1],
    ["Europe/Berlin", "2026-03-29T01:00:00Z", "2026-03-29", 6, 3],
    // Summer ends: two o'clock comes twice.
    ["Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25", 6, 2],
    ["Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-25", 6, 2],
  ])("in %s at %s is %s, weekday %i, hour %i", (zone, instant, day, weekday, hour) => {
    expect(new Zone(zone).wallTime(at(instant))).toEqual({ day, weekday, hour });
  });

  test("of a zone that does not exist is refused", () => expect(() => new Zone("Europe/Nowhere")).toThrow(RangeError));
});

test.each([
  ["UTC", "2026-11-23T14:04:05.006Z"],
  ["Europe/Berlin", "2026-11-23T15:04:05.006+01:00"],
  ["America/St_Johns", "2026-11-23T10:34:05.006-03:30"],
  ["Asia/Tokyo", "2026-11-23T23:04:05.006+09:00"],
])("an instant in %s is %s", (zone, text) => {
  expect(new Zone(zone).iso(Date.UTC(2026, 10, 23, 14, 4, 5, 6))).toBe(text);
});

test("the offset is that of the day, and midnight is hour 00", () => {
  expect(new Zone("Europe/Berlin").iso(Date.UTC(2026, 6, 1, 22, 0, 0))).toBe("2026-07-02T00:00:00.000+02:00");
});

describe("the instants of a local time", () => {
  test.each([
    ["2026-11-26T14:30", ["2026-11-26T13:30:00Z"]],
    ["2026-11-26T14:30:07", ["2026-11-26T13:30:07Z"]],
    ["2026-03-29T02:30", []],
    ["2026-03-29T03:00", ["2026-03-29T01:00:00Z"]],
    ["2026-10-25T02:30", ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"]],
  ])("%s in Berlin: %s", (local, expected) => expect(shown(new Zone("Europe/Berlin").instantsOf(local))).toEqual(expected));

  test("that is in no calendar is refused", () =>
    expect(() => new Zone("UTC").instantsOf("2026-02-30T10:00")).toThrow(RangeError));
});

test.each([
  ["2026-02-28", true],
  ["2026-02-29", false],
  ["2026-13-01", false],
])("%s is in the calendar: %s", (day, expected) => {
  expect(isDay(day)).toBe(expected);
});

test.each([
  ["2026-03-28", 2, "2026-03-30"],
  ["2028-03-01", -1, "2028-02-29"],
  ["2026-12-31", 1, "2027-01-01"],
])("%s and %i days is %s", (day, days, expected) => expect(addDays(day, days)).toBe(expected));

test.each([
  ["2026-11-26", 2026, 48],
  ["2027-01-01", 2026, 53],
  ["2024-12-30", 2025, 1],
])("%s is in week %i/%i", (day, year, week) => expect(isoWeekOf(day)).toEqual({ year, week }));
