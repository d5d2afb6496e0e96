import { expect, test } from "vitest";
import { Zone } from "#core/zone.ts";
import { timesOf } from "./timeclock.asking.service.ts";

const zone = new Zone("Europe/Berlin");
const times = (from: string, to: string) => timesOf(zone, "new", { from: Date.parse(from), to: Date.parse(to) });

test("times of a request name seconds where they have any, and how long it is", () => {
  expect(times("2026-11-20T08:00:00Z", "2026-11-20T10:30:00Z")).toEqual({
    newFromDay: "2026-11-20",
    newFrom: "09:00",
    newToDay: "2026-11-20",
    newTo: "11:30 (2:30 h)",
  });
  expect(times("2026-11-20T08:00:05Z", "2026-11-20T10:30:10Z")).toMatchObject({
    newFrom: "09:00:05",
    newTo: "11:30:10 (2:30:05 h)",
  });
});

test("a time that occurs twice says which one it is", () => {
  expect(times("2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z")).toMatchObject({
    newFrom: "02:30 (UTC+02:00)",
    newTo: "02:30 (UTC+01:00) (1:00 h)",
  });
});
