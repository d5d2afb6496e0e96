import { expect, test } from "vitest";
import { mostDeleted } from "#core/ordered.ts";
import { mostLabelsOfJob } from "./colleagues.base.contract.ts";
import { kept, trimmed } from "./colleagues.labels.policy.ts";

const rowOf = (id: number, name_key: string, deletedAt: number | null) => ({
  ...{ id, job: "police", name: name_key, name_key, colour: "#2563eb", icon: null, position: id, version: 1 },
  ...{ deleted_marker: deletedAt === null ? 0 : id, deleted_at: deletedAt, deleted_by: null },
});
const rowsOf = (count: number, deletedAt: number | null) =>
  Array.from({ length: count }, (_, at) => rowOf(at + 1, `label ${at + 1}`, deletedAt));

test("a name is free where no other present label has it, whatever its accents and case", () => {
  const rows = [rowOf(1, "armoury", null), ...rowsOf(1, 5)];
  expect(() => kept.requireFree(rows, "Ärmoury", 0)).toThrow("colleagues.nameTaken");
  expect(() => kept.requireFree(rows, "Armoury", 1)).not.toThrow();
  expect(() => kept.requireFree(rows, "Label 1", 0)).not.toThrow();
});

test("a job has so many labels, and deleted ones do not count", () => {
  const full = rowsOf(mostLabelsOfJob, null);
  expect(() => kept.requireNew(full, "New")).toThrow("colleagues.labelsFull");
  expect(() => kept.requireNew([...full.slice(1), ...rowsOf(5, 1)], "New")).not.toThrow();
});

test("a job deletes so many labels, and restores one before it creates another", () => {
  const rows = rowsOf(mostDeleted, 1);
  expect(() => kept.requireNew(rows.slice(1), "New")).not.toThrow();
  expect(() => kept.requireNew([...rows.slice(1), ...rowsOf(9, null)], "New")).not.toThrow();
  expect(() => kept.requireNew(rows, "New")).toThrow("colleagues.deletedFull");
});

test("a label is found among the present or the deleted ones", () => {
  const rows = [...rowsOf(1, null), rowOf(2, "gone", 1)];
  expect(kept.find(rows, 2, true).id).toBe(2);
  expect(() => kept.find(rows, 2, false)).toThrow("colleagues.labelNotFound");
});

test("a name has no blanks around it", () => {
  expect(trimmed({ name: "  Riders ", colour: "#2563eb", icon: null }).name).toBe("Riders");
});
