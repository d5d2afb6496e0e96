import { expect, test } from "vitest";
import { AppError } from "#core/errors.ts";
import { exampleContent } from "./jobgroups.base.contract.ts";
import { audited, requireNesting, trimmed } from "./jobgroups.content.policy.ts";

const node = (id: number, ...contains: number[]) => ({ id, membership: "hand" as const, rules: [], contains });

function refusal(work: () => void) {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof AppError ? [error.definition.code, error.params] : error;
  }
}

test("texts lose the blanks around them", () => {
  const sent = { ...exampleContent, name: " SWAT ", short: "S ", description: " For raids.\n" };
  expect(trimmed(sent)).toEqual({ ...exampleContent, name: "SWAT", short: "S", description: "For raids." });
});

test("the audit log reads rules and groups as texts", () => {
  const rules = [
    { kind: "grade", id: null, from: 3, to: null },
    { kind: "label", id: 7, from: null, to: null },
  ];
  expect(audited({ ...exampleContent, rules, contains: [4, 5] })).toMatchObject({
    rules: "grade 3–, label 7",
    contains: "GRP-4, GRP-5",
  });
});

test("a circle, and groups too deep in each other, are refused by their names", () => {
  const rows = [1, 2, 3].map((id) => ({ id, name: `G${id}` }));
  expect(refusal(() => requireNesting([node(1, 2), node(2, 3), node(3)], rows, "New"))).toBeNull();
  expect(refusal(() => requireNesting([node(1, 2), node(2, 1)], rows, "New"))).toMatchObject(["jobgroups.circle", {}]);
  const deep = refusal(() => requireNesting([node(0, 1), node(1, 2), node(2, 3), node(3)], rows, "New"));
  expect(deep).toEqual(["jobgroups.tooDeep", { chain: "New > G1 > G2 > G3", most: 3 }]);
});
