import type { Insertable, Selectable, Updateable } from "kysely";
import { dialectOf, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { timeclockCorrections, type TimeclockTables } from "./timeclock.schema.ts";

export type CorrectionRow = Selectable<TimeclockTables["timeclock_corrections"]>;

const db = (tx: Tx) => queries<TimeclockTables>(tx);

/** Of these entries, the first one first. */
export async function correctionsOf(tx: Tx, entryIds: readonly number[]): Promise<CorrectionRow[]> {
  if (entryIds.length === 0) return [];
  return await db(tx).selectFrom("timeclock_corrections").selectAll().where("entry_id", "in", entryIds).orderBy("id").execute();
}

/** Locked when the unit of work can write. */
export async function findCorrection(tx: Tx, id: number): Promise<CorrectionRow | null> {
  const select = db(tx).selectFrom("timeclock_corrections").selectAll().where("id", "=", id);
  return (await (tx.writable ? dialectOf(tx).lock(select) : select).executeTakeFirst()) ?? null;
}

/** How many somebody has asked for since an instant, up to `most`. The caller has locked the person. */
export async function countRequests(tx: Tx, citizenId: number, since: number, most: number): Promise<number> {
  const select = db(tx).selectFrom("timeclock_corrections").select("id").where("citizen_id", "=", citizenId);
  const own = select.where("requested_by", "=", citizenId).where("created_at", ">=", since).limit(most);
  return (await dialectOf(tx).lock(own).execute()).length;
}

/** Those of these citizens that wait for a decision. */
export async function openOf(tx: Tx, citizenIds: readonly number[]): Promise<CorrectionRow[]> {
  const select = db(tx)
    .selectFrom("timeclock_corrections")
    .selectAll()
    .where("citizen_id", "in", [0, ...citizenIds]);
  return await select.where("state", "=", "requested").orderBy("id").execute();
}

export async function correctionsByIds(tx: Tx, ids: readonly number[]): Promise<CorrectionRow[]> {
  return await db(tx)
    .selectFrom("timeclock_corrections")
    .selectAll()
    .where("id", "in", [0, ...ids])
    .execute();
}

export async function insertCorrection(tx: Tx, row: Insertable<TimeclockTables["timeclock_corrections"]>): Promise<number> {
  const { insertId } = await db(tx).insertInto("timeclock_corrections").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function updateCorrection(
  tx: Tx,
  id: number,
  values: Updateable<TimeclockTables["timeclock_corrections"]>,
): Promise<void> {
  await db(tx).updateTable("timeclock_corrections").set(values).where("id", "=", id).execute();
}

export const removeCorrections = pruneOlder(timeclockCorrections, "created_at");

export type TargetsRow = Selectable<TimeclockTables["timeclock_jobs"]>;

/** Null for a job that never set any. */
export async function targetsRow(tx: Tx, job: string): Promise<TargetsRow | null> {
  return (await db(tx).selectFrom("timeclock_jobs").selectAll().where("job", "=", job).executeTakeFirst()) ?? null;
}

/** Created where the job has none, so that two who set them at once take turns. */
export async function lockTargets(tx: Tx, fallback: TargetsRow): Promise<TargetsRow> {
  await dialectOf(tx).ignoreConflicts(db(tx).insertInto("timeclock_jobs").values(fallback)).execute();
  const select = db(tx).selectFrom("timeclock_jobs").selectAll().where("job", "=", fallback.job);
  return await dialectOf(tx).lock(select).executeTakeFirstOrThrow();
}

export async function saveTargets(tx: Tx, job: string, values: Updateable<TimeclockTables["timeclock_jobs"]>): Promise<void> {
  await db(tx).updateTable("timeclock_jobs").set(values).where("job", "=", job).execute();
}
