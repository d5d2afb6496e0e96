import { describe, expect, test } from "vitest";
import type { AttributeValue } from "#core/contract/index.ts";
import type { AppError } from "#core/errors.ts";
import { addDays } from "#core/zone.ts";
import type { AbsenceState } from "./absences.machine.ts";
import {
  countDays,
  countKinds,
  daysOfMonth,
  eachDay,
  endedFrom,
  lengthOf,
  mayEnter,
  mostAtOnce,
  reachOfDetails,
  requireAllowed,
  requireSpan,
  scopeOf,
} from "./absences.policy.ts";

const today = "2026-12-10";

function codeOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return (error as AppError).definition.code;
  }
}

describe("days", () => {
  test("by kind are those within the time, for each person", () => {
    const spans = [
      { kindId: 1, firstDay: "2026-11-28", lastDay: "2026-12-02", n: 2 },
      { kindId: null, firstDay: "2026-12-03", lastDay: "2026-12-09", n: 1 },
      { kindId: 1, firstDay: "2026-12-31", lastDay: "2027-01-05", n: 1 },
      { kindId: 2, firstDay: "2027-01-01", lastDay: "2027-01-05", n: 1 },
    ];
    expect(countKinds(spans, { firstDay: "2026-12-01", lastDay: "2026-12-31" })).toEqual([
      { kindId: null, days: 7 },
      { kindId: 1, days: 5 },
    ]);
  });

  test.each([
    ["2026-12", "2026-12-31"],
    ["2028-02", "2028-02-29"],
    ["2026-01", "2026-01-31"],
  ])("of %s end with %s", (month, lastDay) => {
    expect(daysOfMonth(month)).toEqual({ firstDay: `${month}-01`, lastDay });
  });

  test("both ends count", () => {
    expect(lengthOf({ firstDay: today, lastDay: today })).toBe(1);
    expect(lengthOf({ firstDay: "2026-10-20", lastDay: "2026-11-02" })).toBe(14);
  });

  test.each([
    ["2026-12-11", "2026-12-11", null],
    ["2026-12-12", "2026-12-11", "absences.lastBeforeFirst"],
    ["2026-02-30", "2026-12-11", "system.invalidInput"],
    ["2026-12-11", "2026-13-01", "system.invalidInput"],
  ])("from %s to %s: %s", (firstDay, lastDay, code) => {
    expect(codeOf(() => requireSpan({ firstDay, lastDay }, "body"))).toBe(code);
  });
});

describe("what a kind allows", () => {
  const limits = { daysBack: 7, daysAhead: 93, mostDays: 31 };
  test.each([
    [-7, 0, null],
    [-8, 0, "absences.tooEarly"],
    [0, 0, null],
    [70, 93, null],
    [70, 94, "absences.tooLate"],
    [0, 30, null],
    [0, 31, "absences.tooLong"],
  ])("from day %i to %i: %s", (from, to, code) => {
    const span = { firstDay: addDays(today, from), lastDay: addDays(today, to) };
    expect(codeOf(() => requireAllowed(span, limits, today))).toBe(code);
  });
});

describe("cancelling on a day", () => {
  test.each<[AbsenceState, number, number, [AbsenceState, number] | null]>([
    ["requested", 1, 5, ["cancelled", 5]],
    ["requested", -3, 5, ["cancelled", 5]],
    ["requested", -5, -3, ["cancelled", -3]],
    ["approved", 1, 5, ["cancelled", 5]],
    ["approved", 0, 5, ["cancelled", 5]],
    ["approved", -1, 0, ["approved", -1]],
    ["approved", -3, 5, ["approved", -1]],
    ["approved", -3, -1, null],
    ["declined", 1, 5, null],
    ["cancelled", 1, 5, null],
  ])("%s from %i to %i: %j", (state, from, to, expected) => {
    const ended = endedFrom({ state, firstDay: addDays(today, from), lastDay: addDays(today, to) }, today);
    expect(ended).toEqual(expected && { state: expected[0], lastDay: addDays(today, expected[1]) });
  });
});

