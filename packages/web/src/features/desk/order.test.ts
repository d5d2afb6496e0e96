import { describe, expect, it, test } from "vitest";
import { exampleCall } from "@rollcall/server/contract/calls";
import { exampleUnit, type Unit } from "@rollcall/server/contract/units";
import { type Happening, happenings, mostHappenings, type Shown } from "./feed.ts";
import { callRows, heldRows, placesOf, quietOf, unitGroups, waited, waitingOf, workOf } from "./order.ts";

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

test("a panic takes the top row, whatever its priority and wait", () => {
  const calls = [
    call(1, { priority: 1, waitingSince: at }),
    call(2, { priority: 5, waitingSince: at + 9, kind: "panic" }),
    call(3, { priority: 1, waitingSince: at + 5, kind: "panic" }),
  ];
  expect(callRows(calls).map(({ id }) => id)).toEqual([3, 2, 1]);
});

test("under the pointer rows stay where they are, also those that have ended; new ones come last, a panic first", () => {
  const now = [
    call(1, { priority: 1, waitingSince: at }),
    call(2, { priority: 3, waitingSince: at }),
    call(3, { priority: 2, waitingSince: at, state: "completed" }),
    call(4, { priority: 1, waitingSince: at + 1 }),
    call(5, { kind: "panic" }),
  ];
  const ids = (held: readonly number[] | null) => heldRows(callRows(now), held, now).map(({ id }) => id);
  expect(ids(null)).toEqual([5, 1, 4, 2]);
  expect(ids([2, 3, 1, 9])).toEqual([5, 2, 3, 1, 4]);
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
  const shown = (calls: readonly ReturnType<typeof call>[], units: readonly Unit[] = [], now = 99): Shown => ({
    calls,
    units,
    at: now,
  });
  const fire = (more: Partial<typeof exampleCall> = {}) => call(1, { message: "Fire", createdAt: 10, waitingSince: 10, ...more });

  test("says what the present state shows, and keeps what it no longer shows", () => {
    const before = happenings([], null, shown([fire({ units: [on(1, { since: 20 })] })]));
    expect(keys(before)).toEqual(["enRoute Adam 1", "created Fire"]);
    const later = happenings(
      before,
      null,
      shown(
        [fire({ units: [on(1, { since: 30, state: "onScene", needsHelp: true })] })],
        [unit(1, { status: status("busy", 15) })],
      ),
    );
    expect(keys(later)).toEqual(["onScene Adam 1", "needsHelp Adam 1", "enRoute Adam 1", "busy Adam 1", "created Fire"]);
  });

  test("names how a call ended and that it was reopened", () => {
    const ended = { at: 40, by: "Ida", text: "Two arrests" };
    const [one] = happenings([], null, shown([fire({ state: "completed", ended })]));
    expect(one).toMatchObject({ what: "completed", about: "Two arrests", at: 40, call: 1 });
    expect(keys(happenings([], null, shown([fire({ waitingSince: 50 })])))).toEqual(["reopened Fire", "created Fire"]);
  });

  test("names panics, calls that were split off, and calls that were merged into another one", () => {
    const ended = { at: 40, by: "Ida", text: null };
    const calls = [
      fire({ id: 2, kind: "panic", message: "PANIC", createdAt: 30, waitingSince: 30 }),
      fire({ id: 3, createdAt: 20, waitingSince: 10 }),
      fire({ state: "merged", mergedInto: 7, ended }),
    ];
    expect(keys(happenings([], null, shown(calls)))).toEqual(["merged #7", "panic PANIC", "split Fire", "created Fire"]);
  });

  test("says that a call is to be handed over, and whether it was", () => {
    const [police, medics] = [
      { name: "police", label: "Police" },
      { name: "ambulance", label: "Medics" },
    ];
    const handOver = { from: police, to: medics, at: 60, by: "Ida", unanswered: false };
    const asked = shown([fire({ handOver, jobs: [police, medics] })]);
    const first = happenings([], null, asked);
    expect(keys(first)).toEqual(["handOver Medics", "created Fire"]);
    expect(happenings(first, asked, asked)).toEqual(first);
    const taken = shown([fire({ jobs: [medics] })], [], 70);
    expect(happenings(first, asked, taken)[0]).toMatchObject({ what: "handedOver", about: "Medics", at: 70, call: 1 });
    const declined = shown([fire({ jobs: [police] })], [], 70);
    expect(keys(happenings(first, asked, declined))).toEqual(["handOverOver Medics", "handOver Medics", "created Fire"]);
  });

  test("keeps so much and no more", () => {
    const many = Array.from({ length: 500 }, (_one, id) => call(id, { createdAt: id, waitingSince: id }));
    const kept = happenings([], null, shown(many));
    expect([kept.length, kept[0]!.call]).toEqual([mostHappenings, 499]);
  });
});

test("while nothing is open, people on duty, free units and what ended are counted", () => {
  const units = [
    unit(1, { status: status("available", 1) }),
    unit(2, { status: status("busy", 1) }),
    unit(3, { status: status("available", 1), grey: true }),
    unit(4, { crew: [] }),
    unit(5, { deleted: true }),
  ];
  const crews = exampleUnit.crew.length;
  const calls = [call(1, { state: "completed" }), call(2, { state: "merged" }), call(3)];
  expect(quietOf(calls, { items: units, free: [1, 2] })).toEqual({ people: 3 * crews + 2, crewed: 3, available: 1, ended: 1 });
});
