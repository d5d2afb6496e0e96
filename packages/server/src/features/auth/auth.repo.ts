import type { SelectQueryBuilder } from "kysely";
import { bulkInsert, dialectOf, queries, pruneOlder } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { accountsPlaying, sessionEpochs } from "#features/accounts/accounts.reads.ts";
import { characterIdsInJob, citizenIds } from "#features/citizens/citizens.reads.ts";
import { authAddresses, authAgents, authFailures, authSessions, type AuthTables } from "./auth.schema.ts";
import type { Counter } from "./auth.throttle.policy.ts";

export interface SessionRow {
  readonly id: string;
  readonly account_id: number;
  readonly created_at: number;
  readonly last_seen_at: number;
  readonly expires_at: number;
  readonly ended_at: number | null;
  readonly admin_job: string | null;
  readonly admin_reason: string | null;
  readonly admin_until: number | null;
  readonly see_job: string | null;
  readonly see_grade: number | null;
  readonly see_until: number | null;
  readonly opened_by: string | null;
  readonly factor_at: number | null;
  readonly secrets: string | null;
  readonly account_epoch: number;
}

export interface NewSession {
  readonly id: string;
  readonly accountId: number;
  readonly at: number;
  readonly expiresAt: number;
  readonly address: string;
  readonly userAgent: string;
  readonly openedBy: string | null;
  readonly factorAt: number | null;
  readonly secrets: string;
  /** Of the account that the sign-in checked. */
  readonly accountEpoch: number;
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
      opened_by: session.openedBy?.slice(0, 100) ?? null,
      factor_at: session.factorAt,
      secrets: session.secrets,
      account_epoch: session.accountEpoch,
    })
    .execute();
}

export async function findSession(tx: Tx, id: string): Promise<SessionRow | null> {
  const row = await queries<AuthTables>(tx)
    .selectFrom("auth_sessions")
    .select([
      "id",
      "account_id",
      "created_at",
      "last_seen_at",
      "expires_at",
      "ended_at",
      "admin_job",
      "admin_reason",
      "admin_until",
      "see_job",
      "see_grade",
      "see_until",
      "opened_by",
      "factor_at",
      "secrets",
      "account_epoch",
    ])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

/** Never back in time: two processes may write to the same session. */
export async function touchSessions(tx: Tx, ids: readonly string[], at: number, expiresAt: number): Promise<void> {
  await queries<AuthTables>(tx)
    .updateTable("auth_sessions")
    .set({ last_seen_at: at, expires_at: expiresAt })
    .where("id", "in", ids)
    .where("last_seen_at", "<", at)
    .execute();
}

/** The accounts of these sessions, each once, by id. */
export async function accountsOf(tx: Tx, sessionIds: readonly string[]): Promise<number[]> {
  const rows = await queries<AuthTables>(tx)
    .selectFrom("auth_sessions")
    .select("account_id")
    .distinct()
    .where("id", "in", sessionIds)
    .orderBy("account_id")
    .execute();
  return rows.map((row) => row.account_id);
}

export interface ListedSession {
  readonly id: string;
  readonly created_at: number;
  readonly last_seen_at: number;
  readonly address: string;
  readonly user_agent: string;
}

const openSessions = (tx: Tx, accountId: number, now: number) =>
  queries<AuthTables>(tx)
    .selectFrom("auth_sessions")
    .where("account_id", "=", accountId)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now);

/** The live sessions of an account in its present epoch that were opened after an instant, the one used last first, at most 200. */
export async function listSessions(
  tx: Tx,
  accountId: number,
  { epoch, openedAfter, now }: { readonly epoch: number; readonly openedAfter: number; readonly now: number },
): Promise<ListedSession[]> {
  return await openSessions(tx, accountId, now)
    .select(["id", "created_at", "last_seen_at", "address", "user_agent"])
    .where("account_epoch", "=", epoch)
    .where("created_at", ">", openedAfter)
    .orderBy("last_seen_at", "desc")
    .orderBy("id")
    .limit(200)
    .execute();
}

