import type { CitizenColumns } from "./citizens.record.policy.ts";
import type { MoveKind } from "./citizens.moves.contract.ts";
import type { NewMove } from "./citizens.moves.repo.ts";

interface Written {
  readonly id: number;
  readonly columns: CitizenColumns;
  readonly before: CitizenColumns | null;
}

/** Changes of the first job or its grade. Of new citizens there is none: the first data would be news of everybody. */
export function movesAmong(rows: readonly Written[], at: number): NewMove[] {
  return rows.flatMap(({ id, before, columns: { job, grade } }) =>
    before === null || (before.job === job && before.grade === grade)
      ? []
      : [{ at, citizen_id: id, job_before: before.job, grade_before: before.grade, job, grade }],
  );
}

/** What a change is to this job, which it concerns. */
export function moveKindOf(job: string, move: { readonly job: string; readonly job_before: string }, rose: boolean): MoveKind {
  if (move.job !== job) return "left";
  if (move.job_before !== job) return "joined";
  return rose ? "promoted" : "demoted";
}
