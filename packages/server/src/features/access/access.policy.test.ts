import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { definePermission } from "#core/contract/index.ts";
import { adminPowers } from "./access.admins.policy.ts";
import { type Grant, heldRights, intersectRights, type Limits, type Role } from "./access.policy.ts";
import { readPermission, rulesWith, writePermission } from "./access.testkit.ts";

function role(job: string, grade: number, grants: Record<string, Partial<Grant>>): Role {
  return {
    job,
    grade,
    grants: new Map(Object.entries(grants).map(([id, grant]) => [id, { allow: true, attributes: {}, ...grant }])),
  };
}

const rules = rulesWith([readPermission, writePermission]);
const held = (roles: Role[], job: string, grade: number, limits?: Record<string, Limits>) =>
  heldRights(rules(roles, limits), { job, grade, jobAdmin: false });

describe("rights of a job and grade", () => {
  test("a grade inherits from the grades below it", () => {
    const roles = [role("police", 1, { "a.read": {} })];
    expect(held(roles, "police", 0)).toEqual({});
    expect(held(roles, "police", 1)).toEqual({ "a.read": {} });
    expect(held(roles, "police", 9)).toEqual({ "a.read": {} });
  });

  test("the nearest role that mentions a permission decides, also against the default role", () => {
    const roles = [
      role("", 0, { "a.read": {} }),
      role("police", 1, { "a.read": {} }),
      role("police", 3, { "a.read": { allow: false } }),
      role("police", 5, { "a.write": {} }),
    ];
    expect(held(roles, "police", 2)).toHaveProperty(["a.read"]);
    expect(held(roles, "police", 3)).not.toHaveProperty(["a.read"]);
    expect(held(roles, "police", 5)).toEqual({ "a.write": {} });
    expect(held(roles, "taxi", 5)).toHaveProperty(["a.read"]);
  });

  test("an attribute is taken whole from the nearest allowing role that sets it", () => {
    const roles = [
      role("", 0, { "a.read": { attributes: { fields: ["x"] } } }),
      role("police", 1, { "a.read": { attributes: { fields: ["y"] } } }),
      role("police", 2, { "a.read": {} }),
    ];
    expect(held(roles, "police", 2)).toEqual({ "a.read": { fields: ["y"] } });
    expect(held(roles, "taxi", 0)).toEqual({ "a.read": { fields: ["x"] } });
  });

  test("job admin holds everything with every value", () => {
    expect(heldRights(rules([]), { job: "x", grade: 0, jobAdmin: true })).toEqual({
      "a.read": { fields: ["x", "y"] },
      "a.write": {},
    });
  });

  test("limits clip what roles of the job allow, and leave refusals and the default role alone", () => {
    const roles = [
      role("", 0, { "a.read": { attributes: { fields: ["x", "y"] } } }),
      role("police", 1, { "a.read": { attributes: { fields: ["x", "y"] } }, "a.write": {} }),
      role("police", 3, { "a.write": { allow: false } }),
    ];
    const limits = { police: new Map([["a.read", { fields: ["y"] }]]) };
    expect(held(roles, "police", 1, limits)).toEqual({ "a.read": { fields: ["y"] } });
    expect(held(roles, "police", 1)).toEqual({ "a.read": { fields: ["x", "y"] }, "a.write": {} });
    expect(held(roles, "police", 0, limits)).toEqual({ "a.read": { fields: ["x", "y"] } });
    expect(held(roles, "taxi", 0, limits)).toEqual({ "a.read": { fields: ["x", "y"] } });
    expect(held(roles, "police", 1, { police: new Map([["a.write", {}]]) })).toEqual({
      "a.read": { fields: ["x", "y"] },
      "a.write": {},
    });
  });

  test("seen as a lower grade nothing is held beyond the own grade", () => {
    const roles = [
      role("police", 0, { "a.read": { attributes: { fields: ["x", "y"] } }, "a.write": {} }),
      role("police", 3, { "a.read": { attributes: { fields: ["y"] } }, "a.write": { allow: false } }),
    ];
    expect(heldRights(rules(roles), { job: "police", grade: 0, within: 3, jobAdmin: false })).toEqual({
      "a.read": { fields: ["y"] },
    });
  });

  test("agrees with a naive implementation for any roles", () => {
    const anyRole = fc.record({
      job: fc.constantFrom("", "p", "q"),
      grade: fc.integer({ min: 0, max: 4 }),
      allow: fc.option(fc.boolean(), { nil: undefined }),
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(anyRole, { selector: (one) => `${one.job}/${one.grade}`, maxLength: 8 }),
        fc.integer({ min: 0, max: 5 }),
        (list, grade) => {
          const roles = list.map((one) =>
            role(one.job, one.grade, one.allow === undefined ? {} : { "a.write": { allow: one.allow } }),
          );
          let expected: boolean | undefined;
          for (let at = grade; at >= 0 && expected === undefined; at -= 1)
            expected = list.find((one) => one.job === "p" && one.grade === at)?.allow;
          for (let at = 5; at >= 0 && expected === undefined; at -= 1)
            expected = list.find((one) => one.job === "" && one.grade === at)?.allow;
          expect("a.write" in held(roles, "p", grade)).toBe(expected === true);
        },
      ),
      { seed: 7, numRuns: 300 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1) },
    );
  });
});

