import type { Selectable } from "kysely";
import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { DraftTables } from "./drafts.schema.ts";

export type StoredDraft = Selectable<DraftTables["drafts"]>;
export type DraftKey = Pick<StoredDraft, "account_id" | "character_id" | "form">;

export async function find(tx: Tx, { account_id, character_id, form }: DraftKey): Promise<StoredDraft | null> {
  const row = await queries<DraftTables>(tx)
    .selectFrom("drafts")
    .selectAll()
    .where("account_id", "=", account_id)
    .where("character_id", "=", character_id)
    .where("form", "=", form)
    .executeTakeFirst();
  return row ?? null;
}

/** Keys and ages of the drafts of an account; locked. */
export async function ofAccount(tx: Tx, accountId: number): Promise<(DraftKey & Pick<StoredDraft, "saved_at">)[]> {
  const select = queries<DraftTables>(tx)
    .selectFrom("drafts")
    .select(["account_id", "character_id", "form", "saved_at"])
    .where("account_id", "=", accountId);
  return await dialectOf(tx).lock(select).execute();
}

/** Throws `DuplicateKey` when another was stored in the meantime. */
export async function insert(tx: Tx, row: StoredDraft): Promise<void> {
  await queries<DraftTables>(tx).insertInto("drafts").values(row).execute();
}

export async function update(tx: Tx, { account_id, character_id, form, ...values }: StoredDraft): Promise<void> {
  await queries<DraftTables>(tx)
    .updateTable("drafts")
    .set(values)
    .where("account_id", "=", account_id)
    .where("character_id", "=", character_id)
    .where("form", "=", form)
    .execute();
}

export async function remove(tx: Tx, { account_id, character_id, form }: DraftKey): Promise<void> {
  await queries<DraftTables>(tx)
    .deleteFrom("drafts")
    .where("account_id", "=", account_id)
    .where("character_id", "=", character_id)
    .where("form", "=", form)
    .execute();
}

/** Drafts last changed before this instant, at most `limit`; returns how many. */
export async function removeOld(tx: Tx, before: number, limit: number): Promise<number> {
  const old = queries<DraftTables>(tx)
    .selectFrom("drafts")
    .select(["account_id", "character_id", "form"])
    .where("saved_at", "<", before)
    .limit(limit);
  const rows = await dialectOf(tx).lock(old).execute();
  for (const row of rows) await remove(tx, row);
  return rows.length;
}

export async function purgeAccounts(tx: Tx, accountIds: readonly number[]): Promise<void> {
  await queries<DraftTables>(tx).deleteFrom("drafts").where("account_id", "in", accountIds).execute();
}
