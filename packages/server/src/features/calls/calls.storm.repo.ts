import type { Insertable, Selectable, Updateable } from "kysely";
import { bulkInsert, dialectOf, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Seeing } from "./calls.repo.ts";
import { callsAlerts, callsArrivals, type CallsTables } from "./calls.schema.ts";

export type StormRow = Selectable<CallsTables["calls_storms"]>;
export type StormPlaceRow = Selectable<CallsTables["calls_storms_places"]>;
export type StormAlertRow = Selectable<CallsTables["calls_storms_alerts"]>;

const db = (tx: Tx) => queries<CallsTables>(tx);

/** Whether this many alerts of an origin, whose row is locked, came since an instant. No more of them are read. */
export async function cameSince(tx: Tx, key: string, most: number, since: number): Promise<boolean> {
  const select = db(tx)
    .selectFrom("calls_arrivals")
    .select("at")
    .where("origin_key", "=", key)
    .where("at", ">", since)
    .orderBy("at", "desc")
    .limit(1)
    .offset(most - 1);
  // Also what was committed while this one waited for its turn.
  return (await dialectOf(tx).lock(select).executeTakeFirst()) !== undefined;
}

export async function insertArrivals(tx: Tx, keys: readonly string[], at: number): Promise<void> {
  await bulkInsert(
    tx,
    callsArrivals,
    keys.map((origin_key) => ({ origin_key, at })),
  );
}

/** The open one of these alerts whose last alert above the limit came since an instant, locked. */
export async function runningStorm(tx: Tx, key: string, since: number): Promise<StormRow | null> {
  const select = db(tx)
    .selectFrom("calls_storms")
    .selectAll()
    .where("storm_key", "=", key)
    .where("state", "=", "open")
    .where("above_at", ">", since)
    .orderBy("above_at", "desc")
    .limit(1);
  return (await dialectOf(tx).lock(select).executeTakeFirst()) ?? null;
}

/** Locked when the unit of work can write. */
export async function findStorm(tx: Tx, id: number): Promise<StormRow | null> {
  const select = db(tx).selectFrom("calls_storms").selectAll().where("id", "=", id);
  return (await (tx.writable ? dialectOf(tx).lock(select) : select).executeTakeFirst()) ?? null;
}

export async function insertStorm(
  tx: Tx,
  row: Insertable<CallsTables["calls_storms"]>,
  jobs: readonly string[],
): Promise<number> {
  const { insertId } = await db(tx).insertInto("calls_storms").values(row).executeTakeFirstOrThrow();
  const id = Number(insertId);
  await db(tx)
    .insertInto("calls_storms_jobs")
    .values(jobs.map((job, position) => ({ storm_id: id, job, position })))
    .execute();
  return id;
}

export async function updateStorm(tx: Tx, id: number, values: Updateable<CallsTables["calls_storms"]>): Promise<void> {
  await db(tx).updateTable("calls_storms").set(values).where("id", "=", id).execute();
}

/** Adds an alert; whether it is the first one of its place. The storm is locked. */
export async function addAlert(
  tx: Tx,
  alert: Insertable<CallsTables["calls_storms_alerts"]>,
  postal: string | null,
): Promise<boolean> {
  const { storm_id: id, place, x, y } = alert;
  await db(tx).insertInto("calls_storms_alerts").values(alert).execute();
  const { numUpdatedRows } = await db(tx)
    .updateTable("calls_storms_places")
    .set((e) => ({ alerts: e("alerts", "+", 1), alerts_left: e("alerts_left", "+", 1) }))
    .where("storm_id", "=", id)
    .where("place", "=", place)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return false;
  await db(tx)
    .insertInto("calls_storms_places")
    .values({ storm_id: id, place, postal, x: x ?? null, y: y ?? null, alerts: 1, alerts_left: 1 })
    .execute();
  return true;
}

/** By storm, in their order. */
export async function stormJobs(tx: Tx, ids: readonly number[]): Promise<Map<number, string[]>> {
  if (ids.length === 0) return new Map();
  const rows = await db(tx)
    .selectFrom("calls_storms_jobs")
    .select(["storm_id", "job"])
    .where("storm_id", "in", ids)
    .orderBy("position")
    .execute();
  const byStorm = Map.groupBy(rows, ({ storm_id: id }) => id);
  return new Map([...byStorm].map(([id, found]) => [id, found.map(({ job }) => job)]));
}

/** Open ones of a job, the latest first. */
export async function openStorms(tx: Tx, { job }: Pick<Seeing, "job">, limit: number): Promise<StormRow[]> {
  return await db(tx)
    .selectFrom("calls_storms")
    .selectAll("calls_storms")
    .innerJoin("calls_storms_jobs", "calls_storms_jobs.storm_id", "calls_storms.id")
    .where("calls_storms_jobs.job", "=", job ?? "")
    .where("state", "=", "open")
    .where("ended_at", "is", null)
    .orderBy("calls_storms.id", "desc")
    .limit(limit)
    .execute();
}

