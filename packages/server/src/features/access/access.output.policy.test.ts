import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RoleGrants } from "./access.contract.ts";
import { grantsOf, outputOfDecision, outputOfGrants } from "./access.output.policy.ts";
import type { Decision } from "./access.policy.ts";

describe("grants", () => {
  const value = fc.oneof(fc.array(fc.string()), fc.dictionary(fc.string(), fc.oneof(fc.nat(9), fc.array(fc.nat(9)))));
  const grant = fc.record({ allow: fc.boolean(), attributes: fc.dictionary(fc.string(), value) });
  const anyGrants = fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor")), grant);

  test("come back as they were sent", () => {
    fc.assert(
      fc.property(anyGrants, (sent) => {
        expect(outputOfGrants(grantsOf(sent))).toEqual({ ...sent });
      }),
      { seed: 26, numRuns: 300 },
    );
  });

  test("that are sent share nothing with the cached role", () => {
    const kept: RoleGrants = { "a.read": { allow: true, attributes: { fields: ["x"] } } };
    const sent = outputOfGrants(grantsOf(kept)) as { "a.read": { allow: boolean; attributes: { fields: string[] } } };
    sent["a.read"].attributes.fields.push("y");
    sent["a.read"].allow = false;
    expect(kept).toEqual({ "a.read": { allow: true, attributes: { fields: ["x"] } } });
  });

  test("of a grade without a role are none", () => {
    expect([outputOfGrants(null), outputOfGrants(undefined)]).toEqual([{}, {}]);
  });
});

test("a decision shows the role's own value only where the limit of the job made it smaller", () => {
  const police = { job: "police", grade: 2 };
  const decision: Decision = {
    ...{ permission: "a.read", held: true, reason: "role", from: police, clipped: null },
    attributes: [
      { name: "fields", value: ["x"], from: police, unclipped: ["x", "y"] },
      { name: "jobs", value: [], from: police, unclipped: null },
    ],
  };
  expect(outputOfDecision(decision)).toEqual({
    ...decision,
    attributes: [
      { name: "fields", value: ["x"], from: police, unclipped: ["x", "y"] },
      { name: "jobs", value: [], from: police },
    ],
  });
});
