import { describe, expect, test } from "vitest";
import type { AttributeValue } from "#core/contract/index.ts";
import {
  changeable,
  crewsByCallsign,
  jobsChanged,
  kindsSeen,
  reachesNobody,
  reachOfField,
  requireChange,
  sees,
} from "./colleagues.policy.ts";

type Held = Record<string, Record<string, AttributeValue>>;

const viewerWith = (held: Held) => ({
  characterId: 1,
  job: "police",
  grade: 3,
  rights: {
    epoch: "1",
    has: (id: string) => id in held,
    attribute: (id: string, name: string) => held[id]?.[name],
    all: () => held,
  },
});
const people = {
  self: { id: 1, grade: 3 },
  lower: { id: 2, grade: 2 },
  same: { id: 3, grade: 3 },
  higher: { id: 4, grade: 4 },
};
const named = (test: (one: { id: number; grade: number }) => boolean) =>
  Object.entries(people).flatMap(([name, one]) => (test(one) ? [name] : []));

describe("whose note a viewer reads", () => {
  test.each([
    ["without the right", {}, []],
    ["without the field", { "colleagues.view": { fields: ["labels"], whose: ["any"] } }, []],
    ["without a rank", { "colleagues.view": { fields: ["note"] } }, []],
    ["of their own", { "colleagues.view": { fields: ["note"], whose: ["own"] } }, ["self"]],
    ["of lower grades", { "colleagues.view": { fields: ["note"], whose: ["lower"] } }, ["self", "lower"]],
    ["up to the same grade", { "colleagues.view": { fields: ["note"], whose: ["same"] } }, ["self", "lower", "same"]],
    ["of anyone", { "colleagues.view": { fields: ["note"], whose: ["any"] } }, ["self", "lower", "same", "higher"]],
  ] as const)("%s", (_name, held, expected) => {
    const viewer = viewerWith(held);
    expect(named((one) => sees(viewer, "note", one))).toEqual(expected);
    expect(reachesNobody(reachOfField(viewer, "note"))).toBe(expected.length === 0);
  });
});

describe("what a viewer changes", () => {
  const edits = { "colleagues.edit": { fields: ["note", "name"], whose: ["lower"] } };
  const viewer = viewerWith({ ...edits, "colleagues.view": { fields: ["note"], whose: ["lower"] } });

  test("depends on the grade", () => {
    expect(changeable(viewer, people.lower)).toEqual(["note", "name"]);
    expect(changeable(viewer, people.same)).toEqual([]);
  });

  test("is refused with what is missing", () => {
    expect(() => requireChange(viewer, ["labels"], { ...people.lower, name: "Mara" })).toThrow("colleagues.fieldHidden");
    expect(() => requireChange(viewer, ["note"], { ...people.higher, name: "Mara" })).toThrow("colleagues.notYours");
    expect(() => requireChange(viewer, ["note"], { ...people.lower, name: "Mara" })).not.toThrow();
  });

  test("leaves out what the viewer does not see", () => {
    const blind = viewerWith(edits);
    expect(changeable(blind, people.lower)).toEqual(["name"]);
    expect(() => requireChange(blind, ["note"], { ...people.lower, name: "Mara" })).toThrow("colleagues.fieldHidden");
    expect(() => requireChange(blind, ["name"], { ...people.lower, name: "Mara" })).not.toThrow();
  });
});

test("kinds of activities are those of the right, and one that is not among them is refused", () => {
  const viewer = viewerWith({ "colleagues.activity": { kinds: ["left", "hired"], whose: ["any"] } });
  expect(kindsSeen(viewer, undefined)).toEqual(["hired", "left"]);
  expect(kindsSeen(viewer, "left")).toEqual(["left"]);
  expect(() => kindsSeen(viewer, "note")).toThrow("colleagues.fieldHidden");
});

test("a callsign finds the crew of its unit by its beginning, without case, and nobody by nothing", () => {
  const units = [
    { callsign: "Adam 1", crew: [1, 2] },
    { callsign: "Boat 1", crew: [3] },
    { callsign: null, crew: [4] },
  ];
  expect([...crewsByCallsign(units, " adam ")]).toEqual([
    [1, "Adam 1"],
    [2, "Adam 1"],
  ]);
  expect([...crewsByCallsign(units, "1").keys()]).toEqual([]);
  expect([...crewsByCallsign(units, " ").keys()]).toEqual([]);
});

test.each([
  ["labels", [], [], []],
  ["a hire", ["staff"], ["police"], []],
  ["a suffix", ["names"], [], ["police"]],
  ["anything, as an earlier program says it", undefined, ["police"], ["police"]],
] as const)("after a change of %s only what may be another is read again", (_what, about, staff, names) => {
  const change = { jobs: ["police"], ...(about === undefined ? {} : { about: [...about] }) };
  expect([jobsChanged(change, "staff"), jobsChanged(change, "names")]).toEqual([staff, names]);
});
