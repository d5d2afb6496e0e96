import { describe, expect, test } from "vitest";
import { type Effect, effectsOf, type Held, overfull, pairOf, undoOf } from "./colleagues.given.policy.ts";

const endOf = (day: string) => Date.parse(day);
const lastDay = (endsAt: number | null) => (endsAt === null ? null : new Date(endsAt).toISOString().slice(0, 10));
const day = "2026-12-31";
const held = new Map<string, Held>([
  ["1 3", { name: "Training", endsAt: null }],
  ["1 4", { name: "Armoury", endsAt: endOf(day) }],
]);
const effects = (...changes: Parameters<typeof effectsOf>[0]) => effectsOf(changes, held, endOf);
const undone = (all: readonly Effect[]) => all.map((one) => undoOf(one, lastDay));

describe("changes of labels", () => {
  test.each([
    ["given for the first time", { id: 2, label: 3, given: true }, [{ id: 2, label: 3, given: false }]],
    ["given again", { id: 1, label: 3, given: true }, []],
    ["given until the same day", { id: 1, label: 4, given: true, until: day }, []],
    ["given until a day", { id: 1, label: 3, given: true, until: day }, [{ id: 1, label: 3, given: true, until: null }]],
    ["given without an end", { id: 1, label: 4, given: true, until: null }, [{ id: 1, label: 4, given: true, until: day }]],
    ["taken", { id: 1, label: 4, given: false }, [{ id: 1, label: 4, given: true, until: day }]],
    ["taken where it is not", { id: 2, label: 4, given: false }, []],
  ] as const)("%s: the way back", (_name, change, undo) => {
    expect(undone(effects(change))).toEqual(undo);
  });

  test("of several of one label the last one counts", () => {
    expect(effects({ id: 2, label: 3, given: true }, { id: 2, label: 3, given: false })).toEqual([]);
  });
});

describe("too many labels", () => {
  test("are those that are given beyond the limit", () => {
    expect(overfull(effects({ id: 1, label: 5, given: true }), held, 2)).toBe(1);
    expect(overfull(effects({ id: 1, label: 5, given: true }), held, 3)).toBeNull();
  });

  test("are not one that takes the place of another, nor another end", () => {
    expect(overfull(effects({ id: 1, label: 5, given: true }, { id: 1, label: 3, given: false }), held, 2)).toBeNull();
    expect(overfull(effects({ id: 1, label: 4, given: true }), held, 1)).toBeNull();
  });
});

test("a pair names person and label", () => {
  expect(pairOf({ id: 1, label: 3 })).toBe("1 3");
});
