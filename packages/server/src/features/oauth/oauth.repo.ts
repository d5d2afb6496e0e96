import { queries, pruneOlder } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Identity } from "./oauth.policy.ts";
import { oauthAttempts, type OauthTables } from "./oauth.schema.ts";

export interface StoredConnection {
  readonly id: number;
  readonly account_id: number;
  readonly provider: string;
  readonly external_id: string;
  readonly external_kind: string | null;
  readonly username: string | null;
  readonly avatar_url: string | null;
  readonly scopes: string;
  readonly access_token: string | null;
  readonly refresh_token: string | null;
  readonly token_expires_at: number | null;
  readonly created_at: number;
  readonly updated_at: number;
}

export type ConnectionDetails = Pick<
  StoredConnection,
  "external_kind" | "username" | "avatar_url" | "scopes" | "access_token" | "refresh_token" | "token_expires_at" | "updated_at"
>;

export interface Attempt {
  readonly id: string;
  readonly provider: string;
  readonly account_id: number | null;
  readonly session_id: string | null;
  readonly return_path: string;
  readonly created_at: number;
  readonly expires_at: number;
}

const connections = (tx: Tx) => queries<OauthTables>(tx).selectFrom("oauth_connections").selectAll();

/**
 * The connection of exactly this person: MariaDB ignores blanks at the end of an id, and the number 12
 * is not the text "12".
 */
export async function findByPerson(
  tx: Tx,
  provider: string,
  { id, idKind }: Pick<Identity, "id" | "idKind">,
): Promise<StoredConnection | null> {
  const row = await connections(tx).where("provider", "=", provider).where("external_id", "=", id).executeTakeFirst();
  if (row?.external_id !== id) return null;
  return row.external_kind === null || row.external_kind === idKind ? row : null;
}

export async function findOfAccount(tx: Tx, accountId: number, provider: string): Promise<StoredConnection | null> {
  const row = await connections(tx).where("account_id", "=", accountId).where("provider", "=", provider).executeTakeFirst();
  return row ?? null;
}

export async function listOfAccount(tx: Tx, accountId: number): Promise<StoredConnection[]> {
  return await connections(tx).where("account_id", "=", accountId).orderBy("provider").execute();
}

export async function insert(
  tx: Tx,
  connection: Pick<StoredConnection, "account_id" | "provider" | "external_id" | "created_at"> & ConnectionDetails,
): Promise<void> {
  await queries<OauthTables>(tx).insertInto("oauth_connections").values(connection).execute();
}

export async function update(tx: Tx, id: number, details: ConnectionDetails): Promise<void> {
  await queries<OauthTables>(tx).updateTable("oauth_connections").set(details).where("id", "=", id).execute();
}

export async function remove(tx: Tx, id: number): Promise<void> {
  await queries<OauthTables>(tx).deleteFrom("oauth_connections").where("id", "=", id).execute();
}

/** Connections with stored tokens, in the order of their ids. */
export async function withTokens(tx: Tx, afterId: number, limit: number): Promise<StoredConnection[]> {
  return await connections(tx)
    .where("id", ">", afterId)
    .where((e) => e.or([e("access_token", "is not", null), e("refresh_token", "is not", null)]))
    .orderBy("id")
    .limit(limit)
    .execute();
}

export async function insertAttempt(tx: Tx, attempt: Attempt): Promise<void> {
  await queries<OauthTables>(tx)
    .insertInto("oauth_attempts")
    .values({ ...attempt, used_at: null })
    .execute();
}

export async function findAttempt(tx: Tx, id: string): Promise<(Attempt & { readonly used_at: number | null }) | null> {
  const row = await queries<OauthTables>(tx).selectFrom("oauth_attempts").selectAll().where("id", "=", id).executeTakeFirst();
  return row ?? null;
}

/** False when another call was first. */
export async function useAttempt(tx: Tx, id: string, at: number): Promise<boolean> {
  const { numUpdatedRows } = await queries<OauthTables>(tx)
    .updateTable("oauth_attempts")
    .set({ used_at: at })
    .where("id", "=", id)
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows) === 1;
}

export const pruneAttempts = pruneOlder(oauthAttempts, "expires_at");

export async function purgeAccounts(tx: Tx, accountIds: readonly number[]): Promise<void> {
  for (const table of ["oauth_connections", "oauth_attempts"] as const) {
    await queries<OauthTables>(tx).deleteFrom(table).where("account_id", "in", accountIds).execute();
  }
}
