import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import { dialectOf, queries, readVisible } from "#core/db/index.ts";
import { positionOf } from "#core/paging.ts";
import type { Tx } from "#core/ports/index.ts";
import { type Subject, visibleTo } from "#features/accesslists/accesslists.reads.ts";
import { noticesList, type NoticeTables } from "./notices.schema.ts";

export type NoticeRow = Selectable<NoticeTables["notices"]>;

/** Kind of notices in the access lists. */
export const noticeKind = "notices";

/** Rows that the viewer may see, newest first. */
export async function readBoard(
  tx: Tx,
  who: Subject,
  page: { readonly now: number; readonly before?: number; readonly limit: number },
): Promise<NoticeRow[]> {
  const { now, before, limit } = page;
  const newest = positionOf(noticesList, {});
  const position = before === undefined ? newest : { ...newest, after: { key: before, id: before } };
  const found = await readVisible(tx, {
    list: noticesList,
    position,
    filters: {},
    where: sql<boolean>`(notices.expires_at is null or notices.expires_at > ${now})`,
    visible: visibleTo(noticeKind, who, 1),
    limit,
  });
  if (found.length === 0) return [];
  const ids = found.map(({ id }) => id);
  return await queries<NoticeTables>(tx).selectFrom("notices").selectAll().where("id", "in", ids).orderBy("id", "desc").execute();
}

/** Removed notices too; locked when the unit of work can write. */
export async function find(tx: Tx, id: number): Promise<NoticeRow | null> {
  const select = queries<NoticeTables>(tx).selectFrom("notices").selectAll().where("id", "=", id);
  return (await (tx.writable ? dialectOf(tx).lock(select) : select).executeTakeFirst()) ?? null;
}

/** Removed notices too. */
export async function findMany(tx: Tx, ids: readonly number[]): Promise<NoticeRow[]> {
  if (ids.length === 0) return [];
  return await queries<NoticeTables>(tx).selectFrom("notices").selectAll().where("id", "in", ids).execute();
}

export async function insert(tx: Tx, row: Insertable<NoticeTables["notices"]>): Promise<number> {
  const { insertId } = await queries<NoticeTables>(tx).insertInto("notices").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function update(tx: Tx, id: number, values: Updateable<NoticeTables["notices"]>): Promise<void> {
  await queries<NoticeTables>(tx).updateTable("notices").set(values).where("id", "=", id).execute();
}

/** Ids of notices removed or expired before this instant, at most `limit`; locked, so that none is restored meanwhile. */
export async function findPurgeable(tx: Tx, before: number, limit: number): Promise<number[]> {
  const purgeable = queries<NoticeTables>(tx)
    .selectFrom("notices")
    .select("id")
    .where((e) => e.or([e("deleted_at", "<", before), e("expires_at", "<", before)]))
    .limit(limit);
  const rows = await dialectOf(tx).lock(purgeable).execute();
  return rows.map((row) => row.id);
}

export async function purge(tx: Tx, ids: readonly number[]): Promise<void> {
  await queries<NoticeTables>(tx).deleteFrom("notices").where("id", "in", ids).execute();
}
