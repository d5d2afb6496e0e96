import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Viewer } from "#core/actor.ts";
import { createErrorTexts } from "#core/texts.ts";
import { Zone } from "#core/zone.ts";
import {
  correctedInterval,
  dayParts,
  idleDays,
  missingInterval,
  secondsOf,
  seesHours,
  stateOnArrival,
} from "./timeclock.policy.ts";

const berlin = new Zone("Europe/Berlin");
const hour = 3_600_000;
const at = (text: string) => Date.parse(text);

describe("the parts of an interval", () => {
  it.each([
    ["a day", "2026-11-18T08:00Z", "2026-11-18T10:30Z", [["2026-11-18", 2.5]]],
    [
      "a night",
      "2026-11-18T21:00Z",
      "2026-11-19T02:00Z",
      [
        ["2026-11-18", 2],
        ["2026-11-19", 3],
      ],
    ],
    [
      "the night of the change in October",
      "2026-10-24T20:00Z",
      "2026-10-25T07:00Z",
      [
        ["2026-10-24", 2],
        ["2026-10-25", 9],
      ],
    ],
    ["the whole day of 25 hours", "2026-10-24T22:00Z", "2026-10-25T23:00Z", [["2026-10-25", 25]]],
    ["the whole day of 23 hours", "2026-03-28T23:00Z", "2026-03-29T22:00Z", [["2026-03-29", 23]]],
    ["an end at midnight", "2026-11-18T20:00Z", "2026-11-18T23:00Z", [["2026-11-18", 3]]],
  ])("of %s lie on local days, in hours that passed", (_what, from, to, hours) => {
    const parts = dayParts(berlin, { from: at(from), to: at(to) });
    expect(parts.map(({ day, seconds }) => [day, seconds / 3600])).toEqual(hours);
  });

  it("have together as many seconds as the interval, and those of two that follow each other as the whole", () => {
    const instant = fc.integer({ min: at("2026-01-01T00:00Z"), max: at("2027-01-01T00:00Z") });
    const sum = (from: number, to: number) => dayParts(berlin, { from, to }).reduce((all, { seconds }) => all + seconds, 0);
    fc.assert(
      fc.property(instant, fc.nat(72 * hour), fc.nat(72 * hour), (from, first, second) => {
        const [middle, to] = [from + first, from + first + second];
        expect(sum(from, to)).toBe(secondsOf({ from, to }));
        expect(sum(from, middle) + sum(middle, to)).toBe(sum(from, to));
      }),
      { numRuns: 200 },
    );
  });
});

it.each([
  ["an end of now", { proposed: false, ending: "off" }, 0, "counted"],
  ["one within ten minutes", { proposed: false, ending: "off" }, 10, "counted"],
  ["one reported later", { proposed: false, ending: "off" }, 11, "proposed"],
  ["a change of job reported later", { proposed: false, ending: "switched" }, 11, "proposed"],
  ["an estimated one, which is known later", { proposed: false, ending: "silence" }, 20, "counted"],
  ["the longest time by hand", { proposed: false, ending: "limit" }, 20, "counted"],
  ["what duty calls a proposal", { proposed: true, ending: "off" }, 0, "proposed"],
])("%s", (_what, period, minutes, state) => {
  expect(stateOnArrival({ ...period, to: 0 }, minutes * 60_000)).toBe(state);
});

describe("a correction", () => {
  const now = at("2026-11-18T12:00Z");
  const old = { from: at("2026-11-17T08:00Z"), to: at("2026-11-17T10:00Z") };
  const wanted = (from: string, to: string, more = {}, entry = old) =>
    correctedInterval(berlin, { from, to, ...more }, entry, now);
  const code = (run: () => unknown) => {
    try {
      run();
      return null;
    } catch (error) {
      return (error as Error).message;
    }
  };

  it.each([
    ["2026-11-17T09:00", "2026-11-17T09:00", "timeclock.endBeforeStart"],
    ["2026-11-17T09:00", "2026-11-18T13:01", "timeclock.future"],
    ["2026-10-18T23:59", "2026-11-17T11:00", "timeclock.tooOld"],
    ["2026-11-17T09:00", "2026-11-17T11:00", "timeclock.unchanged"],
    ["2026-10-25T02:30", "2026-10-25T05:00", "timeclock.twiceTime"],
    ["2026-03-29T02:30", "2026-03-29T05:00", "timeclock.neverTime"],
    ["2026-02-31T02:30", "2026-11-17T05:00", "timeclock.noFrom"],
    ["2026-11-17T09:00", "2026-11-17T25:99", "timeclock.noTo"],
    ["2026-11-17T09:00", "2026-11-17T11:30", null],
    ["2026-10-19T00:00", "2026-11-17T11:00", null],
  ])("from %s to %s: %s", (from, to, expected) => {
    expect(code(() => wanted(from, to))).toBe(expected);
  });

  it("is refused in words that write days as the language does", () => {
    const said = (language: "en" | "de") => {
      const text = createErrorTexts(["timeclock"], language);
      return [
        text("timeclock.tooOld", { day: "2026-10-19" }),
        text("timeclock.twiceTime", { day: "2026-10-25", time: "02:30", zone: "Europe/Berlin" }),
      ];
    };
    expect(said("en")).toEqual([
      expect.stringContaining("from 19 Oct 2026 on"),
      expect.stringContaining("On 25 Oct 2026 the clock showed 02:30 twice (Europe/Berlin)"),
    ]);
    expect(said("de")).toEqual([
      expect.stringContaining("ab dem 19.10.2026"),
      expect.stringContaining("Am 25.10.2026 zeigte die Uhr zweimal 02:30 (Europe/Berlin)"),
    ]);
  });

  it("keeps the exact instant of a time that is left as it is shown", () => {
    const entry = { from: at("2026-11-17T08:00:00.250Z"), to: at("2026-11-17T10:00:30.500Z") };
    expect(wanted("2026-11-17T09:00:00", "2026-11-17T10:00", {}, entry).from).toBe(entry.from);
    expect(wanted("2026-11-17T08:30", "2026-11-17T11:00:30", {}, entry).to).toBe(entry.to);
    expect(code(() => wanted("2026-11-17T09:00:00", "2026-11-17T11:00:30", {}, entry))).toBe("timeclock.unchanged");
    const twice = { from: at("2026-10-25T01:30Z"), to: at("2026-10-25T05:00Z") };
    expect(wanted("2026-10-25T02:30", "2026-10-25T05:00", {}, twice).from).toBe(twice.from);
  });

  it("says which of two times it means", () => {
    const times = ["2026-10-25T02:30", "2026-10-25T05:00"] as const;
    const entry = { from: at("2026-10-24T23:00Z"), to: at("2026-10-25T04:00Z") };
    expect(wanted(...times, { fromWhich: "earlier" }, entry).from).toBe(at("2026-10-25T00:30Z"));
    expect(wanted(...times, { fromWhich: "later" }, entry).from).toBe(at("2026-10-25T01:30Z"));
  });

  it("is refused for an entry that is too old, also where the new beginning is not", () => {
    const entry = { from: at("2026-10-01T08:00Z"), to: at("2026-10-01T10:00Z") };
    expect(code(() => wanted("2026-11-17T09:00", "2026-11-17T11:30", {}, entry))).toBe("timeclock.tooOld");
  });
});

