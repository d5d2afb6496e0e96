import { expect, test } from "vitest";
import { mostDeletedLabels, mostLabelsOfJob } from "./colleagues.base.contract.ts";
import { findLabel, requireFewDeleted, requireFree, requireRoom, trimmed } from "./colleagues.labels.policy.ts";

const rowsOf = (count: number, deletedAt: number | null) =>
  Array.from({ length: count }, (_, at) => ({ id: at + 1, name_key: `label ${at + 1}`, deleted_at: deletedAt }));

test("a name is free where no other present label has it, whatever its accents and case", () => {
  const rows = [{ id: 1, name_key: "armoury", deleted_at: null }, ...rowsOf(1, 5)];
  expect(() => requireFree(rows, "Ärmoury", 0)).toThrow("colleagues.nameTaken");
  expect(() => requireFree(rows, "Armoury", 1)).not.toThrow();
  expect(() => requireFree(rows, "Label 1", 0)).not.toThrow();
});

test("a job has so many labels, and deleted ones do not count", () => {
  const full = rowsOf(mostLabelsOfJob, null);
  expect(() => requireRoom(full)).toThrow("colleagues.labelsFull");
  expect(() => requireRoom([...full.slice(1), ...rowsOf(5, 1)])).not.toThrow();
});

test("a job deletes so many labels, and restores one before it creates another", () => {
  const rows = rowsOf(mostDeletedLabels, 1);
  expect(() => requireFewDeleted(rows.slice(1))).not.toThrow();
  expect(() => requireFewDeleted([...rows.slice(1), ...rowsOf(9, null)])).not.toThrow();
  expect(() => requireFewDeleted(rows)).toThrow("colleagues.deletedFull");
});

test("a label is found among the present or the deleted ones", () => {
  const rows = [...rowsOf(1, null), { id: 2, name_key: "gone", deleted_at: 1 }];
  expect(findLabel(rows, 2, true).id).toBe(2);
  expect(() => findLabel(rows, 2, false)).toThrow("colleagues.labelNotFound");
});

test("a name has no blanks around it", () => {
  expect(trimmed({ name: "  Riders ", colour: "#2563eb", icon: null }).name).toBe("Riders");
});
