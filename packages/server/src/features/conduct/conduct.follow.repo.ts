import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { ConductTables } from "./conduct.schema.ts";

const db = (tx: Tx) => queries<ConductTables>(tx);
const some = (ids: readonly number[]) => (ids.length === 0 ? [0] : [...ids]);

/** Since when these people are away from the jobs that have entries about them; null while they are in them. */
export async function standings(tx: Tx, citizenIds: readonly number[]) {
  return await db(tx)
    .selectFrom("conduct_entries")
    .select(["citizen_id", "job", "left_at"])
    .distinct()
    .where("citizen_id", "in", some(citizenIds))
    .execute();
}

/** The entries about somebody in a job that have this `left_at` get another one. */
export async function setLeft(
  tx: Tx,
  { citizen_id: citizenId, job, left_at: before }: { citizen_id: number; job: string; left_at: number | null },
  leftAt: number | null,
): Promise<void> {
  const rows = db(tx).updateTable("conduct_entries").set({ left_at: leftAt }).where("citizen_id", "=", citizenId);
  await rows
    .where("job", "=", job)
    .where("left_at", before === null ? "is" : "=", before)
    .execute();
}

/** Ids of the entries about these citizens, locked. */
export async function lockAbout(tx: Tx, citizenIds: readonly number[]): Promise<number[]> {
  const select = db(tx).selectFrom("conduct_entries").select("id").where("citizen_id", "in", some(citizenIds)).orderBy("id");
  return (await dialectOf(tx).lock(select).execute()).map(({ id }) => id);
}

/** Removes the names of citizens who were removed for good from what they wrote about others. */
export async function forgetAuthors(tx: Tx, citizenIds: readonly number[]): Promise<void> {
  for (const column of ["author_id", "withdrawn_by", "deleted_by"] as const)
    await db(tx)
      .updateTable("conduct_entries")
      .set({ [column]: null })
      .where(column, "in", some(citizenIds))
      .execute();
  await db(tx).updateTable("conduct_kinds").set({ deleted_by: null }).where("deleted_by", "in", some(citizenIds)).execute();
}

/** What retention removes: drafts that nobody touched, deleted ones, and what is over. */
export type Old = "drafts" | "deleted" | "over";

/** Ids of what is older than this instant, at most `limit`; locked, so that none is restored or written at the same time. */
export async function lockOld(tx: Tx, what: Old, before: number, limit: number): Promise<number[]> {
  const rows = db(tx).selectFrom("conduct_entries").select("id").limit(limit);
  const old = {
    drafts: rows.where("state", "=", "draft").where("updated_at", "<", before),
    deleted: rows.where("deleted_at", "<", before),
    over: rows.where("over_at", "<", before),
  }[what];
  return (await dialectOf(tx).lock(old).execute()).map(({ id }) => id);
}

export async function remove(tx: Tx, ids: readonly number[]): Promise<void> {
  await db(tx).deleteFrom("conduct_entries").where("id", "in", some(ids)).execute();
}