describe("admins of the configuration", () => {
  const lists = {
    configAdminGroups: ["admin"],
    configAdminUsers: ["license:aa"],
    jobAdminGroups: ["Lead"],
    jobAdminUsers: ["bb"],
  };
  const none = { configAdmin: false, mayJobAdmin: false };

  test.each([
    [
      { licence: "zz", groups: ["admin"] },
      { configAdmin: true, mayJobAdmin: true },
    ],
    [
      { licence: "aa", groups: [] },
      { configAdmin: true, mayJobAdmin: true },
    ],
    [
      { licence: "license:aa", groups: [] },
      { configAdmin: true, mayJobAdmin: true },
    ],
    [
      { licence: "license:bb", groups: [] },
      { configAdmin: false, mayJobAdmin: true },
    ],
    [
      { licence: "zz", groups: ["Lead"] },
      { configAdmin: false, mayJobAdmin: true },
    ],
    [{ licence: "zz", groups: ["lead", "Admin", "administrator"] }, none],
    [{ licence: "", groups: [] }, none],
    [{ licence: "a", groups: [] }, none],
  ])("%j", (account, powers) => {
    expect(adminPowers(lists, account)).toEqual(powers);
  });

  test("an empty licence never matches an empty entry", () => {
    expect(adminPowers({ ...lists, configAdminUsers: ["", "license:"] }, { licence: "", groups: [] })).toEqual(none);
  });
});

describe("a rank", () => {
  const see = definePermission("a.see", { whose: { type: "rank" } });
  const roles = [role("police", 1, { "a.see": { attributes: { whose: ["same"] } } })];
  const heldOf = (limits: Record<string, Limits>, jobAdmin = false) =>
    heldRights({ ...rules(roles, limits), permissions: [see] }, { job: "police", grade: 1, jobAdmin });

  test("is held with the ones that it includes, as far as the limits of the job allow", () => {
    expect(heldOf({})).toEqual({ "a.see": { whose: ["own", "lower", "same"] } });
    const lower: Limits = new Map([["a.see", { whose: ["lower"] }]]);
    expect(heldOf({ police: lower })).toEqual({ "a.see": { whose: ["own", "lower"] } });
    const any: Limits = new Map([["a.see", { whose: ["any"] }]]);
    expect(heldOf({ police: any })).toEqual(heldOf({}));
  });

  test("is held in full by job admins", () => {
    expect(heldOf({}, true)).toEqual({ "a.see": { whose: ["own", "lower", "same", "any"] } });
  });
});

describe("an attribute that names rows", () => {
  const see = definePermission("a.see", { rows: { type: "data", source: "x.rows" } });
  const held = (roles: Role[], limits: Record<string, Limits> = {}, jobAdmin = false) =>
    heldRights({ ...rules(roles, limits), permissions: [see] }, { job: "police", grade: 1, jobAdmin })["a.see"]?.["rows"];
  const says = (job: string, attributes: Record<string, string[]>) => role(job, 1, { "a.see": { attributes } });
  const most: Record<string, Limits> = { police: new Map([["a.see", { rows: ["p", "q"] }]]) };

  test("reaches every row where no role sets it, none without the right", () => {
    expect(held([says("police", {})])).toEqual(["*"]);
    expect(held([])).toBeUndefined();
    expect(held([], most, true)).toEqual(["*"]);
  });

  test("is limited with the job, whether a role sets it or not; the default role is not", () => {
    expect(held([says("police", { rows: ["q", "r"] })], most)).toEqual(["q"]);
    expect(held([says("police", {})], most)).toEqual(["p", "q"]);
    expect(held([says("police", { rows: ["*"] })], most)).toEqual(["p", "q"]);
    expect(held([says("", {})], most)).toEqual(["*"]);
  });

  test("of two holders covers what both do", () => {
    const [all, some] = [{ "a.see": { rows: ["*"] } }, { "a.see": { rows: ["p"] } }];
    expect([intersectRights(all, some), intersectRights(some, all)]).toEqual([some, some]);
  });
});
