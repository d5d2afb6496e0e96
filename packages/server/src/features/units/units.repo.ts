import type { Insertable, Selectable, Updateable } from "kysely";
import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { mostUnits } from "./units.base.contract.ts";
import type { UnitTables } from "./units.schema.ts";

export type UnitRow = Selectable<UnitTables["units"]>;
export type MemberRow = Selectable<UnitTables["units_members"]>;
export type EventRow = Selectable<UnitTables["units_events"]>;

const db = (tx: Tx) => queries<UnitTables>(tx);

/** A city has no more of them. */
const mostOfAll = 8 * mostUnits;

/** Those of these jobs, or of all, that are not removed, in their order. */
export async function unitsIn(tx: Tx, jobs: readonly string[] | null): Promise<UnitRow[]> {
  if (jobs?.length === 0) return [];
  return await db(tx)
    .selectFrom("units")
    .selectAll()
    .where("deleted_marker", "=", 0)
    .$if(jobs !== null, (query) => query.where("job", "in", jobs!))
    .orderBy("position")
    .orderBy("id")
    .limit(mostOfAll)
    .execute();
}

/** Removed ones of a job, the latest first. */
export async function removedIn(tx: Tx, job: string): Promise<UnitRow[]> {
  return await db(tx)
    .selectFrom("units")
    .selectAll()
    .where("job", "=", job)
    .where("deleted_at", "is not", null)
    .orderBy("deleted_at", "desc")
    .limit(mostUnits)
    .execute();
}

/** Also a removed one. */
export async function find(tx: Tx, id: number): Promise<UnitRow | null> {
  return (await db(tx).selectFrom("units").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

/** Also removed ones. */
export async function byIds(tx: Tx, ids: readonly number[]): Promise<UnitRow[]> {
  if (ids.length === 0) return [];
  return await db(tx).selectFrom("units").selectAll().where("id", "in", ids).execute();
}

/** Units with this custom status keep its base kind alone. */
export async function clearStatus(tx: Tx, statusId: number): Promise<void> {
  await db(tx).updateTable("units").set({ status_id: null }).where("status_id", "=", statusId).execute();
}

export async function insert(tx: Tx, row: Insertable<UnitTables["units"]>): Promise<number> {
  const { insertId } = await db(tx).insertInto("units").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function update(tx: Tx, id: number, values: Updateable<UnitTables["units"]>): Promise<void> {
  await db(tx).updateTable("units").set(values).where("id", "=", id).execute();
}

/** In the order in which they joined. */
export async function membersOf(tx: Tx, unitIds: readonly number[]): Promise<MemberRow[]> {
  if (unitIds.length === 0) return [];
  return await db(tx)
    .selectFrom("units_members")
    .selectAll()
    .where("unit_id", "in", unitIds)
    .orderBy("joined_at")
    .orderBy("citizen_id")
    .execute();
}

export async function memberships(tx: Tx, citizenIds: readonly number[]): Promise<Map<number, MemberRow>> {
  if (citizenIds.length === 0) return new Map();
  const rows = await db(tx).selectFrom("units_members").selectAll().where("citizen_id", "in", citizenIds).execute();
  return new Map(rows.map((row) => [row.citizen_id, row]));
}

export async function addMember(tx: Tx, row: MemberRow): Promise<void> {
  await db(tx).insertInto("units_members").values(row).execute();
}

export async function setRole(tx: Tx, citizenId: number, role: string | null): Promise<void> {
  await db(tx).updateTable("units_members").set({ role }).where("citizen_id", "=", citizenId).execute();
}

export async function removeMember(tx: Tx, citizenId: number): Promise<void> {
  await db(tx).deleteFrom("units_members").where("citizen_id", "=", citizenId).execute();
}

export async function record(tx: Tx, events: readonly Insertable<UnitTables["units_events"]>[]): Promise<void> {
  if (events.length > 0) await db(tx).insertInto("units_events").values(events).execute();
}

/** When these people last left a unit, as far as that is still known. */
export async function lastLeft(tx: Tx, citizenIds: readonly number[]): Promise<Map<number, number>> {
  if (citizenIds.length === 0) return new Map();
  const rows = await db(tx)
    .selectFrom("units_events")
    .select((e) => ["citizen_id", e.fn.max("at").as("at")])
    .where("citizen_id", "in", citizenIds)
    .where("what", "=", "left")
    .groupBy("citizen_id")
    .execute();
  return new Map(rows.map((row) => [row.citizen_id!, Number(row.at)]));
}

/** The newest first, those with an id below `below`. */
export async function eventsOf(tx: Tx, unitId: number, below: number | null, limit: number): Promise<EventRow[]> {
  return await db(tx)
    .selectFrom("units_events")
    .selectAll()
    .where("unit_id", "=", unitId)
    .$if(below !== null, (query) => query.where("id", "<", below!))
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

export async function countEvents(tx: Tx, unitId: number, cap: number): Promise<number> {
  const some = db(tx).selectFrom("units_events").select("id").where("unit_id", "=", unitId).limit(cap).as("some");
  const row = await db(tx)
    .selectFrom(some)
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

export async function purgeCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
  if (citizenIds.length === 0) return;
  await db(tx).deleteFrom("units_events").where("citizen_id", "in", citizenIds).execute();
}

/** Those that were removed before an instant. */
export async function removeDeleted(tx: Tx, before: number, limit: number): Promise<number[]> {
  const select = db(tx).selectFrom("units").select("id").where("deleted_at", "<", before).orderBy("deleted_at").limit(limit);
  // Locked, so that one that somebody restores at the same time stays.
  const ids = (await dialectOf(tx).lock(select).execute()).map(({ id }) => id);
  if (ids.length > 0) await db(tx).deleteFrom("units").where("id", "in", ids).execute();
  return ids;
}
