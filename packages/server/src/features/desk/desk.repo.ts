import type { Selectable } from "kysely";
import { dialectOf, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { type DeskTables, deskWindows } from "./desk.schema.ts";

export type PersonRow = Selectable<DeskTables["desk_people"]>;
export type WindowRow = Selectable<DeskTables["desk_windows"]>;

const db = (tx: Tx) => queries<DeskTables>(tx);

/** A city has no more of them. */
const mostSignedOn = 500;

/** With the turn of those who change this person's windows. */
export async function lockPerson(tx: Tx, citizenId: number): Promise<PersonRow> {
  const row: PersonRow = { citizen_id: citizenId, job: "", since: 0, needs_duty: 0, dispatches: 0 };
  await dialectOf(tx).ignoreConflicts(db(tx).insertInto("desk_people").values(row)).execute();
  const select = db(tx).selectFrom("desk_people").selectAll().where("citizen_id", "=", citizenId);
  return await dialectOf(tx).lock(select).executeTakeFirstOrThrow();
}

/** The same for somebody who has dispatched; null for anybody else, such as a person who was removed for good. */
export async function heldPerson(tx: Tx, citizenId: number): Promise<PersonRow | null> {
  const select = db(tx).selectFrom("desk_people").selectAll().where("citizen_id", "=", citizenId);
  return (await dialectOf(tx).lock(select).executeTakeFirst()) ?? null;
}

export async function savePerson(tx: Tx, { citizen_id: id, ...values }: PersonRow): Promise<void> {
  await db(tx).updateTable("desk_people").set(values).where("citizen_id", "=", id).execute();
}

/** The one that ends last comes first. */
export async function windowsOf(tx: Tx, citizenId: number): Promise<WindowRow[]> {
  return await db(tx)
    .selectFrom("desk_windows")
    .selectAll()
    .where("citizen_id", "=", citizenId)
    .orderBy("until", "desc")
    .orderBy("window_key")
    .execute();
}

export async function addWindow(tx: Tx, row: WindowRow): Promise<void> {
  await db(tx).insertInto("desk_windows").values(row).execute();
}

export async function keepWindow(tx: Tx, { citizen_id: id, window_key: key, until }: WindowRow): Promise<void> {
  await db(tx).updateTable("desk_windows").set({ until }).where("citizen_id", "=", id).where("window_key", "=", key).execute();
}

/** No later than it would end anyway. */
export async function endWindowSoon(tx: Tx, { citizen_id: id, window_key: key, until }: WindowRow): Promise<void> {
  await db(tx)
    .updateTable("desk_windows")
    .set({ until })
    .where("citizen_id", "=", id)
    .where("window_key", "=", key)
    .where("until", ">", until)
    .execute();
}

export async function removeWindows(tx: Tx, citizenId: number, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await db(tx).deleteFrom("desk_windows").where("citizen_id", "=", citizenId).where("window_key", "in", keys).execute();
}

/** Who of these jobs has a window that is open now; who is there longest comes first. */
export async function signedOn(tx: Tx, jobs: readonly string[], now: number): Promise<PersonRow[]> {
  if (jobs.length === 0) return [];
  const open = db(tx).selectFrom("desk_windows").select("citizen_id").where("until", ">", now);
  return await db(tx)
    .selectFrom("desk_people")
    .selectAll()
    .where("job", "in", jobs)
    .where("citizen_id", "in", open)
    .orderBy("since")
    .orderBy("citizen_id")
    .limit(mostSignedOn)
    .execute();
}

/** Of these people, those whose sign-on ends with their duty. */
export async function byDuty(tx: Tx, citizenIds: readonly number[]): Promise<number[]> {
  if (citizenIds.length === 0) return [];
  const rows = await db(tx)
    .selectFrom("desk_people")
    .select("citizen_id")
    .where("citizen_id", "in", citizenIds)
    .where("job", "!=", "")
    .where("needs_duty", "=", 1)
    .orderBy("citizen_id")
    .execute();
  return rows.map(({ citizen_id: id }) => id);
}

export async function removePeople(tx: Tx, citizenIds: readonly number[]): Promise<void> {
  if (citizenIds.length === 0) return;
  await db(tx).deleteFrom("desk_windows").where("citizen_id", "in", citizenIds).execute();
  await db(tx).deleteFrom("desk_people").where("citizen_id", "in", citizenIds).execute();
}

export const removeEnded = pruneOlder(deskWindows, "until");
