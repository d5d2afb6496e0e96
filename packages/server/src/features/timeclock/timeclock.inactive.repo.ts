import { sql, type SqlBool } from "kysely";
import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Reach } from "#core/rank.ts";
import { presentColleagues } from "#features/colleagues/colleagues.reads.ts";
import type { TimeclockTables } from "./timeclock.schema.ts";

export interface IdleRow {
  readonly citizen_id: number;
  readonly grade: number;
  readonly since: number | null;
}

/** Others of a job who were there at an instant and have no counted entry since; those of the highest grade first. */
export async function idleSince(
  tx: Tx,
  { job, characterId, reach }: { readonly job: string; readonly characterId: number; readonly reach: Reach },
  before: number,
  limit: number,
): Promise<IdleRow[]> {
  const worked = queries<TimeclockTables>(tx)
    .selectFrom("timeclock_entries as e")
    .select("e.id")
    .where("e.citizen_id", "=", sql.ref<number>("colleagues.citizen_id"))
    .where("e.job", "=", job)
    .where("e.state", "=", "counted")
    .where("e.to_at", ">", before);
  // Days are kept for longer than entries.
  const workedOn = queries<TimeclockTables>(tx)
    .selectFrom("timeclock_days as d")
    .select("d.day")
    .where("d.citizen_id", "=", sql.ref<number>("colleagues.citizen_id"))
    .where("d.job", "=", job)
    .where("d.seconds", ">", 0)
    .where("d.day_at", ">", before);
  let select = presentColleagues(tx)
    .where("colleagues.job", "=", job)
    .where("colleagues.citizen_id", "<>", characterId)
    .where((e) => e.or([e("colleagues.since", "is", null), e("colleagues.since", "<=", before)]))
    .where(sql<SqlBool>`not exists ${worked}`)
    .where(sql<SqlBool>`not exists ${workedOn}`);
  if (!reach.any) select = select.where("colleagues.grade", "<=", reach.upTo ?? -1);
  return await select.orderBy("colleagues.rank_key").orderBy("colleagues.citizen_id").limit(limit).execute();
}

/** When each of these people last worked in a job: to the second, or where the entry is gone, the beginning of that day. */
export async function lastEnds(tx: Tx, job: string, citizenIds: readonly number[]): Promise<Map<number, number>> {
  if (citizenIds.length === 0) return new Map();
  const onDays = await queries<TimeclockTables>(tx)
    .selectFrom("timeclock_days")
    .select((e) => ["citizen_id", e.fn.max<number>("day_at").as("last")])
    .where("citizen_id", "in", citizenIds)
    .where("job", "=", job)
    .where("seconds", ">", 0)
    .groupBy("citizen_id")
    .execute();
  const rows = await queries<TimeclockTables>(tx)
    .selectFrom("timeclock_entries")
    .select((e) => ["citizen_id", e.fn.max<number>("to_at").as("last")])
    .where("citizen_id", "in", citizenIds)
    .where("job", "=", job)
    .where("state", "=", "counted")
    .groupBy("citizen_id")
    .execute();
  return new Map([...onDays, ...rows].map(({ citizen_id, last }) => [citizen_id, Number(last)]));
}
