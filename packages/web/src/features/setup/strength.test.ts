import { describe, expect, it } from "vitest";
import { strengthOf } from "./strength.ts";

describe("the strength of a password", () => {
  it.each([
    ["seven77", "short"],
    ["password", "weak"],
    ["aaaaaaaaaaaaaaaaaaaaaaaa", "weak"],
    ["mara.mara.mara", "weak"],
    ["quiet harbour", "fair"],
    ["a quiet harbour at night", "strong"],
    ["kZ8!pQ2?vN4-", "strong"],
  ])("%s is %s", (password, strength) => {
    expect(strengthOf(password, "mara", 8)).toBe(strength);
  });
});
