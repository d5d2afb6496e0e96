import { describe, expect, it, test } from "vitest";
import { exampleCall } from "@rollcall/server/contract/calls";
import { exampleUnit, type Unit } from "@rollcall/server/contract/units";
import { type Happening, happenings, mostHappenings } from "./feed.ts";
import { callRows, placesOf, unitGroups, waited, waitingOf, workOf } from "./rows.ts";

const at = exampleCall.createdAt;
const call = (id: number, more: Partial<typeof exampleCall> = {}) => ({ ...exampleCall, id, ...more });
const unit = (id: number, more: Partial<Unit> = {}): Unit => ({ ...exampleUnit, id, name: `Adam ${id}`, ...more });
const status = (base: Unit["status"]["base"], since: number) => ({ ...exampleUnit.status, base, since });
const on = (id: number, more: object = {}) => ({
  ...{ id: 30 + id, version: 1, needsHelp: false, since: at + 5, until: null, mine: false, may: [], state: "enRoute" as const },
  unit: { id, name: `Adam ${id}`, callsign: null, colour: "#000000", job: { name: "police", label: "Police" } },
  ...more,
});

test("calls stand by priority and then by age, and those that have ended are left out", () => {
  const calls = [
    call(1, { priority: 3, waitingSince: at }),
    call(2, { priority: 1, waitingSince: at + 9 }),
    call(3, { priority: 1, waitingSince: at + 2 }),
    call(4, { priority: 1, waitingSince: at, state: "completed" }),
  ];
  expect(callRows(calls).map(({ id }) => id)).toEqual([3, 2, 1]);
});

it.each([
  [0, 0],
  [150_000, 0.5],
  [900_000, 1],
  [-10_000, 0],
])("after %d ms of 300 s, %d of the limit is over", (ms, share) => expect(waited(at, 300, at + ms)).toBe(share));

test("the oldest call that nobody was asked for is named", () => {
  const calls = [
    call(1, { progress: "enRoute", waitingSince: at }),
    call(2, { waitingSince: at + 7 }),
    call(3, { waitingSince: at + 4 }),
  ];
  expect(waitingOf(calls)).toEqual({ count: 2, since: at + 4 });
  expect(waitingOf([])).toEqual({ count: 0, since: null });
});

test("units stand by status, available ones first, grey ones last in each, without removed ones", () => {
  const groups = unitGroups([
    unit(1, { status: status("busy", 1) }),
    unit(2, { status: status("available", 1), grey: true }),
    unit(3, { status: status("available", 9) }),
    unit(4, { status: status("available", 5) }),
    unit(5, { status: status("break", 5), deleted: true }),
  ]);
  expect(groups.map(({ base, units }) => [base, ...units.map(({ id }) => id)])).toEqual([
    ["available", 4, 3, 2],
    ["busy", 1],
  ]);
});

test("a unit is where its call is, otherwise at home; an empty one is nowhere", () => {
  const calls = [
    call(1, { postal: "77", units: [on(1)] }),
    call(2, { postal: "9" }),
    call(3, { postal: null, place: null, units: [on(2)] }),
    call(4, { postal: null, units: [on(5)] }),
  ];
  const units = [
    unit(1, { homePostal: "9" }),
    unit(2, { homePostal: "118" }),
    unit(3, { homePostal: "9", crew: [] }),
    unit(4, { homePostal: null }),
    unit(5),
  ];
  expect([...workOf(calls).keys()]).toEqual([1, 2, 5]);
  expect(
    placesOf(calls, units).map(({ at: name, calls: there, units: crews }) => [
      name,
      there.map(({ id }) => id),
      crews.map(({ unit: { id }, home }) => `${id}${home ? " home" : ""}`),
    ]),
  ).toEqual([
    ["9", [2], []],
    ["77", [1], ["1"]],
    ["216, -810", [4], ["5"]],
    ["118", [], ["2 home"]],
  ]);
});

describe("the feed", () => {
  const keys = (list: readonly Happening[]) => list.map(({ what, about }) => `${what} ${about}`);

  test("says what the present state shows, and keeps what it no longer shows", () => {
    const before = happenings(
      [],
      [call(1, { message: "Fire", createdAt: 10, waitingSince: 10, units: [on(1, { since: 20 })] })],
      [],
    );
    expect(keys(before)).toEqual(["enRoute Adam 1", "created Fire"]);
    const later = happenings(
      before,
      [
        call(1, {
          message: "Fire",
          createdAt: 10,
          waitingSince: 10,
          units: [on(1, { since: 30, state: "onScene", needsHelp: true })],
        }),
      ],
      [unit(1, { status: status("busy", 15) })],
    );
    expect(keys(later)).toEqual(["onScene Adam 1", "needsHelp Adam 1", "enRoute Adam 1", "busy Adam 1", "created Fire"]);
  });

  test("names how a call ended and that it was reopened", () => {
    const ended = { at: 40, by: "Ida", text: "Two arrests" };
    const [one] = happenings([], [call(1, { createdAt: 10, waitingSince: 10, state: "completed", ended })], []);
    expect(one).toMatchObject({ what: "completed", about: "Two arrests", at: 40, call: 1 });
    expect(keys(happenings([], [call(1, { message: "Fire", createdAt: 10, waitingSince: 50 })], []))).toEqual([
      "reopened Fire",
      "created Fire",
    ]);
  });

  test("keeps so much and no more", () => {
    const many = Array.from({ length: 500 }, (_one, id) => call(id, { createdAt: id, waitingSince: id }));
    const kept = happenings([], many, []);
    expect([kept.length, kept[0]!.call]).toEqual([mostHappenings, 499]);
  });
});
