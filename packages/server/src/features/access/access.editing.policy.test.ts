import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { definePermission } from "#core/contract/index.ts";
import {
  differences,
  editsRole,
  escalations,
  rightsEditorLoses,
  seesRole,
  revertGrants,
  withRole,
} from "./access.editing.policy.ts";
import { createRights, type Grants, heldRights, type GrantedRights, type Limits, type Rules } from "./access.policy.ts";
import { granted, readPermission, roleAt as role, rulesWith, writePermission } from "./access.testkit.ts";

const edit = "access.editRoles";
const permissions = [definePermission(edit), readPermission, writePermission];
const rulesOf = rulesWith(permissions);
const rightsAt = (rules: Rules, grade: number) => heldRights(rules, { job: "p", grade, jobAdmin: false });
const editorAt = (rules: Rules, grade: number, admin = false) => ({
  job: "p",
  grade,
  jobAdmin: admin ? { reason: "", until: 0 } : null,
  rights: createRights(rightsAt(rules, grade), ""),
});

describe("a viewer sees and edits a role", () => {
  const rules = rulesOf([role(0, { [edit]: true })]);
  test.each([
    ["p", 2, false, true, true],
    ["p", 3, false, true, false],
    ["p", 4, false, false, false],
    ["q", 0, false, false, false],
    ["p", 4, true, true, true],
    ["q", 0, true, true, true],
  ])("%s %i, job admin %s: sees %s, edits %s", (job, grade, admin, sees, edits) => {
    const editor = editorAt(rules, 3, admin);
    expect([seesRole(editor, job, grade), editsRole(editor, job, grade)]).toEqual([sees, edits]);
  });

  test("never edits without the right to edit roles", () => {
    expect(editsRole(editorAt(rulesOf([]), 3), "p", 1)).toBe(false);
  });
});

describe("an editor cannot give what they do not hold", () => {
  const before = [role(0, { "a.read": ["x"] }), role(2, { "a.write": false }), role(5, { [edit]: true, "a.read": ["x"] })];
  const tried = (grade: number, grants: Grants | null, roles = before, limits: Record<string, Limits> = {}) => {
    const rules = rulesOf(roles, limits);
    return escalations(rules, withRole(roles, "p", grade, grants), "p", grade, rightsAt(rules, 5));
  };

  test("by granting a permission or a value of an attribute", () => {
    expect(tried(1, granted({ "a.write": true }))).toEqual(["a.write"]);
    expect(tried(1, granted({ "a.read": ["x", "y"] }))).toEqual(["a.read fields"]);
    expect(tried(1, granted({ "a.read": ["x"], [edit]: true }))).toEqual([]);
    expect(tried(1, granted({ "a.read": false }))).toEqual([]);
  });

  test("by removing a refusal that hid a grant of a lower grade", () => {
    const roles = [role(0, { "a.write": true }), role(2, { "a.write": false }), role(5, { [edit]: true })];
    expect(tried(2, granted({}), roles)).toEqual(["a.write"]);
    expect(tried(2, null, roles)).toEqual(["a.write"]);
  });

  test("by removing a smaller value that hid a larger one", () => {
    const roles = [role(0, { "a.read": ["x", "y"] }), role(2, { "a.read": ["x"] }), role(5, { [edit]: true })];
    expect(tried(2, granted({ "a.read": true }), roles)).toEqual(["a.read fields"]);
  });

  test("by a grant that only holds once the limits are raised", () => {
    expect(tried(1, granted({ "a.write": true }), before, { p: new Map([[edit, {}]]) })).toEqual(["a.write"]);
  });

  test("but what the grade held before may stay", () => {
    const roles = [role(1, { "a.write": true }), role(3, { "a.write": false }), role(5, { [edit]: true })];
    expect(tried(1, granted({ "a.write": true, [edit]: true }), roles)).toEqual([]);
  });

  test("by any allowed change, at any grade", () => {
    const grant = fc.oneof(fc.boolean(), fc.subarray(["x", "y"]));
    const grants = fc.dictionary(fc.constantFrom(edit, "a.read", "a.write"), grant, { maxKeys: 3 }).map(granted);
    const roles = fc.uniqueArray(fc.record({ job: fc.constantFrom("p", ""), grade: fc.nat({ max: 5 }), grants }), {
      selector: (one) => `${one.job}${one.grade}`,
      maxLength: 6,
    });
    const has = (held: GrantedRights, id: string, field: string | null) =>
      field === null ? held[id] !== undefined : ((held[id]?.["fields"] as string[] | undefined) ?? []).includes(field);
    fc.assert(
      fc.property(roles, fc.nat({ max: 4 }), fc.option(grants, { nil: null }), (list, grade, after) => {
        const rules = rulesOf(list);
        const editor = rightsAt(rules, 5);
        const changed = withRole(list, "p", grade, after);
        if (escalations(rules, changed, "p", grade, editor).length > 0) return;
        for (let at = 0; at <= 6; at += 1)
          for (const { id } of permissions)
            for (const field of [null, "x", "y"])
              if (has(rightsAt({ ...rules, roles: changed }, at), id, field))
                expect(has(rightsAt(rules, at), id, field) || has(editor, id, field)).toBe(true);
      }),
      { seed: 3, numRuns: 300 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1) },
    );
  });
});

test("a change of a lower grade cannot take from the editor what they could not give back; job admin loses nothing", () => {
  const roles = [role(1, { [edit]: true, "a.read": ["x", "y"] }), role(4, { "a.read": ["x"] })];
  const rules = rulesOf(roles);
  const losses = (grade: number, grants: Grants | null, admin = false) =>
    rightsEditorLoses(rules, withRole(roles, "p", grade, grants), editorAt(rules, 5, admin));
  expect(losses(1, null)).toEqual([edit]);
  expect(losses(1, null, true)).toEqual([]);
  expect(losses(4, granted({ "a.read": [] }))).toEqual(["a.read fields"]);
  expect(losses(1, granted({ [edit]: true }))).toEqual([]);
  expect(losses(0, granted({ "a.read": false }))).toEqual([]);
});

test("undone differences restore the old grants and keep other changes", () => {
  const a = granted({ "a.read": ["x"], "a.write": true });
  const b = granted({ "a.read": ["x", "y"] });
  const changes = differences(a, b);
  expect(changes.map(({ permission }) => permission)).toEqual(["a.read", "a.write"]);
  expect(revertGrants(b, changes)).toEqual(a);
  const since = new Map([...b, ...granted({ [edit]: true })]);
  expect(revertGrants(since, changes)).toEqual(new Map([...granted({ [edit]: true }), ...a]));
  expect(differences(a, new Map([...a].toReversed()))).toEqual([]);
});
