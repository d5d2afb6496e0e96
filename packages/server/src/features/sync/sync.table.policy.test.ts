import { Type } from "typebox";
import { expect, test } from "vitest";
import type { SyncColumns } from "./sync.table.api.ts";
import { changedLists, eventChunks, isComplete, partsChanged, rowHash } from "./sync.table.policy.ts";

const phones = [{ number: "1" }];
const row = { storedAs: 1, columns: { name: "a", sex: null }, lists: [phones, [], []], before: null };
const stored = rowHash(row);
const names = ["phones", "jobs", "licences"];

test("a hash fits its column and is equal for equal rows", () => {
  expect(stored.length).toBe(32);
  expect(rowHash({ ...row, before: "x".repeat(32) })).toBe(stored);
  for (const lists of [[], [[]], [[], [], [], [], []]]) expect(rowHash({ ...row, lists }).length).toBeLessThanOrEqual(32);
});

test.each([
  ["a column", { ...row, columns: { name: "b", sex: null } }],
  ["null in place of a text", { ...row, columns: { name: null, sex: null } }],
  ["a list", { ...row, lists: [[], [], []] }],
  ["equal rows in another list", { ...row, lists: [[], phones, []] }],
  ["the way of storing", { ...row, storedAs: 2 }],
])("%s changes the hash", (_what, changed) => expect(rowHash(changed)).not.toBe(stored));

test("a list that is left out keeps its part of the stored hash", () => {
  expect(rowHash({ ...row, lists: [undefined, [], []], before: stored })).toBe(stored);
  expect(rowHash({ ...row, lists: [undefined, undefined, undefined], before: stored })).toBe(stored);
  expect(rowHash({ ...row, lists: [undefined, [], []], before: null })).toBe(rowHash({ ...row, lists: [[], [], []] }));
});

test("the changed lists are named; all of them for a new row", () => {
  const after = rowHash({ ...row, lists: [undefined, [], [{ type: "drive" }]], before: stored });
  expect([...changedLists(names, stored, after)]).toEqual(["licences"]);
  expect([...changedLists(names, null, after)]).toEqual(names);
});

test.each([
  ["a column", { columns: { name: "b", sex: null }, deleted_at: null }, [], ["name"]],
  ["null", { columns: { name: "a", sex: "f" }, deleted_at: null }, [], ["sex"]],
  ["lists", { columns: { name: "a", sex: null }, deleted_at: null }, ["jobs"], ["jobs"]],
  ["a row that was deleted", { columns: { name: "a", sex: null }, deleted_at: 1 }, [], ["deleted_at"]],
  ["columns that were not read", { columns: null, deleted_at: null }, ["jobs"], null],
  ["a new row", null, ["jobs"], null],
])("what changed is named: %s", (_what, before, lists, expected) => {
  const columns: SyncColumns = { name: "a", sex: null };
  expect(partsChanged(before, columns, new Set(lists))).toEqual(expected);
});

test("an item is complete when it names every field, also with null", () => {
  const schema = Type.Object({ name: Type.String(), sex: Type.Optional(Type.String()) });
  expect([isComplete(schema, { name: "a", sex: null }), isComplete(schema, { name: "a" })]).toEqual([true, false]);
});

test("changes are cut into events of a bounded size, in their order", () => {
  const changes = Array.from({ length: 50 }, (_one, i) => ({ id: i, text: "x".repeat(10_000) }));
  const chunks = eventChunks(changes);
  expect(chunks.flat()).toEqual(changes);
  expect(Math.max(...chunks.map((chunk) => JSON.stringify(chunk).length))).toBeLessThan(170_000);
  expect(eventChunks([])).toEqual([]);
});
