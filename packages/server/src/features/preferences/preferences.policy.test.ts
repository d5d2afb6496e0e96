import { Type } from "typebox";
import { describe, expect, test } from "vitest";
import { definePreference } from "#core/contract/index.ts";
import { preferenceLimits } from "./preferences.contract.ts";
import { problemOf, readStored, storedText, tooMuch } from "./preferences.policy.ts";

const schema = Type.Object({ volume: Type.Integer({ minimum: 0, maximum: 100 }) }, { additionalProperties: false });
const base = { id: "x.sound", schema, default: { volume: 50 }, per: "account", version: 2 } as const;
const sound = definePreference(base);
const fromLoudness = definePreference({
  ...base,
  fromPrevious: (value) => ({ volume: (value as { loudness: number }).loudness * 10 }),
});

describe("a value", () => {
  test.each<[string, unknown, string | null]>([
    ["that fits", { volume: 3 }, null],
    ["with a field beyond its range", { volume: 101 }, "volume"],
    ["without a field", {}, "volume"],
    ["with an unknown field", { volume: 3, bass: 1 }, "bass"],
    ["of another shape", "loud", ""],
  ])("%s", (_what, value, field) => {
    expect(problemOf(sound, value)?.field ?? null).toBe(field);
  });
});

describe("a stored value is read", () => {
  test.each<[string, number, unknown, unknown]>([
    ["as it is", 2, { volume: 7 }, { volume: 7 }],
    ["as the default when it does not fit any more", 2, { volume: 700 }, { volume: 50 }],
    ["as it is when the previous version stored it and it fits", 1, { volume: 7 }, { volume: 7 }],
    ["as the default when it is two versions old", 0, { volume: 7 }, { volume: 50 }],
    ["as the default when a newer version stored it", 3, { volume: 7 }, { volume: 50 }],
  ])("%s", (_what, v, value, read) => {
    expect(readStored(sound, JSON.stringify({ v, value }))).toEqual(read);
  });

  test("by the rule for the previous version, which those of the present one do not pass through", () => {
    expect(readStored(fromLoudness, JSON.stringify({ v: 1, value: { loudness: 4 } }))).toEqual({ volume: 40 });
    expect(readStored(fromLoudness, storedText(fromLoudness, { volume: 4 }))).toEqual({ volume: 4 });
  });
});

describe("sizes", () => {
  const one = "a".repeat(preferenceLimits.one);
  test("are counted in bytes, each and in all", () => {
    expect(tooMuch(one, [])).toBeNull();
    expect(tooMuch(`${one}a`, [])).toBe("one");
    expect(tooMuch("ä".repeat(preferenceLimits.one / 2 + 1), [])).toBe("one");
    const others = Array.from({ length: Math.floor(preferenceLimits.all / preferenceLimits.one) }, () => one);
    expect(tooMuch(one, others.slice(1))).toBeNull();
    expect(tooMuch(one, others)).toBe("all");
  });
});
