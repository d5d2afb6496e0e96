import { describe, expect, test } from "vitest";
import { daysOf, monthAfter, overfullDays, rowsOf, spanOver } from "./calendar.ts";
import type { Absence } from "./absences.queries.ts";

const absence = (id: number, person: number, firstDay: string, lastDay: string, name = `Person ${person}`): Absence => ({
  id,
  version: 1,
  citizen: { id: person, name, job: { name: "police", label: "Police", grade: 1, gradeLabel: "Officer" } },
  firstDay,
  lastDay,
  state: "approved",
  substitute: null,
  createdAt: 0,
  may: [],
});

describe("a month", () => {
  test.each([
    ["2026-12", 31],
    ["2028-02", 29],
    ["2026-10", 31],
  ])("%s has %i days, with its weekends", (month, count) => {
    const days = daysOf(month);
    expect([days.length, days[0]!.day, days.at(-1)!.number]).toEqual([count, `${month}-01`, count]);
    expect(days.filter(({ weekend }) => weekend).length).toBeGreaterThanOrEqual(8);
  });

  test("is followed by the next one, also over the year", () => {
    expect([monthAfter("2026-12", 1), monthAfter("2026-01", -1), monthAfter("2026-05", 8)]).toEqual([
      "2027-01",
      "2025-12",
      "2027-01",
    ]);
  });
});

describe("the rows of a month", () => {
  const days = daysOf("2026-12");
  /** A character for each day, and a bar before each cell of an absence. */
  const shape = (absences: readonly Absence[]) =>
    rowsOf(absences, days).map(({ cells }) =>
      cells.map(({ absence: one, length }) => (one === null ? "." : `|${String(one.id).repeat(length)}`)).join(""),
    );

  test("are cut at both ends of the month, and fill it", () => {
    expect(shape([absence(1, 1, "2026-11-20", "2026-12-03")])).toEqual([`|111${".".repeat(28)}`]);
    expect(shape([absence(1, 1, "2026-12-30", "2027-01-03")])).toEqual([`${".".repeat(29)}|11`]);
    expect(shape([absence(1, 1, "2026-11-01", "2027-02-01")])).toEqual([`|${"1".repeat(31)}`]);
  });

  test("hold several of a person, also side by side, and people by name", () => {
    const absences = [
      absence(3, 2, "2026-12-01", "2026-12-01", "Zoë"),
      absence(2, 1, "2026-12-06", "2026-12-07", "Émile"),
      absence(1, 1, "2026-12-04", "2026-12-05", "Émile"),
      absence(4, 3, "2026-12-04", "2026-12-05", "Frank"),
    ];
    expect(rowsOf(absences, days).map(({ citizen }) => citizen.name)).toEqual(["Émile", "Frank", "Zoë"]);
    expect(shape(absences)[0]).toBe(`...|11|22${".".repeat(24)}`);
  });
});

test("the days of all that waits are asked about at once, of a long time the later ones", () => {
  const spans = [
    { firstDay: "2026-12-10", lastDay: "2026-12-12" },
    { firstDay: "2026-12-01", lastDay: "2026-12-02" },
    { firstDay: "2026-12-11", lastDay: "2026-12-11" },
  ];
  expect(spanOver(spans, 366)).toEqual({ firstDay: "2026-12-01", lastDay: "2026-12-12" });
  expect(spanOver(spans, 5)).toEqual({ firstDay: "2026-12-08", lastDay: "2026-12-12" });
  expect(spanOver([], 366)).toBeNull();
});

test("one more is too many where the most are absent already; without a share never", () => {
  const days = [
    { day: "2026-12-01", absent: 1 },
    { day: "2026-12-02", absent: 2 },
  ];
  expect(overfullDays({ most: 2, days }, 1)).toEqual(["2026-12-02"]);
  expect(overfullDays({ most: 2, days }, 0)).toEqual([]);
  expect(overfullDays({ most: null, days }, 5)).toEqual([]);
});
