import { expect, test } from "vitest";
import { moveKindOf, movesAmong } from "./citizens.moves.policy.ts";

const columns = (job: string, grade: number) => ({ job, grade }) as never;

test("changes of the first job and of its grade are moves; new citizens and other changes are none", () => {
  const rows = [
    { id: 1, before: null, columns: columns("police", 1) },
    { id: 2, before: columns("police", 1), columns: columns("police", 1) },
    { id: 3, before: columns("police", 1), columns: columns("police", 2) },
    { id: 4, before: columns("taxi", 1), columns: columns("police", 1) },
  ];
  expect(movesAmong(rows, 7)).toEqual([
    { at: 7, citizen_id: 3, job_before: "police", grade_before: 1, job: "police", grade: 2 },
    { at: 7, citizen_id: 4, job_before: "taxi", grade_before: 1, job: "police", grade: 1 },
  ]);
});

test.each([
  ["taxi", "police", true, "joined"],
  ["police", "taxi", true, "left"],
  ["police", "police", true, "promoted"],
  ["police", "police", false, "demoted"],
] as const)("from %s to %s (up: %s) is to the police: %s", (before, job, rose, kind) => {
  expect(moveKindOf("police", { job, job_before: before }, rose)).toBe(kind);
});
