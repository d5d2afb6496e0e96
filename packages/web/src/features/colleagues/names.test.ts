import { expect, test } from "vitest";
import type { ColleagueRow } from "./colleagues.queries.ts";
import { affixesOf, fullName, rowVersionOf } from "./names.ts";

const row: ColleagueRow = {
  id: 12,
  version: 1,
  name: "Mara Lind",
  prefix: null,
  suffix: null,
  job: { name: "police", label: "Police", grade: 2, gradeLabel: "Officer" },
  since: null,
  onDuty: null,
  labels: [],
};

test("a name has what is written before and behind it", () => {
  expect(fullName(row)).toBe("Mara Lind");
  expect(fullName({ ...row, prefix: "Dr.", suffix: "FTO" })).toBe("Dr. Mara Lind FTO");
});

test("what stands around a name is found by the person, also in another answer", () => {
  const first = [{ id: 12, prefix: null, suffix: "FTO" }];
  expect([affixesOf(first, 12)?.suffix, affixesOf(first, 13), affixesOf(undefined, 12)]).toEqual(["FTO", undefined, undefined]);
  expect(affixesOf([{ id: 12, prefix: "Dr.", suffix: null }], 12)?.prefix).toBe("Dr.");
});

test("a row is drawn again when its labels or its duty change", () => {
  const label = { id: 3, name: "Training", colour: "#2563eb", icon: null, until: null };
  const versions = [row, { ...row, labels: [label] }, { ...row, onDuty: { since: 1, state: "on" as const } }].map(rowVersionOf);
  expect(new Set(versions).size).toBe(3);
  expect(rowVersionOf({ ...row })).toBe(versions[0]);
});
