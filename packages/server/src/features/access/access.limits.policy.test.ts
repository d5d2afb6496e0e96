import { describe, expect, test } from "vitest";
import type { PermissionDefinition } from "#core/contract/index.ts";
import { limitDifferences, sameLimits, undoneLimits } from "./access.limits.policy.ts";
import type { Limits } from "./access.policy.ts";

const fields = { fields: { type: "strings", values: ["x", "y"] } } as const;
const permissions: readonly PermissionDefinition[] = [
  { id: "a.read", attributes: fields },
  { id: "a.write", attributes: {} },
];
const limits = (given: Record<string, Record<string, string[]>>): Limits => new Map(Object.entries(given));

describe("limits are the same", () => {
  test.each([
    [null, null, true],
    [null, limits({}), false],
    [limits({ "a.read": { fields: ["x"] }, "a.write": {} }), limits({ "a.write": {}, "a.read": { fields: ["x"] } }), true],
    [limits({ "a.read": { fields: ["x"] } }), limits({ "a.read": {} }), false],
  ])("case %#", (a, b, same) => {
    expect(sameLimits(a, b)).toBe(same);
    expect(sameLimits(b, a)).toBe(same);
  });
});

test("differences are between what may be handed out; without limits that is everything", () => {
  const some = limits({ "a.read": { fields: ["x"] } });
  expect(limitDifferences(permissions, { was: null, became: some })).toEqual([
    { permission: "a.read", before: {}, after: { fields: ["x"] } },
    { permission: "a.write", before: {}, after: null },
  ]);
  expect(limitDifferences(permissions, { was: some, became: null })).toEqual([
    { permission: "a.read", before: { fields: ["x"] }, after: {} },
    { permission: "a.write", before: null, after: {} },
  ]);
  expect(limitDifferences(permissions, { was: limits({}), became: some })).toEqual([
    { permission: "a.read", before: null, after: { fields: ["x"] } },
  ]);
});

describe("a change of limits is undone", () => {
  const change = { was: limits({ "a.read": { fields: ["x"] } }), became: limits({ "a.read": {}, "a.write": {} }) };

  test("and later changes stay", () => {
    const now = limits({ "a.read": {}, "a.write": {}, "b.list": {} });
    expect(undoneLimits(now, change)).toEqual({
      limits: limits({ "b.list": {}, "a.read": { fields: ["x"] } }),
      restored: limits({ "a.read": { fields: ["x"] } }),
    });
  });

  test("but not when a later one touched the same permission", () => {
    expect(undoneLimits(limits({ "a.read": { fields: ["y"] }, "a.write": {} }), change)).toEqual({ changedSince: "a.read" });
    expect(undoneLimits(limits({ "a.read": {} }), change)).toEqual({ changedSince: "a.write" });
    expect(undoneLimits(change.was, change)).toEqual({ changedSince: "a.read" });
    expect(undoneLimits(null, change)).toEqual({ changedSince: null });
  });

  test("as a whole when it set or lifted the limits, but not when they changed since", () => {
    const some = limits({ "a.write": {} });
    expect(undoneLimits(some, { was: null, became: some })).toEqual({ limits: null, restored: new Map() });
    expect(undoneLimits(limits({}), { was: null, became: some })).toEqual({ changedSince: null });
    expect(undoneLimits(null, { was: some, became: null })).toEqual({ limits: some, restored: some });
    expect(undoneLimits(some, { was: some, became: null })).toEqual({ changedSince: null });
  });
});