describe("the warning", () => {
  test.each([
    [10, 30, 3],
    [2, 30, 1],
    [0, 30, 1],
    [10, 100, 10],
    [10, null, null],
  ])("of %i people with a share of %s: more than %s", (people, share, most) => {
    expect(mostAtOnce(people, share)).toBe(most);
  });

  test("counts each day of the spans that lie within the time", () => {
    const spans = [
      { firstDay: "2026-12-01", lastDay: "2026-12-03", n: 2 },
      { firstDay: "2026-12-03", lastDay: "2026-12-20", n: 1 },
    ];
    expect(countDays(spans, { firstDay: "2026-12-02", lastDay: "2026-12-04" })).toEqual([
      { day: "2026-12-02", absent: 2 },
      { day: "2026-12-03", absent: 3 },
      { day: "2026-12-04", absent: 1 },
    ]);
  });

  test("count nothing outside of the time, and no day between two spans", () => {
    const spans = [
      { firstDay: "2026-11-01", lastDay: "2026-11-30", n: 4 },
      { firstDay: "2026-11-20", lastDay: "2026-12-01", n: 1 },
      { firstDay: "2026-12-03", lastDay: "2026-12-03", n: 2 },
      { firstDay: "2026-12-05", lastDay: "2026-12-09", n: 3 },
    ];
    expect(countDays(spans, { firstDay: "2026-12-01", lastDay: "2026-12-04" })).toEqual([
      { day: "2026-12-01", absent: 1 },
      { day: "2026-12-03", absent: 2 },
    ]);
  });

  test("of a job with thousands of spans take no longer to count for the days that each has", () => {
    const within = { firstDay: "2026-01-01", lastDay: "2026-12-31" };
    const days = eachDay(within);
    const spans = days.flatMap((firstDay, i) => days.slice(i, i + 60).map((lastDay) => ({ kindId: 1, firstDay, lastDay, n: 1 })));
    const began = performance.now();
    const absent = countDays(spans, within).reduce((sum, one) => sum + one.absent, 0);
    expect([absent]).toEqual(countKinds(spans, within).map((one) => one.days));
    expect(performance.now() - began).toBeLessThan(1000);
  });
});

describe("whose kinds and reasons somebody sees", () => {
  const viewer = (rights: Record<string, Record<string, AttributeValue>>) => ({
    characterId: 1,
    job: "police",
    grade: 3,
    rights: {
      epoch: "",
      has: (right: string) => rights[right] !== undefined,
      attribute: (right: string, name: string) => rights[right]?.[name],
      all: () => rights,
    },
  });
  const none = { any: false, own: false, upTo: null };
  test.each([
    [{}, none],
    [{ "absences.approve": {} }, { ...none, upTo: 2 }],
    [{ "absences.view": { whose: ["same"] } }, { any: false, own: true, upTo: 3 }],
    [
      { "absences.view": { whose: ["own"] }, "absences.approve": {} },
      { any: false, own: true, upTo: 2 },
    ],
    [
      { "absences.view": { whose: ["same"] }, "absences.approve": {} },
      { any: false, own: true, upTo: 3 },
    ],
    [{ "absences.view": { whose: ["any"] } }, { any: true, own: true, upTo: 3 }],
    [{ "absences.enter": { whose: ["lower"] } }, { ...none, upTo: 2 }],
    [{ "absences.enter": { whose: ["any"] } }, { ...none, upTo: 3 }],
    [{ "absences.enter": { whose: ["own"] } }, none],
  ])("with %j", (rights, reach) => {
    expect(reachOfDetails(viewer(rights as never))).toEqual(reach);
    expect(scopeOf(viewer(rights as never))).toBe(JSON.stringify(["police", reach, 1]));
  });

  test.each([
    [undefined, []],
    [["own"], []],
    [["lower"], [[2, 2]]],
    [
      ["same"],
      [
        [2, 2],
        [3, 3],
      ],
    ],
    [
      ["any"],
      [
        [2, 2],
        [3, 3],
      ],
    ],
  ])("absences are entered with the rank %j for others, up to the own grade", (whose, expected) => {
    const rights = whose === undefined ? {} : { "absences.enter": { whose } };
    const people = [
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
    ] as const;
    expect(people.filter(([id, grade]) => mayEnter(viewer(rights as never), { id, grade }))).toEqual(expected);
  });
});
