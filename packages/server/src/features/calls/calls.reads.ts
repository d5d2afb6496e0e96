import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { CallsTables } from "./calls.schema.ts";

/** All calls that are kept. */
export const callIds = (tx: Tx) => queries<CallsTables>(tx).selectFrom("calls").select("calls.id");

/** The jobs that dispatch an open call that this grade of a job sees, too. */
export async function jobsDispatchingWith(
  tx: Tx,
  { job, grade }: { readonly job: string; readonly grade: number },
  now: number,
): Promise<string[]> {
  const rows = await queries<CallsTables>(tx)
    .selectFrom("calls_jobs as own")
    .innerJoin("calls", "calls.id", "own.call_id")
    .innerJoin("calls_jobs as other", "other.call_id", "own.call_id")
    .select("other.job")
    .distinct()
    .where("own.job", "=", job)
    .where("own.min_grade", "<=", grade)
    .where("calls.archived_at", "is", null)
    .where("calls.state", "=", "open")
    .where("other.job", "!=", job)
    .where("other.level", "=", "dispatch")
    .where((e) => e.or([e("other.expires_at", "is", null), e("other.expires_at", ">", now)]))
    .where((e) => e.or([e("own.expires_at", "is", null), e("own.expires_at", ">", now)]))
    .orderBy("other.job")
    .execute();
  return rows.map((row) => row.job);
}
