import { dialectOf, queries, removeOlder } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { accountsPlaying } from "#features/accounts/accounts.reads.ts";
import { characterIdsInJob, citizenIds } from "#features/citizens/citizens.reads.ts";
import { authAddresses, authAgents, authFailures, authSessions, type AuthTables } from "./auth.schema.ts";
import { type Counter, noFailures } from "./auth.throttle.policy.ts";

export interface SessionRow {
  readonly id: string;
  readonly account_id: number;
  readonly last_seen_at: number;
  readonly expires_at: number;
  readonly ended_at: number | null;
  readonly admin_job: string | null;
  readonly admin_reason: string | null;
  readonly admin_until: number | null;
  readonly see_job: string | null;
  readonly see_grade: number | null;
  readonly see_until: number | null;
}

export interface NewSession {
  readonly id: string;
  readonly accountId: number;
  readonly at: number;
  readonly expiresAt: number;
  readonly address: string;
  readonly userAgent: string;
}

export async function insertSession(tx: Tx, session: NewSession): Promise<void> {
  await queries<AuthTables>(tx)
    .insertInto("auth_sessions")
    .values({
      id: session.id,
      account_id: session.accountId,
      created_at: session.at,
      last_seen_at: session.at,
      expires_at: session.expiresAt,
      ended_at: null,
      address: session.address,
      user_agent: session.userAgent.slice(0, 255),
      admin_job: null,
      admin_reason: null,
      admin_until: null,
    })
    .execute();
}

export async function findSession(tx: Tx, id: string): Promise<SessionRow | null> {
  const row = await queries<AuthTables>(tx)
    .selectFrom("auth_sessions")
    .select([
      "id",
      "account_id",
      "last_seen_at",
      "expires_at",
      "ended_at",
      "admin_job",
      "admin_reason",
      "admin_until",
      "see_job",
      "see_grade",
      "see_until",
    ])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** Never back in time: two processes may write about the same session. */
export async function touchSessions(tx: Tx, ids: readonly string[], at: number, expiresAt: number): Promise<void> {
  await queries<AuthTables>(tx)
    .updateTable("auth_sessions")
    .set({ last_seen_at: at, expires_at: expiresAt })
    .where("id", "in", ids)
    .where("last_seen_at", "<", at)
    .execute();
}

export interface ListedSession {
  readonly id: string;
  readonly created_at: number;
  readonly last_seen_at: number;
  readonly address: string;
  readonly user_agent: string;
}

/** Live ones, the one used last first, at most 200. */
export async function listSessions(tx: Tx, accountId: number, now: number): Promise<ListedSession[]> {
  return await queries<AuthTables>(tx)
    .selectFrom("auth_sessions")
    .select(["id", "created_at", "last_seen_at", "address", "user_agent"])
    .where("account_id", "=", accountId)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .orderBy("last_seen_at", "desc")
    .orderBy("id")
    .limit(200)
    .execute();
}

export async function endSession(tx: Tx, id: string, at: number): Promise<void> {
  await queries<AuthTables>(tx)
    .updateTable("auth_sessions")
    .set({ ended_at: at })
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .execute();
}

/** Ends those of an account: one by its id, all but one, or all. Answers which. */
export async function endSessionsOf(
  tx: Tx,
  accountId: number,
  at: number,
  which: { readonly only?: string; readonly except?: string } = {},
): Promise<string[]> {
  let select = queries<AuthTables>(tx)
    .selectFrom("auth_sessions")
    .select("id")
    .where("account_id", "=", accountId)
    .where("ended_at", "is", null)
    .where("expires_at", ">", at);
  if (which.only !== undefined) select = select.where("id", "=", which.only);
  if (which.except !== undefined) select = select.where("id", "!=", which.except);
  const ids = (await dialectOf(tx).lock(select).execute()).map((row) => row.id);
  if (ids.length > 0) {
    await queries<AuthTables>(tx).updateTable("auth_sessions").set({ ended_at: at }).where("id", "in", ids).execute();
  }
  return ids;
}

/** Removes sessions that nobody can use any more; returns how many. */
export const deleteDeadSessions = removeOlder(authSessions, "expires_at");

export async function setJobAdmin(
  tx: Tx,
  id: string,
  admin: { job: string; reason: string; until: number } | null,
): Promise<void> {
  await queries<AuthTables>(tx)
    .updateTable("auth_sessions")
    .set({
      admin_job: admin?.job ?? null,
      admin_reason: admin?.reason ?? null,
      admin_until: admin?.until ?? null,
    })
    .where("id", "=", id)
    .execute();
}

export async function setSeeAs(tx: Tx, id: string, see: { job: string; grade: number; until: number } | null): Promise<void> {
  await queries<AuthTables>(tx)
    .updateTable("auth_sessions")
    .set({ see_job: see?.job ?? null, see_grade: see?.grade ?? null, see_until: see?.until ?? null })
    .where("id", "=", id)
    .execute();
}

export async function readCounters(tx: Tx, subjects: readonly string[]): Promise<Map<string, Counter>> {
  const rows = await queries<AuthTables>(tx).selectFrom("auth_failures").selectAll().where("subject", "in", subjects).execute();
  return new Map(
    rows.map((row) => [row.subject, { failures: row.failures, lastAt: row.last_at, blockedUntil: row.blocked_until }]),
  );
}

export async function lockCounter(tx: Tx, subject: string): Promise<Counter> {
  const select = queries<AuthTables>(tx).selectFrom("auth_failures").selectAll().where("subject", "=", subject);
  const row = await dialectOf(tx).lock(select).executeTakeFirst();
  return row ? { failures: row.failures, lastAt: row.last_at, blockedUntil: row.blocked_until } : noFailures;
}

export async function putCounter(tx: Tx, subject: string, counter: Counter): Promise<void> {
  const insert = queries<AuthTables>(tx).insertInto("auth_failures").values({
    subject,
    failures: counter.failures,
    last_at: counter.lastAt,
    blocked_until: counter.blockedUntil,
  });
  await dialectOf(tx).upsert(insert, ["subject"], ["failures", "last_at", "blocked_until"]).execute();
}

export async function deleteCounter(tx: Tx, subject: string): Promise<void> {
  await queries<AuthTables>(tx).deleteFrom("auth_failures").where("subject", "=", subject).execute();
}

/** Counters that nobody added to since. */
export const deleteOldCounters = removeOlder(authFailures, "last_at");
export const deleteOldAddresses = removeOlder(authAddresses, "last_at");
export const deleteOldAgents = removeOlder(authAgents, "last_at");

export async function knowsAddress(tx: Tx, accountId: number, address: string): Promise<boolean> {
  const row = await queries<AuthTables>(tx)
    .selectFrom("auth_addresses")
    .select("last_at")
    .where("account_id", "=", accountId)
    .where("address", "=", address)
    .executeTakeFirst();
  return row !== undefined;
}

/** Addresses from which anybody signed in. */
export async function allAddresses(tx: Tx, limit: number): Promise<string[]> {
  const query = queries<AuthTables>(tx).selectFrom("auth_addresses").select("address").distinct().limit(limit);
  return (await query.execute()).map(({ address }) => address);
}

/** Addresses from which an account signed in, the newest ones. */
export async function addressesOf(tx: Tx, accountId: number, limit: number): Promise<string[]> {
  const rows = await queries<AuthTables>(tx)
    .selectFrom("auth_addresses")
    .select("address")
    .where("account_id", "=", accountId)
    .orderBy("last_at", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ address }) => address);
}

