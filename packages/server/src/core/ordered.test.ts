import { expect, it } from "vitest";
import { foldLetters } from "./contract/fold.ts";
import { AppError } from "./errors.ts";
import {
  deletedColumns,
  keptRows,
  keptRowsBy,
  lastPosition,
  mostDeleted,
  placesWith,
  reordered,
  restoredColumns,
} from "./ordered.ts";

it("puts the named rows first, each once, and moves those whose position changes", () => {
  const [a, b, c] = [{ position: 1 }, { position: 2 }, { position: 3 }];
  expect(reordered([a, b, c], [b, b])).toEqual({
    sorted: [b, a, c],
    moved: [
      { row: b, position: 1 },
      { row: a, position: 2 },
    ],
  });
  expect(reordered([a, b, c], []).moved).toEqual([]);
});

const error = (name: string, params: string[] = []) => ({ code: `test.${name}`, status: 409, params });
const kept = keptRows(3, {
  notFound: error("notFound"),
  nameTaken: error("nameTaken", ["name"]),
  full: error("full", ["most"]),
  deletedFull: error("deletedFull", ["most"]),
});
const rowOf = (id: number, name: string, deletedAt: number | null = null) => {
  return { id, name, name_key: foldLetters(name), position: id, deleted_at: deletedAt };
};

function refusal(work: () => unknown) {
  try {
    work();
    return null;
  } catch (thrown) {
    return thrown instanceof AppError ? [thrown.definition.code, thrown.params] : thrown;
  }
}

it("finds a row by whether it is deleted", () => {
  const rows = [rowOf(1, "Café"), rowOf(2, "Bar", 7)];
  expect([kept.find(rows, 1, false).id, kept.find(rows, 2, true).id]).toEqual([1, 2]);
  expect(refusal(() => kept.find(rows, 2, false))).toEqual(["test.notFound", {}]);
  expect(refusal(() => kept.find(rows, 1, true))).toEqual(["test.notFound", {}]);
});

it("keeps names apart without accents and case, and those of deleted rows free", () => {
  const rows = [rowOf(1, "Café"), rowOf(2, "Bar", 7)];
  expect(refusal(() => kept.requireNew(rows, "CAFE"))).toEqual(["test.nameTaken", { name: "CAFE" }]);
  expect(refusal(() => kept.requireNew(rows, "Bar"))).toBeNull();
  expect(refusal(() => kept.requireFree(rows, "cafe", 1))).toBeNull();
  expect(refusal(() => kept.requireRestorable([...rows, rowOf(3, "bár")], rows[1]!))).toEqual([
    "test.nameTaken",
    { name: "Bar" },
  ]);
});

it("limits rows, and deleted ones before another is created", () => {
  const full = [1, 2, 3].map((id) => rowOf(id, `K${id}`));
  expect(refusal(() => kept.requireNew(full, "New"))).toEqual(["test.full", { most: 3 }]);
  expect(refusal(() => kept.requireRestorable([...full, rowOf(4, "Old", 7)], rowOf(4, "Old", 7)))).toEqual([
    "test.full",
    { most: 3 },
  ]);
  const deleted = Array.from({ length: mostDeleted }, (_, at) => rowOf(at + 1, `D${at}`, 7));
  expect(refusal(() => kept.requireNew(deleted.slice(1), "New"))).toBeNull();
  expect(refusal(() => kept.requireNew(deleted, "New"))).toEqual(["test.deletedFull", { most: mostDeleted }]);
  expect(refusal(() => kept.requireRestorable(deleted, deleted[0]!))).toBeNull();
});

it("keeps rows apart by something else than a name", () => {
  const errors = { notFound: error("x"), nameTaken: error("codeTaken", ["code"]), full: error("x"), deletedFull: error("x") };
  const rows = [{ id: 1, code: "10-A", position: 1, deleted_at: null }];
  const naming = { param: "code", nameOf: () => "", keyOf: ({ code }: { code: string }) => foldLetters(code) };
  expect(refusal(() => keptRowsBy<(typeof rows)[number]>(3, errors, naming).requireNew(rows, "10-a"))).toEqual([
    "test.codeTaken",
    { code: "10-a" },
  ]);
});

it("gives a restored row a place that no other one has", () => {
  const [a, b, gone] = [rowOf(1, "A"), { ...rowOf(3, "B"), position: 2 }, { ...rowOf(2, "Gone", 7), position: 2 }];
  expect(placesWith([a, gone, b], gone).map(({ row, position }) => [row.name, position])).toEqual([["B", 3]]);
  expect(placesWith([a, b], gone).map(({ row, position }) => [row.name, position])).toEqual([["B", 3]]);
});

it("gives a new row the last place, and a deleted one its marker", () => {
  expect([lastPosition([]), lastPosition([{ position: 4 }, { position: 2 }])]).toEqual([1, 5]);
  const row = { id: 9, version: 2 };
  expect(deletedColumns(row, 50, 12)).toEqual({ deleted_marker: 9, deleted_at: 50, deleted_by: 12, version: 3 });
  expect(restoredColumns(row)).toEqual({ deleted_marker: 0, deleted_at: null, deleted_by: null, version: 3 });
});
