import type { Insertable, Selectable, Updateable } from "kysely";
import { dialectOf, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { colleaguesMoves, type ColleagueTables } from "./colleagues.schema.ts";

export type MoveRow = Selectable<ColleagueTables["colleagues_moves"]>;

const db = (tx: Tx) => queries<ColleagueTables>(tx);

/** False where another one of the person in the job waits for its end. */
export async function insert(tx: Tx, row: Insertable<ColleagueTables["colleagues_moves"]>): Promise<boolean> {
  await dialectOf(tx).ignoreConflicts(db(tx).insertInto("colleagues_moves").values(row)).execute();
  return (await db(tx).selectFrom("colleagues_moves").select("id").where("id", "=", row.id).executeTakeFirst()) !== undefined;
}

export async function update(tx: Tx, id: string, values: Updateable<ColleagueTables["colleagues_moves"]>): Promise<void> {
  await db(tx).updateTable("colleagues_moves").set(values).where("id", "=", id).execute();
}

export async function countOpen(tx: Tx, actorId: number): Promise<number> {
  const row = await db(tx)
    .selectFrom("colleagues_moves")
    .select((e) => e.fn.countAll<number>().as("n"))
    .where("actor_id", "=", actorId)
    .where("open_key", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** The latest first. */
export async function askedBy(
  tx: Tx,
  { job, actorId, citizenId }: { readonly job: string; readonly actorId: number; readonly citizenId: number | undefined },
  limit: number,
): Promise<MoveRow[]> {
  let select = db(tx).selectFrom("colleagues_moves").selectAll().where("actor_id", "=", actorId).where("job", "=", job);
  if (citizenId !== undefined) select = select.where("citizen_id", "=", citizenId);
  return await select.orderBy("id", "desc").limit(limit).execute();
}

/** By the id of its request to the game, locked. */
export async function ofRequest(tx: Tx, requestId: string): Promise<MoveRow | null> {
  const select = db(tx).selectFrom("colleagues_moves").selectAll().where("request_id", "=", requestId);
  return (await dialectOf(tx).lock(select).executeTakeFirst()) ?? null;
}

/** Those of these citizens that may have been done and that no report of the game has been put down to, locked. */
export async function lockExpected(tx: Tx, citizenIds: readonly number[], since: number): Promise<MoveRow[]> {
  const select = db(tx)
    .selectFrom("colleagues_moves")
    .selectAll()
    .where("citizen_id", "in", citizenIds.length === 0 ? [0] : [...citizenIds])
    .where("asked_at", ">=", since)
    .where("reported_at", "is", null)
    .where("state", "not in", ["refused", "expired"])
    .orderBy("id");
  return await dialectOf(tx).lock(select).execute();
}

/** All that is stored of citizens who were removed for good. */
export async function removeMoves(tx: Tx, citizenIds: readonly number[]): Promise<void> {
  await db(tx).deleteFrom("colleagues_moves").where("citizen_id", "in", citizenIds).execute();
  await db(tx).deleteFrom("colleagues_moves").where("actor_id", "in", citizenIds).execute();
}

export const removeOldMoves = pruneOlder(colleaguesMoves, "asked_at");
