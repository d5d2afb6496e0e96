import { describe, expect, test } from "vitest";
import { preferenceLimits } from "#features/preferences/preferences.contract.ts";
import { problemOf, storedText } from "#features/preferences/preferences.policy.ts";
import { features } from "./features.ts";

const declared = features.flatMap(({ name, contract }) => (contract.preferences ?? []).map((one) => ({ name, one })));

describe.each(declared)("the preference $one.id", ({ name, one }) => {
  test("has the feature in its name, and a default that it would accept", () => {
    expect(one.id.startsWith(`${name}.`)).toBe(true);
    expect(problemOf(one, one.default)).toBeNull();
    expect(storedText(one, one.default).length).toBeLessThan(preferenceLimits.one);
  });

  test("refuses fields that it does not know", () => {
    const value = typeof one.default === "object" ? { ...one.default, unknownField: 1 } : Symbol("other");
    expect(problemOf(one, value)).not.toBeNull();
  });
});
