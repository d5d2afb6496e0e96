import type { Insertable, Selectable, Updateable } from "kysely";
import { dialectOf, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { gamerequestsServers, gamerequestsTable, type GameRequestTables } from "./gamerequests.schema.ts";

export type RequestRow = Selectable<GameRequestTables["gamerequests"]>;
export type ServerRow = Selectable<GameRequestTables["gamerequests_servers"]>;
export type StreamRow = Selectable<GameRequestTables["gamerequests_stream"]>;

const streamName = "requests";
const undelivered = ["open", "delivered"] as const;

export async function ensureStream(tx: Tx, epoch: string): Promise<void> {
  const insert = queries<GameRequestTables>(tx)
    .insertInto("gamerequests_stream")
    .values({ name: streamName, epoch, last_position: 0 });
  await dialectOf(tx).ignoreConflicts(insert).execute();
}

export async function findStream(tx: Tx): Promise<StreamRow | null> {
  const select = queries<GameRequestTables>(tx).selectFrom("gamerequests_stream").selectAll().where("name", "=", streamName);
  return (await select.executeTakeFirst()) ?? null;
}

/** Locks the stream until the commit, so that a lower position is never committed after a higher one. Null without a stream. */
export async function nextPosition(tx: Tx): Promise<number | null> {
  await queries<GameRequestTables>(tx)
    .updateTable("gamerequests_stream")
    .set((e) => ({ last_position: e("last_position", "+", 1) }))
    .where("name", "=", streamName)
    .execute();
  return (await findStream(tx))?.last_position ?? null;
}

export async function changeEpoch(tx: Tx, epoch: string): Promise<void> {
  await queries<GameRequestTables>(tx).updateTable("gamerequests_stream").set({ epoch }).where("name", "=", streamName).execute();
}

export async function insert(tx: Tx, row: Insertable<GameRequestTables["gamerequests"]>): Promise<void> {
  await queries<GameRequestTables>(tx).insertInto("gamerequests").values(row).execute();
}

export async function update(tx: Tx, id: string, values: Updateable<GameRequestTables["gamerequests"]>): Promise<void> {
  await queries<GameRequestTables>(tx).updateTable("gamerequests").set(values).where("id", "=", id).execute();
}

export async function remove(tx: Tx, id: string): Promise<void> {
  await queries<GameRequestTables>(tx).deleteFrom("gamerequests").where("id", "=", id).execute();
}

/** Locked, in the order of their ids. */
export async function lockAll(tx: Tx, ids: readonly string[]): Promise<RequestRow[]> {
  const select = queries<GameRequestTables>(tx).selectFrom("gamerequests").selectAll().where("id", "in", ids).orderBy("id");
  return await dialectOf(tx).lock(select).execute();
}

export async function lockOpen(tx: Tx, openKey: string): Promise<RequestRow | null> {
  const select = queries<GameRequestTables>(tx).selectFrom("gamerequests").selectAll().where("open_key", "=", openKey);
  return (await dialectOf(tx).lock(select).executeTakeFirst()) ?? null;
}

/** The one that was sent last. */
export async function latestOf(tx: Tx, kind: string, key: string): Promise<RequestRow | null> {
  const select = queries<GameRequestTables>(tx)
    .selectFrom("gamerequests")
    .selectAll()
    .where("kind", "=", kind)
    .where("object_key", "=", key)
    .orderBy("position", "desc")
    .limit(1);
  return (await select.executeTakeFirst()) ?? null;
}

export interface Delivery {
  readonly source: string;
  readonly after: number;
  readonly now: number;
  readonly limit: number;
}

/** What this game server has to run and has not confirmed by its position, in order; locked when the unit of work can write. */
export async function listDeliverable(tx: Tx, { source, after, now, limit }: Delivery): Promise<RequestRow[]> {
  const select = queries<GameRequestTables>(tx)
    .selectFrom("gamerequests")
    .selectAll()
    .where("state", "in", undelivered)
    .where("position", ">", after)
    .where("expires_at", ">", now)
    .where((e) => e.or([e("source", "=", source), e("source", "is", null)]))
    .orderBy("position")
    .limit(limit);
  return await (tx.writable ? dialectOf(tx).lock(select) : select).execute();
}

export async function markDelivered(tx: Tx, ids: readonly string[], source: string, now: number): Promise<void> {
  if (ids.length === 0) return;
  await queries<GameRequestTables>(tx)
    .updateTable("gamerequests")
    .set({ state: "delivered", source, delivered_at: now })
    .where("id", "in", ids)
    .execute();
}

export async function notePoll(tx: Tx, row: ServerRow): Promise<void> {
  const insertion = queries<GameRequestTables>(tx).insertInto("gamerequests_servers").values(row);
  await dialectOf(tx).upsert(insertion, ["source"], ["last_polled_at", "client_version", "token", "previous_token"]).execute();
}

export async function lockServer(tx: Tx, source: string): Promise<ServerRow | null> {
  const select = queries<GameRequestTables>(tx).selectFrom("gamerequests_servers").selectAll().where("source", "=", source);
  return (await dialectOf(tx).lock(select).executeTakeFirst()) ?? null;
}

/** The game servers that poll with this token. */
export async function servedWith(tx: Tx, token: string): Promise<ServerRow[]> {
  return await queries<GameRequestTables>(tx)
    .selectFrom("gamerequests_servers")
    .selectAll()
    .where("token", "=", token)
    .limit(100)
    .execute();
}

/** Those that polled last come first. */
export async function listServers(tx: Tx): Promise<ServerRow[]> {
  return await queries<GameRequestTables>(tx)
    .selectFrom("gamerequests_servers")
    .selectAll()
    .orderBy("last_polled_at", "desc")
    .limit(100)
    .execute();
}

export const pruneRequests = pruneOlder(gamerequestsTable, "kept_since", "ended_at");
export const pruneServers = pruneOlder(gamerequestsServers, "last_polled_at");
