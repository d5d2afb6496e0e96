import { dialectOf, queries, pruneOlder } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { TokenKind } from "./accounts.contract.ts";
import { type AccountTables, accountsTokens } from "./accounts.schema.ts";

/**
 * Tokens that versions without secret links issued. Nothing adds any: the last ones expire a week after the
 * upgrade, and a release later the table goes.
 */
export interface TokenRow {
  readonly id: number;
  readonly kind: TokenKind;
  readonly account_id: number;
  readonly created_by: string;
  readonly expires_at: number;
  readonly used_at: number | null;
  readonly sync_token: string | null;
}

/** Returns how many there were. */
export async function deleteTokens(tx: Tx, accountId: number, kind: TokenKind): Promise<number> {
  const deleted = await queries<AccountTables>(tx)
    .deleteFrom("accounts_tokens")
    .where("account_id", "=", accountId)
    .where("kind", "=", kind)
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
}

export async function deleteTokensOf(tx: Tx, accountIds: readonly number[]): Promise<void> {
  if (accountIds.length === 0) return;
  await queries<AccountTables>(tx).deleteFrom("accounts_tokens").where("account_id", "in", accountIds).execute();
}

const byHash = (tx: Tx, hash: string) =>
  queries<AccountTables>(tx)
    .selectFrom("accounts_tokens")
    .select(["id", "kind", "account_id", "created_by", "expires_at", "used_at", "sync_token"])
    .where("token_hash", "=", hash);

export async function findToken(tx: Tx, hash: string): Promise<TokenRow | null> {
  return ((await byHash(tx, hash).executeTakeFirst()) as TokenRow | undefined) ?? null;
}

/** Locked until the unit of work ends, so that two calls cannot both find it unused. */
export async function lockToken(tx: Tx, hash: string): Promise<TokenRow | null> {
  return ((await dialectOf(tx).lock(byHash(tx, hash)).executeTakeFirst()) as TokenRow | undefined) ?? null;
}

export async function markUsed(tx: Tx, id: number, at: number): Promise<void> {
  await queries<AccountTables>(tx).updateTable("accounts_tokens").set({ used_at: at }).where("id", "=", id).execute();
}

/** `syncTokens`: fingerprints of the sync tokens whose account tokens may be used. */
export async function usableTokens(
  tx: Tx,
  accountId: number,
  now: number,
  syncTokens: readonly string[],
): Promise<{ kind: TokenKind; createdBy: string; createdAt: number; expiresAt: number }[]> {
  const rows = await queries<AccountTables>(tx)
    .selectFrom("accounts_tokens")
    .select(["kind", "created_by as createdBy", "created_at as createdAt", "expires_at as expiresAt"])
    .where("account_id", "=", accountId)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .where((e) => e.or([e("sync_token", "is", null), ...(syncTokens.length === 0 ? [] : [e("sync_token", "in", syncTokens)])]))
    .orderBy("id", "desc")
    .execute();
  return rows as { kind: TokenKind; createdBy: string; createdAt: number; expiresAt: number }[];
}

/** Expired before an instant, used or not. */
export const pruneExpired = pruneOlder(accountsTokens, "expires_at");
