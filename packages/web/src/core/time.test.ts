import { afterEach, describe, expect, it } from "vitest";
import {
  absoluteTime,
  calendarDay,
  clockTime,
  dayAt,
  exactLength,
  lengthOf,
  playedTime,
  relativeTime,
  setBrowserLocales,
  setCommunityZone,
  setInstanceLocale,
  shortAge,
  writtenDays,
} from "./time.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const instant = Date.UTC(2026, 2, 5, 13, 4, 9);

afterEach(() => {
  setInstanceLocale("");
  setBrowserLocales([]);
});

describe("a time relative to now", () => {
  it.each([
    [0, "just now"],
    [-59_999, "just now"],
    [59_999, "now"],
    [-minute, "1 min. ago"],
    [-hour + 1, "59 min. ago"],
    [-hour, "1 hr. ago"],
    [-day + 1, "23 hr. ago"],
    [-day, "yesterday"],
    [day, "tomorrow"],
    [-7 * day + 1, "6 days ago"],
    [-7 * day, "last wk."],
    [-30 * day, "4 wk. ago"],
    [-31 * day, "last mo."],
    [-366 * day, "last yr."],
    [90 * minute, "in 1 hr."],
  ])("%i ms away is %s", (distance, text) => {
    expect(relativeTime(instant + distance, instant, "en")).toBe(text);
  });
});

describe("a length of time is in its largest whole unit", () => {
  it.each([
    [90 * second, "90 seconds"],
    [60 * second, "1 minute"],
    [90 * minute, "90 minutes"],
    [6 * hour, "6 hours"],
    [day, "1 day"],
    [14 * day, "2 weeks"],
    [30 * day, "30 days"],
    [0, "0 seconds"],
    [500, "0.5 seconds"],
  ])("%i ms is %s", (length, text) => {
    expect(lengthOf(length, "en")).toBe(text);
  });

  it("is in the words of the language", () => {
    expect([lengthOf(6 * hour, "de"), lengthOf(90 * second, "de")]).toEqual(["6 Stunden", "90 Sekunden"]);
  });
});

describe("dates", () => {
  it("cannot confuse day and month in English", () => {
    expect(calendarDay("1985-03-04", "en")).toBe("4 Mar 1985");
    expect(absoluteTime(instant, "en")).toContain("Mar");
  });

  it("are those of the browser's region in the chosen language, unless the operators name a locale", () => {
    setBrowserLocales(["fr-CA", "en", "en-US", "de-AT"]);
    expect(calendarDay("1985-03-04", "en")).toBe("Mar 4, 1985");
    expect(calendarDay("1985-03-04", "de")).toBe("04.03.1985");
    setInstanceLocale("en-GB");
    expect(calendarDay("1985-03-04", "en")).toBe("4 Mar 1985");
  });

  it("keep their day in every zone", () => {
    for (const text of ["1900-01-01", "2000-02-29", "2026-12-31"])
      expect(calendarDay(text, "de").slice(0, 2)).toBe(text.slice(8));
  });

  it("follow the locale of the instance from then on, and the language again without one", () => {
    const usual = [absoluteTime(instant, "en"), clockTime(instant, "en"), lengthOf(1500, "en")];
    setInstanceLocale("en-US");
    expect(absoluteTime(instant, "en")).toMatch(/^Mar 5, 2026/);
    expect(clockTime(instant, "en")).toMatch(/[AP]M$/);
    setInstanceLocale("");
    expect([absoluteTime(instant, "en"), clockTime(instant, "en"), lengthOf(1500, "en")]).toEqual(usual);
  });
});

describe("the day of an instant", () => {
  it("is that of the community, whatever the zone of the viewer", () => {
    const late = Date.UTC(2026, 9, 24, 23, 30);
    setCommunityZone("Europe/Berlin");
    expect(dayAt(late)).toBe("2026-10-25");
    setCommunityZone("America/New_York");
    expect(dayAt(late)).toBe("2026-10-24");
  });
});

it("days within a text are written as the language does", () => {
  const text = "2026-11-18 20:30:15 – 2026-11-19 01:00:00";
  expect(writtenDays(text, "de")).toBe("18.11.2026 20:30:15 – 19.11.2026 01:00:00");
  expect(writtenDays("Mara Lind, 12026-11-180", "de")).toBe("Mara Lind, 12026-11-180");
});

describe("ages and played time", () => {
  it.each([
    [0, "0 s"],
    [59, "59 s"],
    [60, "1 min 0 s"],
    [7507, "2 h 5 min 7 s"],
    [3600, "1 h 0 min 0 s"],
  ])("%i seconds are exactly %s", (seconds, text) => {
    expect(exactLength(seconds)).toBe(text);
  });

  it.each([
    [-5, "0 s"],
    [999, "0 s"],
    [59_999, "59 s"],
    [60_000, "1 min"],
    [hour - 1, "59 min"],
    [hour, "1 h"],
    [2 * day - 1, "47 h"],
    [2 * day, "2 d"],
  ])("an age of %i ms is %s", (age, text) => {
    expect(shortAge(age)).toBe(text);
  });

  it.each([
    [0, "0 min"],
    [3599, "59 min"],
    [3600, "1 h 0 min"],
    [360_000, "100 h 0 min"],
  ])("%i seconds of playing are %s", (seconds, text) => {
    expect(playedTime(seconds)).toBe(text);
  });
});
