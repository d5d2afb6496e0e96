import type { Selectable } from "kysely";
import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { PreferenceTables } from "./preferences.schema.ts";

export type StoredPreference = Selectable<PreferenceTables["preferences"]>;
export type PreferenceKey = Pick<StoredPreference, "account_id" | "character_id" | "name">;

/** Of the account and all its characters. Locked in a unit of work. */
export async function ofAccount(tx: Tx, accountId: number): Promise<StoredPreference[]> {
  const select = queries<PreferenceTables>(tx)
    .selectFrom("preferences")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("name")
    .orderBy("character_id");
  return await (tx.writable ? dialectOf(tx).lock(select) : select).execute();
}

/** The first version is inserted plainly: when another was stored in the meantime, this throws `DuplicateKey`. */
export async function put(tx: Tx, row: StoredPreference): Promise<void> {
  const db = queries<PreferenceTables>(tx);
  if (row.version === 1) {
    await db.insertInto("preferences").values(row).execute();
    return;
  }
  const { value, version, updated_at } = row;
  await db
    .updateTable("preferences")
    .set({ value, version, updated_at })
    .where("account_id", "=", row.account_id)
    .where("character_id", "=", row.character_id)
    .where("name", "=", row.name)
    .execute();
}

export async function removeCharacters(tx: Tx, accountId: number, characterIds: readonly number[]): Promise<void> {
  await queries<PreferenceTables>(tx)
    .deleteFrom("preferences")
    .where("account_id", "=", accountId)
    .where("character_id", "in", characterIds)
    .execute();
}

export async function purgeAccounts(tx: Tx, accountIds: readonly number[]): Promise<void> {
  await queries<PreferenceTables>(tx).deleteFrom("preferences").where("account_id", "in", accountIds).execute();
}

export async function purgeCharacters(tx: Tx, characterIds: readonly number[]): Promise<void> {
  await queries<PreferenceTables>(tx).deleteFrom("preferences").where("character_id", "in", characterIds).execute();
}
