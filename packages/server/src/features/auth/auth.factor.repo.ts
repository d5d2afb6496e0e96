import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AuthTables } from "./auth.schema.ts";

export interface FactorRow {
  readonly account_id: number;
  readonly secret: string;
  readonly created_at: number;
  readonly confirmed_at: number | null;
  readonly last_step: number;
}

const of = (tx: Tx, accountId: number) =>
  queries<AuthTables>(tx)
    .selectFrom("auth_factors")
    .select(["account_id", "secret", "created_at", "confirmed_at", "last_step"])
    .where("account_id", "=", accountId);

export async function find(tx: Tx, accountId: number): Promise<FactorRow | null> {
  return (await of(tx, accountId).executeTakeFirst()) ?? null;
}

/** Locked until the unit of work ends, so that two calls cannot use the same code. */
export async function lock(tx: Tx, accountId: number): Promise<FactorRow | null> {
  return (await dialectOf(tx).lock(of(tx, accountId)).executeTakeFirst()) ?? null;
}

/** Also replaces a factor that was not confirmed. */
export async function put(tx: Tx, accountId: number, secret: string, at: number): Promise<void> {
  const insert = queries<AuthTables>(tx)
    .insertInto("auth_factors")
    .values({ account_id: accountId, secret, created_at: at, confirmed_at: null, last_step: 0 });
  await dialectOf(tx).upsert(insert, ["account_id"], ["secret", "created_at", "confirmed_at", "last_step"]).execute();
}

export async function confirm(tx: Tx, accountId: number, at: number): Promise<void> {
  await queries<AuthTables>(tx)
    .updateTable("auth_factors")
    .set({ confirmed_at: at })
    .where("account_id", "=", accountId)
    .execute();
}

export async function accept(tx: Tx, accountId: number, step: number): Promise<void> {
  await queries<AuthTables>(tx)
    .updateTable("auth_factors")
    .set({ last_step: step })
    .where("account_id", "=", accountId)
    .execute();
}

export async function remove(tx: Tx, accountId: number): Promise<void> {
  await queries<AuthTables>(tx).deleteFrom("auth_factors").where("account_id", "=", accountId).execute();
  await queries<AuthTables>(tx).deleteFrom("auth_recovery_codes").where("account_id", "=", accountId).execute();
}

export async function replaceCodes(tx: Tx, accountId: number, hashes: readonly string[]): Promise<void> {
  await queries<AuthTables>(tx).deleteFrom("auth_recovery_codes").where("account_id", "=", accountId).execute();
  const rows = hashes.map((code_hash) => ({ account_id: accountId, code_hash, used_at: null }));
  await queries<AuthTables>(tx).insertInto("auth_recovery_codes").values(rows).execute();
}

export async function codesLeft(tx: Tx, accountId: number): Promise<number> {
  const row = await queries<AuthTables>(tx)
    .selectFrom("auth_recovery_codes")
    .select((e) => e.fn.countAll<number>().as("n"))
    .where("account_id", "=", accountId)
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** False when there is no such unused code; call with the factor locked. */
export async function useCode(tx: Tx, accountId: number, hash: string, at: number): Promise<boolean> {
  const result = await queries<AuthTables>(tx)
    .updateTable("auth_recovery_codes")
    .set({ used_at: at })
    .where("account_id", "=", accountId)
    .where("code_hash", "=", hash)
    .where("used_at", "is", null)
    .executeTakeFirst();
  return Number(result.numUpdatedRows) > 0;
}

/** Which of these accounts have a confirmed factor. */
export async function confirmedOf(tx: Tx, accountIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (accountIds.length === 0) return new Set();
  const rows = await queries<AuthTables>(tx)
    .selectFrom("auth_factors")
    .select("account_id")
    .where("account_id", "in", accountIds)
    .where("confirmed_at", "is not", null)
    .execute();
  return new Set(rows.map((row) => row.account_id));
}

/** Confirmed factors in the order of their accounts, for the doctor. */
export async function page(tx: Tx, after: number, limit: number): Promise<{ account_id: number; secret: string }[]> {
  return await queries<AuthTables>(tx)
    .selectFrom("auth_factors")
    .select(["account_id", "secret"])
    .where("account_id", ">", after)
    .where("confirmed_at", "is not", null)
    .orderBy("account_id")
    .limit(limit)
    .execute();
}
