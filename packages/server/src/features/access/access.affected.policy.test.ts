import { describe, expect, test } from "vitest";
import { affectedGrades, alteredPermissions, namedChanges } from "./access.affected.policy.ts";
import { withRole } from "./access.editing.policy.ts";
import type { Role } from "./access.policy.ts";
import { granted, readPermission, roleAt as role, rulesWith, type ShortGrants, writePermission } from "./access.testkit.ts";

const rules = rulesWith([readPermission, writePermission]);
const changed = (roles: readonly Role[], grade: number, grants: ShortGrants | null) =>
  affectedGrades(rules(roles), rules(withRole(roles, "p", grade, grants && granted(grants))), "p");

test("of the changes of a grade, five of a kind are named, and all are counted", () => {
  const many = ["a", "b", "c", "d", "e", "f", "g"];
  expect(namedChanges({ gained: many, lost: ["h"], altered: [] })).toEqual({
    gained: { first: ["a", "b", "c", "d", "e"], count: 7 },
    lost: { first: ["h"], count: 1 },
  });
});

describe("the grades that a change of a role affects", () => {
  const roles = [role(0, { "a.read": ["x"] }), role(3, { "a.read": false }), role(5, { "a.read": ["x"] })];

  test("a new role affects its grade and those above, up to the next role that says otherwise", () => {
    expect(changed(roles, 1, { "a.write": true })).toEqual([
      { from: 1, to: 2, lost: [], gained: ["a.write"], altered: [] },
      { from: 3, to: 4, lost: [], gained: ["a.write"], altered: [] },
      { from: 5, to: null, lost: [], gained: ["a.write"], altered: [] },
    ]);
    expect(changed(roles, 1, { "a.read": false })).toEqual([{ from: 1, to: 2, lost: ["a.read"], gained: [], altered: [] }]);
  });

  test("a deleted role gives and takes", () => {
    const found = changed([...roles, role(2, { "a.read": ["x", "y"], "a.write": true })], 2, null);
    expect(found[0]).toEqual({ from: 2, to: 2, lost: ["a.write"], gained: [], altered: ["a.read"] });
    expect(alteredPermissions(found)).toEqual({ lost: ["a.write"], gained: [], altered: ["a.read"] });
  });

  test("what has no effect affects nobody: the same as below, an empty role, the same values in another order", () => {
    expect(changed(roles, 1, { "a.read": ["x"] })).toEqual([]);
    expect(changed(roles, 1, {})).toEqual([]);
    expect(changed([role(0, { "a.read": ["x", "y"] })], 0, { "a.read": ["y", "x"] })).toEqual([]);
  });

  test("what the limits of the job cut off affects nobody; changed limits do", () => {
    const limited = rules([role(0, { "a.write": true })], { p: new Map([["a.read", {}]]) });
    expect(affectedGrades(rules([], { p: new Map([["a.read", {}]]) }), limited, "p")).toEqual([]);
    expect(affectedGrades(limited, rules([role(0, { "a.write": true })]), "p")).toEqual([
      { from: 0, to: null, lost: [], gained: ["a.write"], altered: [] },
    ]);
  });

  test("other jobs and the default role are not looked at", () => {
    const before = rules([role(0, { "a.write": true }, "q")]);
    expect(affectedGrades(before, rules([]), "p")).toEqual([]);
    expect(affectedGrades(rules([role(0, { "a.write": true }, "")]), rules([]), "")).toEqual([]);
  });
});
