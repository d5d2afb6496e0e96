import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AttributeValue, definePermission, type GradesOfJob } from "#core/contract/index.ts";
import { explainRights, type Grant, heldOf, heldRights, type Limits, type Role, type Rules } from "./access.policy.ts";

const runs = { seed: 11, numRuns: 300 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1) };
const permissions = [
  definePermission("a.read", { fields: { type: "strings", values: ["x", "y", "z"] }, where: { type: "jobGrades" } }),
  definePermission("a.write"),
];
const jobs = ["p", "q"] as const;
const grades = [0, 1, 2, 3, 4];

const anyGrades: fc.Arbitrary<GradesOfJob> = fc.oneof(
  fc.integer({ min: 0, max: 4 }),
  fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { maxLength: 4 }),
);
const jobGrades: fc.Arbitrary<AttributeValue> = fc.dictionary(fc.constantFrom(...jobs), anyGrades, { maxKeys: 2 });
const fields = fc.subarray(["x", "y", "z"]);
const attributes = fc.record({ fields, where: jobGrades }, { requiredKeys: [] });
const grant = fc.record({ allow: fc.boolean(), attributes });
const grants = fc.record(
  { "a.read": grant, "a.write": fc.record({ allow: fc.boolean(), attributes: fc.constant({}) }) },
  { requiredKeys: [] },
);
const limits = fc.option(fc.record({ "a.read": attributes, "a.write": fc.constant({}) }, { requiredKeys: [] }), { nil: null });
const anyRules = fc
  .record({
    roles: fc.uniqueArray(fc.record({ job: fc.constantFrom("", ...jobs), grade: fc.integer({ min: 0, max: 4 }), grants }), {
      selector: ({ job, grade }) => `${job}/${grade}`,
      maxLength: 8,
    }),
    limits: fc.record({ p: limits, q: limits }),
  })
  .map((one): Rules => ({
    permissions,
    roles: one.roles.map((role): Role => ({
      ...role,
      grants: new Map<string, Grant>(Object.entries(role.grants) as [string, Grant][]),
    })),
    limits: new Map(
      Object.entries(one.limits).flatMap(([job, limit]) =>
        limit === null ? [] : [[job, new Map(Object.entries(limit)) as unknown as Limits] as const],
      ),
    ),
  }));

/** Whether a value covers a grade of a job, checked grade by grade. */
const covers = (value: AttributeValue, job: string, grade: number) => {
  const of = Array.isArray(value) ? undefined : (value as Record<string, GradesOfJob>)[job];
  return typeof of === "number" ? grade <= of : (of ?? []).includes(grade);
};
const points = jobs.flatMap((job) => grades.map((grade) => [job, grade] as const));
const setOf = (value: AttributeValue) =>
  Array.isArray(value)
    ? (value as string[]).toSorted()
    : points.filter(([job, grade]) => covers(value, job, grade)).map(([job, grade]) => `${job}${grade}`);

/** The rule, spelled out: walk down the roles of the own job, then the default roles; stop at the first grant. */
function naive({ roles, limits: byJob }: Rules, job: string, grade: number): Record<string, Record<string, string[]>> {
  const limit = byJob.get(job);
  const order: Role[] = [];
  for (let at = grade; at >= 0; at -= 1) order.push(...roles.filter((role) => role.job === job && role.grade === at));
  for (let at = 4; at >= 0; at -= 1) order.push(...roles.filter((role) => role.job === "" && role.grade === at));
  const result: Record<string, Record<string, string[]>> = {};
  for (const { id, attributes: defined } of permissions) {
    const mentions = order.flatMap((role) => {
      const found = role.grants.get(id);
      if (!found) return [];
      const outside = role.job !== "" && found.allow && limit !== undefined && !limit.has(id);
      return outside ? [] : [{ role, found }];
    });
    if (mentions[0]?.found.allow !== true) continue;
    result[id] = {};
    for (const name of Object.keys(defined)) {
      const first = mentions.find(({ found }) => found.allow && found.attributes[name] !== undefined);
      const value = first?.found.attributes[name];
      if (!first || value === undefined) continue;
      const most = first.role.job === "" ? undefined : limit?.get(id)?.[name];
      const all = setOf(value);
      result[id][name] = most === undefined ? all : all.filter((one) => setOf(most).includes(one));
    }
  }
  return result;
}

const asSets = (held: Readonly<Record<string, Readonly<Record<string, AttributeValue>>>>) =>
  Object.fromEntries(
    Object.entries(held).map(([id, values]) => [id, Object.fromEntries(Object.entries(values).map(([n, v]) => [n, setOf(v)]))]),
  );

describe("explained rights and held rights", () => {
  test("agree with a naive implementation, with limits and every kind of attribute", () => {
    fc.assert(
      fc.property(anyRules, fc.constantFrom(...jobs), fc.integer({ min: 0, max: 5 }), (rules, job, grade) => {
        const who = { job, grade, jobAdmin: false };
        const expected = naive(rules, job, grade);
        expect(asSets(heldRights(rules, who))).toEqual(expected);
        expect(asSets(heldOf(explainRights(rules, who)))).toEqual(expected);
      }),
      runs,
    );
  });

  test("a reason names the role that decides, and a clip the role that the limits cancelled", () => {
    fc.assert(
      fc.property(anyRules, fc.constantFrom(...jobs), fc.integer({ min: 0, max: 5 }), (rules, job, grade) => {
        for (const decision of explainRights(rules, { job, grade, jobAdmin: false })) {
          const role = (name: { job: string; grade: number } | null) =>
            rules.roles.find((one) => one.job === name?.job && one.grade === name.grade)?.grants.get(decision.permission);
          expect(role(decision.from)?.allow ?? false).toBe(decision.held);
          expect(decision.reason === "none").toBe(decision.from === null);
          if (decision.clipped) {
            expect(role(decision.clipped)?.allow).toBe(true);
            expect(rules.limits.get(job)?.has(decision.permission)).toBe(false);
          }
          for (const { name, from } of decision.attributes) expect(role(from)?.attributes[name]).toBeDefined();
        }
      }),
      runs,
    );
  });

  test("raising a limit restores the grants of a role", () => {
    fc.assert(
      fc.property(anyRules, fc.constantFrom(...jobs), fc.integer({ min: 0, max: 5 }), (rules, job, grade) => {
        const who = { job, grade, jobAdmin: false };
        const unlimited = { ...rules, limits: new Map() };
        expect(asSets(heldRights(unlimited, who))).toEqual(naive(unlimited, job, grade));
      }),
      runs,
    );
  });

  test("seen as a lower grade, nothing is held that either grade does not hold", () => {
    fc.assert(
      fc.property(anyRules, fc.constantFrom(...jobs), fc.nat({ max: 4 }), fc.nat({ max: 4 }), (rules, job, low, own) => {
        const held = asSets(heldRights(rules, { job, grade: low, within: own, jobAdmin: false }));
        for (const at of [low, own]) {
          const whole = naive(rules, job, at);
          for (const [id, values] of Object.entries(held))
            for (const [name, set] of Object.entries(values))
              expect(set.every((one) => whole[id]?.[name]?.includes(one))).toBe(true);
          expect(Object.keys(held).every((id) => whole[id] !== undefined)).toBe(true);
        }
      }),
      runs,
    );
  });
});
