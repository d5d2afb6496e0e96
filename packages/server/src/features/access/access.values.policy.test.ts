import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AttributeValue, everyRow, type GradesOfJob, reachesRow } from "#core/contract/index.ts";
import { clip, fullValue, isSubset, isValidValue, knownValue, unsetValue, withoutUnset } from "./access.values.policy.ts";

const runs = { seed: 27, numRuns: 500 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1) };
const names = ["p", "q", "r"];
const list = fc.subarray(names);
const grades: fc.Arbitrary<GradesOfJob> = fc.oneof(fc.nat(4), fc.subarray([0, 1, 2, 3, 4]));
const byJob = fc.dictionary(fc.constantFrom(...names), grades);

/**
 * What a value covers: the names of a list, or pairs of job and grade. A highest grade covers all below it, so
 * also those between the numbers that a set can name.
 */
function covered(value: AttributeValue): Set<string> {
  if (Array.isArray(value)) {
    const list = value as string[];
    return new Set(list.includes(everyRow) ? [...list, ...names] : list);
  }
  const points = [-0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4];
  return new Set(
    Object.entries(value as Record<string, GradesOfJob>).flatMap(([job, held]) =>
      points
        .filter((grade) => (typeof held === "number" ? grade <= held : held.includes(grade)))
        .map((grade) => `${job}/${grade}`),
    ),
  );
}

/** Every name stands for the names and a row that is added later. */
const rows = fc.subarray([...names, everyRow]);

const sorted = (set: Iterable<string>) => [...set].toSorted();

describe.each<[string, fc.Arbitrary<AttributeValue>]>([
  ["lists", list],
  ["rows", rows],
  ["grades by job", byJob],
])("%s", (_what, anyValue) => {
  test("are limited to what both cover", () => {
    fc.assert(
      fc.property(anyValue, anyValue, (value, most) => {
        const both = [...covered(value)].filter((one) => covered(most).has(one));
        expect(sorted(covered(clip(value, most)))).toEqual(sorted(both));
      }),
      runs,
    );
  });

  test("are limited once: a second time changes nothing, and the result is within both", () => {
    fc.assert(
      fc.property(anyValue, anyValue, (value, most) => {
        const limited = clip(value, most);
        expect(clip(limited, most)).toEqual(limited);
        expect([isSubset(limited, [most]), isSubset(limited, [value])]).toEqual([true, true]);
      }),
      runs,
    );
  });

  test("are part of others exactly when these cover everything", () => {
    fc.assert(
      fc.property(anyValue, fc.array(anyValue, { maxLength: 3 }), (inner, outer) => {
        const all = new Set(outer.flatMap((one) => [...covered(one)]));
        expect(isSubset(inner, outer)).toBe([...covered(inner)].every((one) => all.has(one)));
      }),
      runs,
    );
  });

  test("stay whole without a limit", () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        expect(clip(value, undefined)).toEqual(value);
        expect(isSubset(value, [value])).toBe(true);
      }),
      runs,
    );
  });
});

describe("values of different kinds", () => {
  test("have nothing in common", () => {
    expect(clip(["p"], { p: 4 })).toEqual([]);
    expect(clip({ p: 4 }, ["p"])).toEqual({});
    expect([isSubset(["p"], [{ p: 4 }]), isSubset({ p: 4 }, [["p"]])]).toEqual([false, false]);
  });

  test("a job named like a property of every object has no grades of its own", () => {
    expect(clip({ constructor: 4 }, {})).toEqual({});
    expect(isSubset({ constructor: 4 }, [{}])).toBe(false);
  });
});

describe("a value is valid", () => {
  test.each([
    [{ type: "strings", values: ["a", "b"] } as const, ["a"], true],
    [{ type: "strings", values: ["a", "b"] } as const, [], true],
    [{ type: "strings", values: ["a", "b"] } as const, ["a", "c"], false],
    [{ type: "strings", values: ["a", "b"] } as const, { a: 1 }, false],
    [{ type: "jobs" } as const, ["police", "a job that comes later"], true],
    [{ type: "rank" } as const, ["lower"], true],
    [{ type: "rank" } as const, [], true],
    [{ type: "rank" } as const, ["lower", "highest"], false],
    [{ type: "rank" } as const, { lower: 1 }, false],
    [{ type: "jobs" } as const, [1], false],
    [{ type: "jobs" } as const, { police: 1 }, false],
    [{ type: "jobGrades" } as const, { p: 0, q: [] }, true],
    [{ type: "jobGrades" } as const, { p: "1" }, false],
    [{ type: "jobGrades" } as const, { p: [0, -1] }, false],
    [{ type: "jobGrades" } as const, { p: [0, 1.5] }, false],
    [{ type: "jobGrades" } as const, ["p"], false],
    [{ type: "jobGrades" } as const, { p: Number.NaN }, false],
  ])("%j takes %j: %s", (definition, value, taken) => {
    expect(isValidValue(definition, value as AttributeValue)).toBe(taken);
  });

  test("and stays valid when it is limited", () => {
    fc.assert(
      fc.property(byJob, byJob, (value, most) => {
        expect(isValidValue({ type: "jobGrades" }, clip(value, most))).toBe(true);
      }),
      runs,
    );
  });
});

describe("a rank", () => {
  test("includes the ones before it, also when it is stored alone", () => {
    expect(knownValue({ type: "rank" }, ["same"])).toEqual(["own", "lower", "same"]);
    expect(clip(knownValue({ type: "rank" }, ["any"]), knownValue({ type: "rank" }, ["lower"]))).toEqual(["own", "lower"]);
  });
});

describe("rows", () => {
  const data = { type: "data", source: "x.rows" } as const;

  test.each<[AttributeValue, boolean]>([
    [["p", "*"], true],
    [[], true],
    [[""], false],
    [{ p: 3 }, false],
  ])("%j is a value: %s", (value, valid) => {
    expect(isValidValue(data, value)).toBe(valid);
  });

  test("a list of jobs never stands for every row", () => {
    expect(isValidValue({ type: "jobs" }, ["*"])).toBe(false);
  });

  test("are all reached where nothing is set, and by who holds everything; other attributes are then not set", () => {
    expect([unsetValue(data), fullValue(data)]).toEqual([["*"], ["*"]]);
    expect(unsetValue({ type: "strings", values: ["x"] })).toBeUndefined();
    expect([fullValue({ type: "strings", values: ["x"] }), fullValue({ type: "jobs" })]).toEqual([["x"], undefined]);
  });

  test.each<[AttributeValue | undefined, boolean]>([
    [undefined, true],
    [["*"], true],
    [["p"], true],
    [["q"], false],
    [[], false],
    [{ p: 1 }, false],
  ])("%j reaches the row p: %s", (value, reached) => {
    expect(reachesRow(value, "p")).toBe(reached);
  });

  test("an attribute that no role sets leaves the digest of rights as it was, and one that is set changes it", () => {
    const digest = (attributes: object) => JSON.stringify({ "a.read": { fields: ["x"], ...attributes } }, withoutUnset);
    expect(digest({ rows: ["*"] })).toBe(digest({}));
    expect(digest({ rows: [] })).not.toBe(digest({}));
    expect(digest({ rows: ["p"] })).not.toBe(digest({ rows: ["q"] }));
  });
});