export async function sessionOpenedAt(tx: Tx, id: string): Promise<number | null> {
  const row = await queries<AuthTables>(tx)
    .selectFrom("auth_sessions")
    .select("created_at")
    .where("id", "=", id)
    .executeTakeFirst();
  return row?.created_at ?? null;
}

/** Ends a live session; false when there is none. */
export async function endSession(tx: Tx, id: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await queries<AuthTables>(tx)
    .updateTable("auth_sessions")
    .set({ ended_at: at })
    .where("id", "=", id)
    .where("ended_at", "is", null)
    .where("expires_at", ">", at)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) > 0;
}

async function endSelected(tx: Tx, select: SelectQueryBuilder<AuthTables, "auth_sessions", { id: string }>, at: number) {
  const ids = (await dialectOf(tx).lock(select).execute()).map((row) => row.id);
  if (ids.length > 0) {
    await queries<AuthTables>(tx).updateTable("auth_sessions").set({ ended_at: at }).where("id", "in", ids).execute();
  }
  return ids;
}

/** Ends live sessions of an account in its present epoch: one by its id, all but one, or all. Returns their ids. */
export async function endSessionsOf(
  tx: Tx,
  accountId: number,
  epoch: number,
  at: number,
  which: { readonly only?: string; readonly except?: string } = {},
): Promise<string[]> {
  let select = openSessions(tx, accountId, at).select("id").where("account_epoch", "=", epoch);
  if (which.only !== undefined) select = select.where("id", "=", which.only);
  if (which.except !== undefined) select = select.where("id", "!=", which.except);
  return await endSelected(tx, select, at);
}

/** Ends the sessions of accounts that are of an earlier epoch. Returns their ids. */
export async function endOutdatedSessions(tx: Tx, accountIds: readonly number[], at: number): Promise<string[]> {
  const ended: string[] = [];
  for (const { accountId, epoch } of await sessionEpochs(tx, accountIds)) {
    // Not of any other epoch: one that was opened after the epochs were read has a later one.
    const select = openSessions(tx, accountId, at).select("id").where("account_epoch", "<", epoch);
    ended.push(...(await endSelected(tx, select, at)));
  }
  return ended;
}

/** Assigns a session of an earlier version to these secrets; false when another process assigned it to others first. */
export async function setSessionSecrets(tx: Tx, id: string, secrets: string): Promise<boolean> {
  const db = queries<AuthTables>(tx);
  await db.updateTable("auth_sessions").set({ secrets }).where("id", "=", id).where("secrets", "is", null).execute();
  const row = await db.selectFrom("auth_sessions").select("secrets").where("id", "=", id).executeTakeFirst();
  return row?.secrets === secrets;
}

