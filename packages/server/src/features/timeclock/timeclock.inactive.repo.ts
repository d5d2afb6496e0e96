import { sql, type SqlBool } from "kysely";
import { reached } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Reach } from "#core/rank.ts";
import { presentColleagues } from "#features/colleagues/colleagues.reads.ts";

export interface IdleRow {
  readonly citizen_id: number;
  readonly grade: number;
  readonly since: number | null;
  /** The first instant of the last day with hours. */
  readonly worked_on: number | null;
  /** The end of the last entry; entries are kept for a shorter time than days. */
  readonly worked_at: number | null;
}

/**
 * Others of a job who were there at an instant and have no hours on a later day, those of the highest grade first, with
 * when they last worked. Days have all that counts, so that no entry is read but the last one of each.
 */
export async function idleSince(
  tx: Tx,
  { job, characterId, reach }: { readonly job: string; readonly characterId: number; readonly reach: Reach },
  { at, day }: { readonly at: number; readonly day: string },
  limit: number,
): Promise<IdleRow[]> {
  const person = sql.ref("colleagues.citizen_id");
  const workedSince = sql`select 1 from timeclock_days d
    where d.citizen_id = ${person} and d.job = ${job} and d.day > ${day} and d.seconds > 0 and d.former = 0`;
  const lastDay = sql<number | null>`(select d.day_at from timeclock_days d
    where d.citizen_id = ${person} and d.job = ${job} and d.seconds > 0 and d.former = 0 order by d.day desc limit 1)`;
  // The last that began is the last that ended: what counts does not overlap.
  const lastEnd = sql<number | null>`(select e.to_at from timeclock_entries e
    where e.citizen_id = ${person} and e.job = ${job} and e.state = 'counted' and e.former = 0 order by e.from_at desc limit 1)`;
  const select = presentColleagues(tx)
    .select([lastDay.as("worked_on"), lastEnd.as("worked_at")])
    .where("colleagues.job", "=", job)
    .where("colleagues.citizen_id", "<>", characterId)
    .where((e) => e.or([e("colleagues.since", "is", null), e("colleagues.since", "<=", at)]))
    .where(sql<SqlBool>`not exists (${workedSince})`)
    .where(reached({ characterId, reach: { ...reach, own: false } }, person, sql.ref("colleagues.grade")));
  // In the order of the index, which ends the work with the last row of the limit.
  return await select.orderBy("colleagues.rank_key").orderBy("colleagues.id").limit(limit).execute();
}
