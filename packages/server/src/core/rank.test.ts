import { describe, expect, test } from "vitest";
import { covers, reachOf } from "./rank.ts";

describe("a rank", () => {
  const viewer = { characterId: 1, job: "police", grade: 3 };
  const own = { ...viewer, grade: 5 };
  const lower = { characterId: 2, job: "police", grade: 2 };
  const same = { ...lower, grade: 3 };
  const higher = { ...lower, grade: 4 };
  const elsewhere = { ...lower, job: "taxi" };
  const creators = { own, lower, same, higher, elsewhere };

  test.each([
    [undefined, []],
    [[], []],
    [["own"], ["own"]],
    [["lower"], ["own", "lower"]],
    [
      ["own", "same"],
      ["own", "lower", "same"],
    ],
    [["any"], ["own", "lower", "same", "higher", "elsewhere"]],
    [["unknown"], []],
  ])("%j reaches what was created by %j", (value, expected) => {
    const reached = Object.entries(creators).filter(([, creator]) => covers(reachOf(value, viewer), viewer, creator));
    expect(reached.map(([name]) => name)).toEqual(expected);
  });
});