export async function stormPlaces(tx: Tx, id: number, limit: number): Promise<StormPlaceRow[]> {
  return await db(tx)
    .selectFrom("calls_storms_places")
    .selectAll()
    .where("storm_id", "=", id)
    .orderBy("alerts", "desc")
    .orderBy("place")
    .limit(limit)
    .execute();
}

export async function stormPlace(tx: Tx, id: number, place: string): Promise<StormPlaceRow | null> {
  const select = db(tx).selectFrom("calls_storms_places").selectAll().where("storm_id", "=", id).where("place", "=", place);
  return (await select.executeTakeFirst()) ?? null;
}

export interface AlertsOfStorm {
  readonly stormId: number;
  readonly place: string | null;
}

/** The newest first, those below an id. */
export async function alertsOfStorm(
  tx: Tx,
  { stormId, place }: AlertsOfStorm,
  below: number | null,
  limit: number,
): Promise<StormAlertRow[]> {
  let select = db(tx).selectFrom("calls_storms_alerts").selectAll().where("storm_id", "=", stormId);
  if (place !== null) select = select.where("place", "=", place);
  if (below !== null) select = select.where("id", "<", below);
  return await select.orderBy("id", "desc").limit(limit).execute();
}

/** Those that are no call yet, the oldest first: one, or all of a place. */
export async function alertsLeft(
  tx: Tx,
  stormId: number,
  { alertId, place }: { readonly alertId: number | null; readonly place: string | null },
): Promise<StormAlertRow[]> {
  let select = db(tx).selectFrom("calls_storms_alerts").selectAll().where("storm_id", "=", stormId).where("call_id", "is", null);
  if (alertId !== null) select = select.where("id", "=", alertId);
  if (place !== null) select = select.where("place", "=", place);
  return await dialectOf(tx).lock(select.orderBy("id")).execute();
}

/** These alerts of one place are a call now. */
export async function becameCall(
  tx: Tx,
  { stormId, place, ids }: { readonly stormId: number; readonly place: string; readonly ids: readonly number[] },
  callId: number,
): Promise<void> {
  for (let at = 0; at < ids.length; at += 1_000)
    await db(tx)
      .updateTable("calls_storms_alerts")
      .set({ call_id: callId })
      .where("id", "in", ids.slice(at, at + 1_000))
      .execute();
  await db(tx)
    .updateTable("calls_storms_places")
    .set((e) => ({ alerts_left: e("alerts_left", "-", ids.length) }))
    .where("storm_id", "=", stormId)
    .where("place", "=", place)
    .execute();
}

/** Further alerts of a call, at once. */
export async function insertAlerts(
  tx: Tx,
  callId: number,
  alerts: readonly (Pick<StormAlertRow, "at" | "message" | "x" | "y"> & { readonly caller_id: number | null })[],
): Promise<void> {
  const rows = alerts.map(({ caller_id, at, message, x, y }) => ({ call_id: callId, caller_id, at, message, x, y }));
  await bulkInsert(tx, callsAlerts, rows);
}

/** How often a person called since an instant and waits in a storm, counted no further than `cap`. */
export async function countWaiting(tx: Tx, citizenId: number, since: number, cap: number): Promise<number> {
  const rows = await db(tx)
    .selectFrom("calls_storms_alerts")
    .select("id")
    .where("citizen_id", "=", citizenId)
    .where("at", ">", since)
    .where("call_id", "is", null)
    .limit(cap)
    .execute();
  return rows.length;
}

/** What storms keep of people who were removed for good. */
export async function forgetInStorms(tx: Tx, citizenIds: readonly number[]): Promise<void> {
  if (citizenIds.length === 0) return;
  const ended = { ended_by: "–", ended_by_id: null };
  await db(tx).updateTable("calls_storms").set(ended).where("ended_by_id", "in", citizenIds).execute();
  await db(tx).updateTable("calls_storms").set({ citizen_id: null }).where("citizen_id", "in", citizenIds).execute();
  const gone = { citizen_id: null, phone: null };
  await db(tx).updateTable("calls_storms_alerts").set(gone).where("citizen_id", "in", citizenIds).execute();
}

/** The oldest that ended before an instant, with all that belongs to them. */
export async function removeStorms(tx: Tx, before: number, limit: number): Promise<number> {
  const select = db(tx).selectFrom("calls_storms").select("id").where("ended_at", "<", before).orderBy("ended_at").limit(limit);
  const ids = (await dialectOf(tx).lock(select).execute()).map(({ id }) => id);
  if (ids.length === 0) return 0;
  for (const table of ["calls_storms_jobs", "calls_storms_places", "calls_storms_alerts"] as const)
    await db(tx).deleteFrom(table).where("storm_id", "in", ids).execute();
  await db(tx).deleteFrom("calls_storms").where("id", "in", ids).execute();
  return ids.length;
}

export const removeArrivals = pruneOlder(callsArrivals, "at");
