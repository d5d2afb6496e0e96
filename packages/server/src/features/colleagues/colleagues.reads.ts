import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { ColleagueTables } from "./colleagues.schema.ts";

/** Since when people have the jobs that they have now; null for those who were there before Rollcall looked. */
export function presentColleagues(tx: Tx) {
  return queries<ColleagueTables>(tx)
    .selectFrom("colleagues")
    .select(["colleagues.citizen_id", "colleagues.job", "colleagues.grade", "colleagues.since", "colleagues.rank_key"])
    .where("colleagues.left_at", "is", null);
}

/** The grade of a person in a job at an instant, by what happened before or next; null where that says nothing, and `left` where they did not work there. */
export async function gradeAt(tx: Tx, job: string, citizenId: number, at: number): Promise<number | "left" | null> {
  const moves = queries<ColleagueTables>(tx)
    .selectFrom("colleagues_activities")
    .select(["kind", "grade", "change"])
    .where("citizen_id", "=", citizenId)
    .where("job", "=", job)
    .where("kind", "in", ["hired", "promoted", "demoted", "left"])
    // What the game alone said has no grades.
    .where("unseen", "=", 0)
    .limit(1);
  const last = await moves.where("at", "<=", at).orderBy("at", "desc").orderBy("id", "desc").executeTakeFirst();
  if (last !== undefined) return last.kind === "left" ? "left" : last.grade;
  const next = await moves.where("at", ">", at).orderBy("at").orderBy("id").executeTakeFirst();
  if (next === undefined) return null;
  if (next.kind === "hired") return "left";
  const { before } = JSON.parse(next.change) as { readonly before: { readonly grade?: number } };
  return before.grade ?? null;
}
