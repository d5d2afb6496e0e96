import type { Updateable } from "kysely";
import { dialectOf, queries } from "#core/db/index.ts";
import { AppError } from "#core/errors.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Account } from "./accounts.api.ts";
import { accountsErrors } from "./accounts.contract.ts";
import { usernameKey } from "./accounts.policy.ts";
import type { AccountTables } from "./accounts.schema.ts";

const columns = [
  "id",
  "licence",
  "username",
  "password_hash",
  "staff_groups",
  "confirmed_groups",
  "enabled",
  "last_character_id",
  "game_character",
  "created_at",
  "session_epoch",
] as const;

interface AccountRow {
  id: number;
  licence: string;
  username: string | null;
  password_hash: string | null;
  staff_groups: string;
  confirmed_groups: string | null;
  enabled: 0 | 1;
  last_character_id: number | null;
  game_character: string | null;
  created_at: number;
  session_epoch: number;
}

function accountOf(row: AccountRow): Account {
  return {
    id: row.id,
    licence: row.licence,
    username: row.username,
    groups: JSON.parse(row.staff_groups) as string[],
    confirmedGroups: JSON.parse(row.confirmed_groups ?? "[]") as string[],
    enabled: row.enabled === 1,
    hasPassword: row.password_hash !== null,
    lastCharacterId: row.last_character_id,
    gameCharacter: row.game_character,
    createdAt: row.created_at,
    sessionEpoch: row.session_epoch,
  };
}

const live = (tx: Tx) => queries<AccountTables>(tx).selectFrom("accounts").where("deleted_at", "is", null);

async function findBy(tx: Tx, column: "id" | "username_key" | "licence", value: string | number): Promise<Account | null> {
  const row = await live(tx)
    .select([...columns, "username_key"])
    .where(column, "=", value as never)
    .executeTakeFirst();
  // MariaDB ignores blanks at the end of a name, while the counters of failed sign-ins distinguish them.
  return row?.[column] === value ? accountOf(row) : null;
}

export const findById = async (tx: Tx, id: number) => await findBy(tx, "id", id);
export const findByUsernameKey = async (tx: Tx, key: string) => await findBy(tx, "username_key", key);
export const findByLicence = async (tx: Tx, licence: string) => await findBy(tx, "licence", licence);

/** Throws `accounts.notFound`. */
export async function requireByUsername(tx: Tx, username: string): Promise<Account> {
  const found = await findByUsernameKey(tx, usernameKey(username));
  if (!found) throw new AppError(accountsErrors.notFound, { params: { account: username } });
  return found;
}

/** An account that the same unit of work wrote or found. */
export async function readWritten(tx: Tx, id: number): Promise<Account> {
  const account = await findById(tx, id);
  if (!account) throw new Error("the account just written is missing");
  return account;
}

/** Also finds deleted accounts: what the game server sends for them is stored in case they are restored. */
export async function findByLicences(tx: Tx, licences: readonly string[]): Promise<Account[]> {
  if (licences.length === 0) return [];
  const rows = await queries<AccountTables>(tx).selectFrom("accounts").select(columns).where("licence", "in", licences).execute();
  return rows.map(accountOf);
}

export async function listAll(tx: Tx): Promise<Account[]> {
  return (await live(tx).select(columns).orderBy("id").execute()).map(accountOf);
}

/** Whether somebody has a login, also a disabled one, or with `enabled` one that can sign in. By the index of names. */
export async function hasLogin(tx: Tx, which: { readonly enabled?: true } = {}): Promise<boolean> {
  const named = live(tx).select("id").where("username_key", "is not", null).where("password_hash", "is not", null);
  const found = which.enabled ? named.where("enabled", "=", 1) : named;
  return (await found.limit(1).executeTakeFirst()) !== undefined;
}

export async function listAdmins(tx: Tx): Promise<Account[]> {
  const rows = await live(tx).select(columns).where("admin_at", "is not", null).where("enabled", "=", 1).orderBy("id").execute();
  return rows.map(accountOf);
}

export async function count(tx: Tx): Promise<number> {
  const row = await live(tx)
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

const passwordOf = (tx: Tx, id: number) => live(tx).select("password_hash").where("id", "=", id);

export async function readPasswordHash(tx: Tx, id: number): Promise<string | null> {
  return (await passwordOf(tx, id).executeTakeFirst())?.password_hash ?? null;
}

export async function lockPasswordHash(tx: Tx, id: number): Promise<string | null> {
  return (await dialectOf(tx).lock(passwordOf(tx, id)).executeTakeFirst())?.password_hash ?? null;
}

export interface AccountValues {
  licence: string;
  username?: string;
  username_key?: string;
  password_hash?: string;
  game_character?: string | null;
  groups: readonly string[];
  confirmedGroups: readonly string[];
}

/** An existing licence keeps its login and its deletion; only what the game server sends is overwritten. */
const rowOf = ({ groups, confirmedGroups, ...rest }: AccountValues, at: number) => ({
  username: null,
  username_key: null,
  password_hash: null,
  game_character: null,
  ...rest,
  staff_groups: JSON.stringify(groups),
  confirmed_groups: JSON.stringify(confirmedGroups),
  last_character_id: null,
  created_at: at,
  updated_at: at,
  deleted_at: null,
});

/** Throws `DuplicateKey` when the licence or the user name is taken. */
export async function insertLogin(tx: Tx, account: AccountValues, at: number): Promise<void> {
  await queries<AccountTables>(tx).insertInto("accounts").values(rowOf(account, at)).execute();
}

/** Accounts without a login. MariaDB would change an account with the same user name instead of inserting one. */
export async function insertMany(tx: Tx, accounts: readonly AccountValues[], at: number): Promise<void> {
  const rows = accounts.map((account) => rowOf(account, at));
  const insert = queries<AccountTables>(tx).insertInto("accounts").values(rows);
  await dialectOf(tx).upsert(insert, ["licence"], ["staff_groups", "confirmed_groups", "game_character", "updated_at"]).execute();
}

export async function update(tx: Tx, id: number, values: Updateable<AccountTables["accounts"]>): Promise<void> {
  await queries<AccountTables>(tx)
    .updateTable("accounts")
    .set({ ...values })
    .set((set) => ({ version: set("version", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

/** Ends all sessions of these accounts: sessions of an earlier epoch are refused. */
export async function raiseSessionEpoch(tx: Tx, ids: readonly number[]): Promise<void> {
  await queries<AccountTables>(tx)
    .updateTable("accounts")
    .set((set) => ({ session_epoch: set("session_epoch", "+", 1) }))
    .where("id", "in", ids)
    .execute();
}

/** Without a new version, because no form edits it. */
export async function setLastCharacter(tx: Tx, id: number, characterId: number): Promise<void> {
  await queries<AccountTables>(tx).updateTable("accounts").set({ last_character_id: characterId }).where("id", "=", id).execute();
}

/** Without a new version, because no form edits it. Never back in time, and at most once a minute. */
export async function setSeen(tx: Tx, ids: readonly number[], at: number): Promise<void> {
  if (ids.length === 0) return;
  await queries<AccountTables>(tx)
    .updateTable("accounts")
    .set({ last_seen_at: at })
    .where("id", "in", ids)
    .where((e) => e.or([e("last_seen_at", "is", null), e("last_seen_at", "<=", at - 60_000)]))
    .execute();
}