/** Live sessions that were opened under other secrets. */
export async function countForeignSessions(tx: Tx, secrets: string, now: number): Promise<number> {
  const row = await queries<AuthTables>(tx)
    .selectFrom("auth_sessions")
    .select((e) => e.fn.countAll<number>().as("n"))
    .where("secrets", "is not", null)
    .where("secrets", "!=", secrets)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** Records that a session showed a code of the account's second factor. */
export async function showFactor(tx: Tx, id: string, at: number): Promise<void> {
  await queries<AuthTables>(tx).updateTable("auth_sessions").set({ factor_at: at }).where("id", "=", id).execute();
}

/** The factor was removed: codes that sessions showed do not count for a later factor. Returns the ids of these sessions. */
export async function forgetShownFactor(tx: Tx, accountId: number): Promise<string[]> {
  const db = queries<AuthTables>(tx);
  const shown = db
    .selectFrom("auth_sessions")
    .select("id")
    .where("account_id", "=", accountId)
    .where("factor_at", "is not", null);
  const ids = (await dialectOf(tx).lock(shown).execute()).map(({ id }) => id);
  if (ids.length > 0) await db.updateTable("auth_sessions").set({ factor_at: null }).where("id", "in", ids).execute();
  return ids;
}

/** Sessions that expired; returns how many. */
export const pruneSessions = pruneOlder(authSessions, "expires_at");

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

function countersOf(rows: readonly { subject: string; failures: number; last_at: number; blocked_until: number }[]) {
  return new Map<string, Counter>(
    rows.map((row) => [row.subject, { failures: row.failures, lastAt: row.last_at, blockedUntil: row.blocked_until }]),
  );
}

export async function readCounters(tx: Tx, subjects: readonly string[]): Promise<Map<string, Counter>> {
  return countersOf(
    await queries<AuthTables>(tx).selectFrom("auth_failures").selectAll().where("subject", "in", subjects).execute(),
  );
}

/**
 * Locked until the unit of work ends. A counter that does not exist yet is stored first: otherwise two
 * attempts that find none at the same time would both store 1.
 */
export async function lockCounters(tx: Tx, subjects: readonly string[], now: number): Promise<Map<string, Counter>> {
  const fresh = subjects.map((subject) => ({ subject, failures: 0, last_at: now, blocked_until: 0 }));
  await bulkInsert(tx, authFailures, fresh, { onConflict: { keys: ["subject"], update: [] } });
  const select = queries<AuthTables>(tx).selectFrom("auth_failures").selectAll().where("subject", "in", subjects);
  return countersOf(await dialectOf(tx).lock(select).execute());
}

export async function putCounters(tx: Tx, counters: ReadonlyMap<string, Counter>): Promise<void> {
  const rows = [...counters].map(([subject, { failures, lastAt, blockedUntil }]) => ({
    subject,
    failures,
    last_at: lastAt,
    blocked_until: blockedUntil,
  }));
  await bulkInsert(tx, authFailures, rows, {
    onConflict: { keys: ["subject"], update: ["failures", "last_at", "blocked_until"] },
  });
}

export async function deleteCounters(tx: Tx, subjects: readonly string[]): Promise<void> {
  await queries<AuthTables>(tx).deleteFrom("auth_failures").where("subject", "in", subjects).execute();
}

/** Counters to which nothing was added since. */
export const pruneCounters = pruneOlder(authFailures, "last_at");
export const pruneAddresses = pruneOlder(authAddresses, "last_at");
export const pruneAgents = pruneOlder(authAgents, "last_at");

export async function knowsAddress(tx: Tx, accountId: number, address: string): Promise<boolean> {
  const row = await queries<AuthTables>(tx)
    .selectFrom("auth_addresses")
    .select("last_at")
    .where("account_id", "=", accountId)
    .where("address", "=", address)
    .executeTakeFirst();
  return row !== undefined;
}

/** Addresses from which any account signed in. */
export async function allAddresses(tx: Tx, limit: number): Promise<string[]> {
  const query = queries<AuthTables>(tx).selectFrom("auth_addresses").select("address").distinct().limit(limit);
  return (await query.execute()).map(({ address }) => address);
}

/** Addresses from which an account signed in, the most recent first. */
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

/** Whether the account ever signed in, and whether it did with this browser. */
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

/** Deletes everything of accounts that were purged. */
export async function purgeAccounts(tx: Tx, accountIds: readonly number[]): Promise<void> {
  const db = queries<AuthTables>(tx);
  for (const table of ["auth_sessions", "auth_factors", "auth_recovery_codes", "auth_agents", "auth_addresses"] as const) {
    await db.deleteFrom(table).where("account_id", "in", accountIds).execute();
  }
}

/** Accounts that played these characters last. */
export const playersOf = accountsPlaying;
export const charactersInJob = characterIdsInJob;

/** Ends every open session. */
export async function endAllSessions(tx: Tx, at: number): Promise<void> {
  await queries<AuthTables>(tx).updateTable("auth_sessions").set({ ended_at: at }).where("ended_at", "is", null).execute();
}
