import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { definePermission } from "#core/contract/index.ts";
import { differences, editsRole, escalations, ownLosses, seesRole, takeBack, withRole } from "./access.editing.policy.ts";
import {
  createRights,
  type Grant,
  type Grants,
  heldRights,
  type Held,
  type Limits,
  type Role,
  type Rules,
} from "./access.policy.ts";

const edit = "access.editRoles";
const permissions = [
  definePermission(edit),
  definePermission("a.read", { fields: { type: "strings", values: ["x", "y"] } }),
  definePermission("a.write"),
];
const granted = (grants: Record<string, boolean | string[]>): Grants =>
  new Map(
    Object.entries(grants).map(([id, said]): [string, Grant] => [
      id,
      { allow: said !== false, attributes: Array.isArray(said) ? { fields: said } : {} },
    ]),
  );
const role = (grade: number, grants: Record<string, boolean | string[]>, job = "p"): Role => ({
  job,
  grade,
  grants: granted(grants),
});
const rulesOf = (roles: Role[], limits: Record<string, Limits> = {}): Rules => ({
  permissions,
  roles,
  limits: new Map(Object.entries(limits)),
});
const rightsAt = (rules: Rules, grade: number) => heldRights(rules, { job: "p", grade, jobAdmin: false });
const editorAt = (rules: Rules, grade: number, admin = false) => ({
  job: "p",
  grade,
  jobAdmin: admin ? { reason: "", until: 0 } : null,
  rights: createRights(rightsAt(rules, grade), ""),
});

describe("who sees and edits which role", () => {
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

  test("without the right to edit nothing is edited", () => {
    expect(editsRole(editorAt(rulesOf([]), 3), "p", 1)).toBe(false);
  });
});

describe("nobody gives away what he does not hold", () => {
  const before = [role(0, { "a.read": ["x"] }), role(2, { "a.write": false }), role(5, { [edit]: true, "a.read": ["x"] })];
  const tried = (grade: number, grants: Grants | null, roles = before, limits: Record<string, Limits> = {}) => {
    const rules = rulesOf(roles, limits);
    return escalations(rules, withRole(roles, "p", grade, grants), "p", grade, rightsAt(rules, 5));
  };

  test("a permission or a value of an attribute", () => {
    expect(tried(1, granted({ "a.write": true }))).toEqual(["a.write"]);
    expect(tried(1, granted({ "a.read": ["x", "y"] }))).toEqual(["a.read fields"]);
    expect(tried(1, granted({ "a.read": ["x"], [edit]: true }))).toEqual([]);
    expect(tried(1, granted({ "a.read": false }))).toEqual([]);
  });

  test("by taking away a refusal that stood before an older grant", () => {
    const roles = [role(0, { "a.write": true }), role(2, { "a.write": false }), role(5, { [edit]: true })];
    expect(tried(2, granted({}), roles)).toEqual(["a.write"]);
    expect(tried(2, null, roles)).toEqual(["a.write"]);
  });

  test("by taking away a smaller value that hid a larger one", () => {
    const roles = [role(0, { "a.read": ["x", "y"] }), role(2, { "a.read": ["x"] }), role(5, { [edit]: true })];
    expect(tried(2, granted({ "a.read": true }), roles)).toEqual(["a.read fields"]);
  });

  test("nor for the day on which the limits are raised", () => {
    expect(tried(1, granted({ "a.write": true }), before, { p: new Map([[edit, {}]]) })).toEqual(["a.write"]);
  });

  test("what the grade had already may stay", () => {
    const roles = [role(1, { "a.write": true }), role(3, { "a.write": false }), role(5, { [edit]: true })];
    expect(tried(1, granted({ "a.write": true, [edit]: true }), roles)).toEqual([]);
  });

  test("no allowed change lets any grade hold more than before and the editor together", () => {
    const grant = fc.oneof(fc.boolean(), fc.subarray(["x", "y"]));
    const grants = fc.dictionary(fc.constantFrom(edit, "a.read", "a.write"), grant, { maxKeys: 3 }).map(granted);
    const roles = fc.uniqueArray(fc.record({ job: fc.constantFrom("p", ""), grade: fc.nat({ max: 5 }), grants }), {
      selector: (one) => `${one.job}${one.grade}`,
      maxLength: 6,
    });
    const has = (held: Held, id: string, field: string | null) =>
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

test("a change below takes nothing from the editor that he could not give back; job admin loses nothing", () => {
  const roles = [role(1, { [edit]: true, "a.read": ["x", "y"] }), role(4, { "a.read": ["x"] })];
  const rules = rulesOf(roles);
  const losses = (grade: number, grants: Grants | null, admin = false) =>
    ownLosses(rules, withRole(roles, "p", grade, grants), editorAt(rules, 5, admin));
  expect(losses(1, null)).toEqual([edit]);
  expect(losses(1, null, true)).toEqual([]);
  expect(losses(4, granted({ "a.read": [] }))).toEqual(["a.read fields"]);
  expect(losses(1, granted({ [edit]: true }))).toEqual([]);
  expect(losses(0, granted({ "a.read": false }))).toEqual([]);
});

test("differences taken back lead to where they began, whatever else changed since", () => {
  const a = granted({ "a.read": ["x"], "a.write": true });
  const b = granted({ "a.read": ["x", "y"] });
  const changes = differences(a, b);
  expect(changes.map(({ permission }) => permission)).toEqual(["a.read", "a.write"]);
  expect(takeBack(b, changes)).toEqual(a);
  const since = new Map([...b, ...granted({ [edit]: true })]);
  expect(takeBack(since, changes)).toEqual(new Map([...granted({ [edit]: true }), ...a]));
  expect(differences(a, new Map([...a].toReversed()))).toEqual([]);
});
