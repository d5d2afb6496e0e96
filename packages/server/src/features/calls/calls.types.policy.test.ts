import { expect, test } from "vitest";
import { exampleTypeContent } from "./calls.examples.contract.ts";
import { columnsOfType, kept, notCallable, rowOfRules, rulesOfRow, trimmedType, typeOf } from "./calls.types.policy.ts";
import { usualRules } from "./calls.types.contract.ts";
import type { TypeRow } from "./calls.types.repo.ts";

const rowOf = (id: number, code: string, deleted = false) =>
  ({ id, ...columnsOfType({ ...exampleTypeContent, code }), deleted_at: deleted ? 1 : null }) as TypeRow;

test("a type is stored and read without empty lines and jobs that are named twice", () => {
  const sent = { ...exampleTypeContent, name: " Robbery ", message: "  ", jobs: ["police", "police"], checklist: ["One ", " "] };
  const content = trimmedType(sent);
  expect(content).toMatchObject({ name: "Robbery", message: null, jobs: ["police"], checklist: ["One"] });
  expect(typeOf(columnsOfType(content) as TypeRow)).toEqual(content);
});

test("a code is taken in any case, but not by a deleted type or the type itself", () => {
  const rows = [rowOf(1, "10-A"), rowOf(2, "10-B", true)];
  expect(() => kept.requireFree(rows, "10-a", 0)).toThrow("calls.codeTaken");
  for (const [code, except] of [
    ["10-a", 1],
    ["10-B", 0],
    ["10-C", 0],
  ] as const)
    expect(() => kept.requireFree(rows, code, except)).not.toThrow();
});

test("rules that nobody changed are the usual ones", () => {
  expect(rulesOfRow(undefined)).toEqual(usualRules);
  const rules = { version: 2, public: true, idleMinutes: 90, waitSeconds: 120 };
  expect(rulesOfRow(rowOfRules("police", rules, 5))).toEqual(rules);
});

test.each([
  [["police"], "police", null],
  [["ambulance"], "police", null],
  [["police", "cartel"], "police", "cartel"],
  [[], "police", null],
])("of %j somebody of %s may not call %s", (jobs, own, expected) => {
  expect(notCallable(jobs, own, new Set(["ambulance"]))).toBe(expected);
});
