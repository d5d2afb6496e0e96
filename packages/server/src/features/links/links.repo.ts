import type { Insertable, Selectable } from "kysely";
import { dialectOf, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { links, type LinkTables } from "./links.schema.ts";

export type LinkRow = Selectable<LinkTables["links"]>;

export async function insert(tx: Tx, row: Insertable<LinkTables["links"]>): Promise<number> {
  const { insertId } = await queries<LinkTables>(tx).insertInto("links").values(row).executeTakeFirstOrThrow();
  return Number(insertId);
}

const byHash = (tx: Tx, hash: string) => queries<LinkTables>(tx).selectFrom("links").selectAll().where("secret_hash", "=", hash);

export async function find(tx: Tx, hash: string): Promise<LinkRow | null> {
  return (await byHash(tx, hash).executeTakeFirst()) ?? null;
}

/** Locked until the unit of work ends, so that two calls cannot both use it. */
export async function lock(tx: Tx, hash: string): Promise<LinkRow | null> {
  return (await dialectOf(tx).lock(byHash(tx, hash)).executeTakeFirst()) ?? null;
}

export async function findById(tx: Tx, id: number): Promise<LinkRow | null> {
  const select = queries<LinkTables>(tx).selectFrom("links").selectAll().where("id", "=", id);
  return (await select.executeTakeFirst()) ?? null;
}

/** The newest first. */
export async function ofSubjects(tx: Tx, kinds: readonly string[], subjects: readonly string[]): Promise<LinkRow[]> {
  if (kinds.length === 0 || subjects.length === 0) return [];
  return await queries<LinkTables>(tx)
    .selectFrom("links")
    .selectAll()
    .where("kind", "in", kinds)
    .where("subject", "in", subjects)
    .orderBy("id", "desc")
    .execute();
}

/** `kinds`: of these only. Locked: it also sees what was issued while this unit of work waited for the issuer's row. */
export async function idsIssuedBy(tx: Tx, accountIds: readonly number[], kinds?: readonly string[]): Promise<number[]> {
  if (accountIds.length === 0 || kinds?.length === 0) return [];
  let select = queries<LinkTables>(tx).selectFrom("links").select("id").where("account_id", "in", accountIds);
  if (kinds !== undefined) select = select.where("kind", "in", kinds);
  return (await dialectOf(tx).lock(select).execute()).map(({ id }) => id);
}

export async function removeAll(tx: Tx): Promise<void> {
  await queries<LinkTables>(tx).deleteFrom("links").execute();
}

export async function remove(tx: Tx, ids: readonly number[]): Promise<void> {
  await queries<LinkTables>(tx).deleteFrom("links").where("id", "in", ids).execute();
}

/** Expired before an instant. */
export const pruneExpired = pruneOlder(links, "expires_at");
