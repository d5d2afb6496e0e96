import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changedGrants, creatorPrincipal, highestGrade, principalOf, principalsOf } from "./accesslists.principals.policy.ts";

describe("principals", () => {
  test("are a person, its job from each grade up to its own, and the public", () => {
    expect(principalsOf({ characterId: 12, job: "police", grade: 2 })).toEqual([
      "public",
      "citizen:12",
      "creator:12:police",
      "job:police:0",
      "job:police:1",
      "job:police:2",
    ]);
    expect(principalsOf({ characterId: 1, job: "x", grade: 1_000_000 })).toHaveLength(highestGrade + 4);
  });

  test("differ for different subjects, whatever jobs are called", () => {
    const job = fc.constantFrom("a", "a:1", "a:1:2", "1:a", "");
    const number = fc.integer({ min: 0, max: 3 });
    const subject = fc.oneof(
      fc.record({ subject: fc.constant("job" as const), job, minGrade: number, id: fc.constant(0) }),
      fc.record({
        subject: fc.constantFrom("citizen", "group", "qualification"),
        job: fc.constant(""),
        minGrade: fc.constant(0),
        id: number,
      }),
    );
    fc.assert(
      fc.property(subject, subject, (a, b) => {
        expect(principalOf(a) === principalOf(b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
      { seed: 32, numRuns: 300 },
    );
    expect(creatorPrincipal(1, "1:a")).not.toBe(creatorPrincipal(11, "a"));
  });
});

test("what changes between two lists is what has to be written", () => {
  const grant = fc.record({ principal: fc.constantFrom<string[]>("a", "b", "c", "d"), level: fc.integer({ min: 0, max: 2 }) });
  const grants = fc.uniqueArray(grant, { selector: ({ principal }) => principal });
  fc.assert(
    fc.property(grants, grants, (before, after) => {
      const { removed, put } = changedGrants(before, after);
      const stored = new Map(before.map(({ principal, level }) => [principal, level]));
      for (const principal of removed) expect(stored.delete(principal)).toBe(true);
      for (const { principal, level } of put) {
        expect(stored.get(principal)).not.toBe(level);
        stored.set(principal, level);
      }
      expect(stored).toEqual(new Map(after.map(({ principal, level }) => [principal, level])));
    }),
    { seed: 33, numRuns: 300 },
  );
});
