import type { Insertable, Selectable, Updateable } from "kysely";
import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { ExportTables } from "./exports.schema.ts";

export type ExportRow = Selectable<ExportTables["exports"]>;

const mostListed = 50;

/** Locked when the unit of work can write. */
export async function find(tx: Tx, id: number): Promise<ExportRow | null> {
  const select = queries<ExportTables>(tx).selectFrom("exports").selectAll().where("id", "=", id);
  return (await (tx.writable ? dialectOf(tx).lock(select) : select).executeTakeFirst()) ?? null;
}

/** Newest first, at most 50. */
export async function listOf(tx: Tx, accountId: number, kind?: string): Promise<ExportRow[]> {
  let select = queries<ExportTables>(tx).selectFrom("exports").selectAll().where("account_id", "=", accountId);
  if (kind !== undefined) select = select.where("kind", "=", kind);
  return await select.orderBy("id", "desc").limit(mostListed).execute();
}

export async function openOf(tx: Tx, accountId: number): Promise<ExportRow[]> {
  return await queries<ExportTables>(tx)
    .selectFrom("exports")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("slot", "is not", null)
    .execute();
}

/** Finished ones of an account but the newest `kept`; locked. */
export async function finishedBeyond(tx: Tx, accountId: number, kept: number): Promise<ExportRow[]> {
  const finished = queries<ExportTables>(tx)
    .selectFrom("exports")
    .select(["id"])
    .where("account_id", "=", accountId)
    .where("slot", "is", null);
  const first = await finished.orderBy("id", "desc").offset(kept).limit(1).executeTakeFirst();
  if (!first) return [];
  const select = finished.clearSelect().selectAll().where("id", "<=", first.id);
  return await dialectOf(tx).lock(select).execute();
}

export async function ofAccounts(tx: Tx, accountIds: readonly number[]): Promise<ExportRow[]> {
  const select = queries<ExportTables>(tx).selectFrom("exports").selectAll().where("account_id", "in", accountIds);
  return await dialectOf(tx).lock(select).execute();
}

/** The oldest first; locked. */
export async function keptSinceBefore(tx: Tx, before: number, limit: number): Promise<ExportRow[]> {
  const select = queries<ExportTables>(tx)
    .selectFrom("exports")
    .selectAll()
    .where("kept_since", "<", before)
    .orderBy("kept_since")
    .limit(limit);
  return await dialectOf(tx).lock(select).execute();
}

/** Throws `DuplicateKey` when another open export of the account has the slot. */
export async function insert(tx: Tx, row: Insertable<ExportTables["exports"]>): Promise<number> {
  const { insertId } = await queries<ExportTables>(tx).insertInto("exports").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function update(tx: Tx, id: number, values: Updateable<ExportTables["exports"]>): Promise<void> {
  await queries<ExportTables>(tx).updateTable("exports").set(values).where("id", "=", id).execute();
}

export async function remove(tx: Tx, ids: readonly number[]): Promise<void> {
  await queries<ExportTables>(tx).deleteFrom("exports").where("id", "in", ids).execute();
}

export async function removeAll(tx: Tx): Promise<void> {
  await queries<ExportTables>(tx).deleteFrom("exports").execute();
}
