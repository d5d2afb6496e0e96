import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AccountTables } from "./accounts.schema.ts";

/** Live accounts that chose one of these characters last. */
export async function accountsPlaying(
  tx: Tx,
  characterIds: readonly number[],
): Promise<{ accountId: number; characterId: number }[]> {
  if (characterIds.length === 0) return [];
  const rows = await queries<AccountTables>(tx)
    .selectFrom("accounts")
    .select(["id", "last_character_id"])
    .where("last_character_id", "in", characterIds)
    .where("deleted_at", "is", null)
    .execute();
  return rows.map((row) => ({ accountId: row.id, characterId: row.last_character_id ?? 0 }));
}

/** Live accounts of these game licences, whatever character they play. */
export async function accountsOfLicences(tx: Tx, licences: readonly string[]): Promise<{ accountId: number; licence: string }[]> {
  if (licences.length === 0) return [];
  const rows = await queries<AccountTables>(tx)
    .selectFrom("accounts")
    .select(["id", "licence"])
    .where("licence", "in", licences)
    .where("deleted_at", "is", null)
    .execute();
  return rows.map(({ id, licence }) => ({ accountId: id, licence }));
}

/** The session epochs of these accounts, also of deleted ones; accounts that were purged are missing. */
export async function sessionEpochs(tx: Tx, accountIds: readonly number[]): Promise<{ accountId: number; epoch: number }[]> {
  if (accountIds.length === 0) return [];
  return await queries<AccountTables>(tx)
    .selectFrom("accounts")
    .select(["id as accountId", "session_epoch as epoch"])
    .where("id", "in", accountIds)
    .execute();
}

/** Locked until the unit of work ends, by their ids, so that two that lock the same ones wait for each other. */
export async function lockAccounts(tx: Tx, accountIds: readonly number[]): Promise<void> {
  if (accountIds.length === 0) return;
  const select = queries<AccountTables>(tx).selectFrom("accounts").select("id").where("id", "in", accountIds).orderBy("id");
  await dialectOf(tx).lock(select).execute();
}

/** Accounts with admin powers that have a login, by id. */
export async function adminLogins(tx: Tx): Promise<{ id: number; username: string }[]> {
  const rows = await queries<AccountTables>(tx)
    .selectFrom("accounts")
    .select(["id", "username"])
    .where("admin_at", "is not", null)
    .where("admin_power", "is not", null)
    .where("username", "is not", null)
    .where("enabled", "=", 1)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .execute();
  return rows.map(({ id, username }) => ({ id, username: username ?? "" }));
}

export interface AccountClaim {
  readonly id: number;
  readonly licence: string;
  readonly groups: readonly string[];
  readonly confirmedGroups: readonly string[];
}

/** What decides about the admin powers of accounts that are enabled and not deleted. */
export async function claimsOf(tx: Tx, accountIds: readonly number[]): Promise<AccountClaim[]> {
  if (accountIds.length === 0) return [];
  const rows = await queries<AccountTables>(tx)
    .selectFrom("accounts")
    .select(["id", "licence", "staff_groups", "confirmed_groups"])
    .where("id", "in", accountIds)
    .where("enabled", "=", 1)
    .where("deleted_at", "is", null)
    .execute();
  return rows.map(({ id, licence, staff_groups, confirmed_groups }) => ({
    id,
    licence,
    groups: JSON.parse(staff_groups) as string[],
    confirmedGroups: JSON.parse(confirmed_groups ?? "[]") as string[],
  }));
}

/** The game licences of accounts that are enabled and not deleted, by id. */
export async function licencesOf(tx: Tx, ids: readonly number[]): Promise<Map<number, string>> {
  return new Map((await claimsOf(tx, ids)).map(({ id, licence }) => [id, licence]));
}

/** User names of live accounts that have one, by id. */
export async function usernamesOf(tx: Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queries<AccountTables>(tx)
    .selectFrom("accounts")
    .select(["id", "username"])
    .where("id", "in", ids)
    .where("deleted_at", "is", null)
    .execute();
  return new Map(rows.flatMap(({ id, username }) => (username === null ? [] : [[id, username] as const])));
}
