import { expect, test } from "vitest";
import { changesBetween, leaves } from "./changes.ts";

test("only differing leaves are shown; lists of plain values are one leaf", () => {
  const before = { name: "Old", auth: { signUp: true, groups: ["a"] }, gone: 1 };
  const after = { name: "New", auth: { signUp: true, groups: ["a", "b"] }, extra: { deep: null } };
  expect(changesBetween(before, after)).toEqual([
    { path: "name", before: "Old", after: "New" },
    { path: "auth.groups", before: ["a"], after: ["a", "b"] },
    { path: "gone", before: 1, after: undefined },
    { path: "extra.deep", before: undefined, after: null },
  ]);
  expect(changesBetween(undefined, { a: 1 })).toEqual([{ path: "a", before: undefined, after: 1 }]);
  expect(changesBetween({ a: 1 }, { a: 1 })).toEqual([]);
});

test("an added or removed branch shows its leaves, not its absence", () => {
  const [without, within] = [{ right: null }, { right: { allow: true, attributes: {} } }];
  expect(changesBetween(without, within)).toEqual([{ path: "right.allow", before: undefined, after: true }]);
  expect(changesBetween(within, without)).toEqual([{ path: "right.allow", before: true, after: undefined }]);
  expect(changesBetween({ limits: null }, { limits: { "jobs.message": {} } })).toEqual([
    { path: "limits.jobs.message", before: undefined, after: {} },
  ]);
  expect(changesBetween({ file: null }, { file: 3 })).toEqual([{ path: "file", before: null, after: 3 }]);
});

test("leaves of nested lists carry their index", () => {
  expect(leaves({ a: [{ b: 1 }], c: {}, d: "x" })).toEqual([
    ["a.0.b", 1],
    ["c", {}],
    ["d", "x"],
  ]);
});