export async function rememberAddress(tx: Tx, accountId: number, address: string, at: number): Promise<void> {
  const insert = queries<AuthTables>(tx).insertInto("auth_addresses").values({ account_id: accountId, address, last_at: at });
  await dialectOf(tx).upsert(insert, ["account_id", "address"], ["last_at"]).execute();
}

/** Whether the account ever signed in, and whether with this browser. */
export async function knowsAgent(tx: Tx, accountId: number, agentHash: string): Promise<{ ever: boolean; agent: boolean }> {
  const db = queries<AuthTables>(tx);
  const agent = await db
    .selectFrom("auth_agents")
    .select("last_at")
    .where("account_id", "=", accountId)
    .where("agent_hash", "=", agentHash)
    .executeTakeFirst();
  const ever = await db.selectFrom("auth_addresses").select("last_at").where("account_id", "=", accountId).executeTakeFirst();
  return { ever: ever !== undefined, agent: agent !== undefined };
}

export async function rememberAgent(tx: Tx, accountId: number, agentHash: string, at: number): Promise<void> {
  const insert = queries<AuthTables>(tx)
    .insertInto("auth_agents")
    .values({ account_id: accountId, agent_hash: agentHash, last_at: at });
  await dialectOf(tx).upsert(insert, ["account_id", "agent_hash"], ["last_at"]).execute();
}

/** The id of a live character by the game's identifier. */
export async function characterId(tx: Tx, identifier: string): Promise<number | null> {
  return (await citizenIds(tx, [identifier]))[0] ?? null;
}

/** Everything of an account that is gone for good. */
export async function forgetAccount(tx: Tx, accountId: number): Promise<void> {
  const db = queries<AuthTables>(tx);
  for (const table of ["auth_sessions", "auth_factors", "auth_recovery_codes", "auth_agents", "auth_addresses"] as const) {
    await db.deleteFrom(table).where("account_id", "=", accountId).execute();
  }
}

/** Accounts that played these characters last. */
export const playersOf = accountsPlaying;
export const charactersInJob = characterIdsInJob;

/** Ends every session that is open. */
export async function endAllSessions(tx: Tx, at: number): Promise<void> {
  await queries<AuthTables>(tx).updateTable("auth_sessions").set({ ended_at: at }).where("ended_at", "is", null).execute();
}
