import type { Insertable, Selectable } from "kysely";
import { dialectOf, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { approvalsDelegations, type ApprovalTables } from "./approvals.schema.ts";

export type DelegationRow = Selectable<ApprovalTables["approvals_delegations"]>;

const live = (tx: Tx, now: number) =>
  queries<ApprovalTables>(tx)
    .selectFrom("approvals_delegations")
    .selectAll()
    .where("revoked_at", "is", null)
    .where("until_at", ">", now);

/** In force for this character; locked when the unit of work can write, so that none is revoked while it is used. */
export async function inForceFor(tx: Tx, to: { accountId: number; characterId: number }, now: number): Promise<DelegationRow[]> {
  const select = live(tx, now)
    .where("to_character_id", "=", to.characterId)
    .where("to_account_id", "=", to.accountId)
    .where("from_at", "<=", now)
    .orderBy("id");
  return await (tx.writable ? dialectOf(tx).lock(select) : select).execute();
}

/** In force at an instant, of everybody; the newest first. */
export async function inForce(tx: Tx, now: number, limit: number): Promise<DelegationRow[]> {
  return await live(tx, now).where("from_at", "<=", now).orderBy("id", "desc").limit(limit).execute();
}

/** In force, handed over by these accounts. */
export async function inForceFrom(tx: Tx, accountIds: readonly number[], now: number): Promise<DelegationRow[]> {
  if (accountIds.length === 0) return [];
  return await live(tx, now).where("account_id", "in", accountIds).where("from_at", "<=", now).orderBy("id").execute();
}

/** Those of an account that did not end, given or got; also future ones. */
export async function ofAccount(tx: Tx, accountId: number, now: number): Promise<DelegationRow[]> {
  return await live(tx, now)
    .where((e) => e.or([e("account_id", "=", accountId), e("to_account_id", "=", accountId)]))
    .orderBy("id", "desc")
    .execute();
}

/** Those of everybody that did not end; the newest first. */
export async function ofAll(tx: Tx, now: number, limit: number): Promise<DelegationRow[]> {
  return await live(tx, now).orderBy("id", "desc").limit(limit).execute();
}

/** Those that did not end, handed over by these accounts; also future ones. Locked. */
export async function lockGivenBy(tx: Tx, accountIds: readonly number[], now: number): Promise<DelegationRow[]> {
  if (accountIds.length === 0) return [];
  return await dialectOf(tx)
    .lock(live(tx, now).where("account_id", "in", accountIds).orderBy("id"))
    .execute();
}

type Party = "account_id" | "to_account_id";

/**
 * How many an account gave, or got, that did not end. A locking read sees what others committed while this unit
 * of work waited for its lock, at every isolation level.
 */
export async function countOf(tx: Tx, party: Party, accountId: number, now: number): Promise<number> {
  const select = live(tx, now)
    .where(party, "=", accountId)
    .clearSelect()
    .select((e) => e.fn.countAll<number>().as("n"));
  return Number((await dialectOf(tx).lock(select).executeTakeFirstOrThrow()).n);
}

/** What one account handed to the other that did not end. */
export async function between(tx: Tx, from: number, to: number, now: number): Promise<DelegationRow[]> {
  const select = live(tx, now).where("account_id", "=", from).where("to_account_id", "=", to).orderBy("id");
  return await dialectOf(tx).lock(select).execute();
}

export async function lock(tx: Tx, id: number): Promise<DelegationRow | null> {
  const select = queries<ApprovalTables>(tx).selectFrom("approvals_delegations").selectAll().where("id", "=", id);
  return (await dialectOf(tx).lock(select).executeTakeFirst()) ?? null;
}

export async function insert(tx: Tx, row: Insertable<ApprovalTables["approvals_delegations"]>): Promise<number> {
  const { insertId } = await queries<ApprovalTables>(tx)
    .insertInto("approvals_delegations")
    .values(row)
    .executeTakeFirstOrThrow();
  return Number(insertId);
}

export async function revoke(tx: Tx, id: number, at: number): Promise<void> {
  await queries<ApprovalTables>(tx).updateTable("approvals_delegations").set({ revoked_at: at }).where("id", "=", id).execute();
}

export async function removeOfAccounts(tx: Tx, accountIds: readonly number[]): Promise<void> {
  await queries<ApprovalTables>(tx)
    .deleteFrom("approvals_delegations")
    .where((e) => e.or([e("account_id", "in", accountIds), e("to_account_id", "in", accountIds)]))
    .execute();
}

export async function removeOfCitizens(tx: Tx, citizenIds: readonly number[]): Promise<void> {
  await queries<ApprovalTables>(tx)
    .deleteFrom("approvals_delegations")
    .where((e) => e.or([e("character_id", "in", citizenIds), e("to_character_id", "in", citizenIds)]))
    .execute();
}

/** Ended before an instant. */
export const pruneEnded = pruneOlder(approvalsDelegations, "until_at");