describe("a missing entry", () => {
  const missing = (from: string, to: string, which = {}) =>
    missingInterval(new Zone("Europe/Berlin"), { from, to, ...which }, Date.parse("2026-11-18T12:00Z"));
  const codeOf = (run: () => unknown) => {
    try {
      run();
    } catch (error) {
      return (error as Error).message;
    }
    return null;
  };

  it.each([
    ["2026-11-17T09:00", "2026-11-17T11:00", null],
    ["2026-11-17T11:00", "2026-11-17T11:00", "timeclock.endBeforeStart"],
    ["2026-11-18T12:00", "2026-11-18T13:00", null],
    ["2026-11-18T12:00", "2026-11-18T13:00:01", "timeclock.future"],
    ["2026-10-19T00:00", "2026-10-19T01:00", null],
    ["2026-10-18T23:59:59", "2026-10-19T01:00", "timeclock.tooOld"],
    ["2026-10-25T02:30", "2026-10-25T05:00", "timeclock.twiceTime"],
  ])("from %s to %s: %s", (from, to, expected) => {
    expect(codeOf(() => missing(from, to))).toBe(expected);
  });

  it("lasts an hour longer from the earlier of two times", () => {
    const lasts = (fromWhich: "earlier" | "later") => secondsOf(missing("2026-10-25T02:30", "2026-10-25T05:00", { fromWhich }));
    expect(lasts("earlier") - lasts("later")).toBe(3600);
  });
});

describe("whose hours somebody sees", () => {
  const viewer = (rights: Record<string, readonly string[] | null>) =>
    ({
      characterId: 1,
      job: "police",
      grade: 2,
      rights: { has: (id: string) => id in rights, attribute: (id: string) => rights[id] ?? undefined },
    }) as unknown as Viewer;
  it.each([
    ["without a right", {}, [true, false, false, false]],
    ["with that of lower grades", { "timeclock.view": ["own", "lower"] }, [true, true, false, false]],
    ["with that of the own grade", { "timeclock.view": ["own", "lower", "same"] }, [true, true, true, false]],
    ["with that of everybody", { "timeclock.view": ["own", "lower", "same", "any"] }, [true, true, true, true]],
    ["who decides", { "timeclock.approve": null }, [true, true, false, false]],
    ["with a right that names nobody", { "timeclock.view": [] }, [true, false, false, false]],
  ])("%s", (_what, rights, [own, lower, same, higher]) => {
    const seen = [
      { characterId: 1, grade: 2 },
      { characterId: 2, grade: 1 },
      { characterId: 3, grade: 2 },
      { characterId: 4, grade: 3 },
    ].map((person) => seesHours(viewer(rights), person));
    expect(seen).toEqual([own, lower, same, higher]);
  });
});

describe("days without an entry", () => {
  const day = 86_400_000;
  const now = 100 * day;
  it.each([
    ["from the last entry", { hiredAt: 10 * day, workedAt: 80 * day }, [], 20],
    ["from the hire where that is later", { hiredAt: 90 * day, workedAt: 80 * day }, [], 10],
    ["from the hire of somebody who never worked", { hiredAt: 85 * day, workedAt: null }, [], 15],
    ["of nobody knows when", { hiredAt: null, workedAt: null }, [], null],
    ["without days of absence", { hiredAt: null, workedAt: 80 * day }, [[85, 90]], 15],
    [
      "without the part of an absence that is over or to come",
      { hiredAt: null, workedAt: 80 * day },
      [
        [70, 82],
        [99, 110],
      ],
      17,
    ],
  ])("%s", (_what, person, absences, days) => {
    const away = absences.map(([from, to]) => ({ from: from! * day, to: to! * day }));
    expect(idleDays(person, away, now)).toBe(days);
  });
});
