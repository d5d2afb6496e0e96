import { describe, expect, test } from "vitest";
import type { AppError } from "#core/errors.ts";
import { kindOf, movesAllowed, requireMove } from "./colleagues.moves.policy.ts";

const viewer = (rights: Record<string, Record<string, readonly string[]>>, grade = 3) => ({
  characterId: 1,
  job: "police",
  grade,
  rights: {
    epoch: "",
    has: (right: string) => rights[right] !== undefined,
    attribute: (right: string, name: string) => rights[right]?.[name],
    all: () => rights,
  },
});

function codeOf(work: () => void): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return (error as AppError).definition.code;
  }
}

test.each([
  [null, 0, "hire"],
  [2, null, "dismiss"],
  [1, 2, "promote"],
  [2, 1, "demote"],
  [1, 1, null],
  [null, null, null],
] as const)("from grade %s to %s is %s", (expected, grade, kind) => {
  expect(kindOf(expected, grade)).toBe(kind);
});

describe("moves", () => {
  const all = { "colleagues.hire": {}, "colleagues.promote": { whose: ["any"] }, "colleagues.dismiss": { whose: ["any"] } };
  const of = (id: number, grade: number) => ({ id, grade, name: "Mara Lind" });

  test.each([
    ["promote", of(2, 1), 2, all, null],
    ["promote", of(2, 2), 3, all, "colleagues.gradeTooHigh"],
    ["promote", of(2, 3), 4, all, "colleagues.moveOfHigher"],
    ["demote", of(2, 3), 0, all, "colleagues.moveOfHigher"],
    ["demote", of(1, 2), 0, all, "colleagues.moveOfSelf"],
    ["dismiss", of(2, 2), null, all, null],
    ["dismiss", of(2, 3), null, all, "colleagues.moveOfHigher"],
    ["hire", null, 2, all, null],
    ["hire", null, 3, all, "colleagues.gradeTooHigh"],
    ["hire", null, 0, { "colleagues.promote": { whose: ["any"] } }, "colleagues.moveHidden"],
    ["dismiss", of(2, 0), null, { "colleagues.promote": { whose: ["any"] } }, "colleagues.moveHidden"],
    ["promote", of(2, 0), 1, { "colleagues.promote": { whose: ["own"] } }, "colleagues.notYours"],
    ["promote", of(2, 2), 1, { "colleagues.promote": { whose: ["lower"] } }, null],
  ] as const)("%s of %j to %s with %j: %s", (kind, subject, grade, rights, code) => {
    expect(codeOf(() => requireMove(viewer(rights as never), kind, subject, grade))).toBe(code);
  });

  test("are offered for those who can be reached, and for nobody by the lowest grade", () => {
    expect(movesAllowed(viewer(all as never), of(2, 2))).toEqual(["promote", "dismiss"]);
    expect(movesAllowed(viewer(all as never), of(2, 3))).toEqual([]);
    expect(movesAllowed(viewer(all as never), of(1, 2))).toEqual([]);
    expect(movesAllowed(viewer(all as never), null)).toEqual(["hire"]);
    expect(movesAllowed(viewer(all as never, 0), null)).toEqual([]);
  });
});
