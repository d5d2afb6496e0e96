import type { Updateable } from "kysely";
import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Account } from "./accounts.api.ts";
import type { AccountTables } from "./accounts.schema.ts";

const columns = [
  "id",
  "licence",
  "username",
  "password_hash",
  "staff_groups",
  "enabled",
  "last_character_id",
  "game_character",
  "created_at",
] as const;

interface AccountRow {
  id: number;
  licence: string;
  username: string | null;
  password_hash: string | null;
  staff_groups: string;
  enabled: 0 | 1;
  last_character_id: number | null;
  game_character: string | null;
  created_at: number;
}

function accountOf(row: AccountRow): Account {
  return {
    id: row.id,
    licence: row.licence,
    username: row.username,
    groups: JSON.parse(row.staff_groups) as string[],
    enabled: row.enabled === 1,
    hasPassword: row.password_hash !== null,
    lastCharacterId: row.last_character_id,
    gameCharacter: row.game_character,
    createdAt: row.created_at,
  };
}

const live = (tx: Tx) => queries<AccountTables>(tx).selectFrom("accounts").where("deleted_at", "is", null);

async function findBy(tx: Tx, column: "id" | "username_key" | "licence", value: string | number): Promise<Account | null> {
  const row = await live(tx)
    .select([...columns, "username_key"])
    .where(column, "=", value as never)
    .executeTakeFirst();
  // MariaDB finds a name with blanks at its end too, which counters of failed sign-ins count as another one.
  return row?.[column] === value ? accountOf(row) : null;
}

export const findById = async (tx: Tx, id: number) => await findBy(tx, "id", id);
export const findByUsernameKey = async (tx: Tx, key: string) => await findBy(tx, "username_key", key);
export const findByLicence = async (tx: Tx, licence: string) => await findBy(tx, "licence", licence);

/** Also deleted ones: what the game says of them is kept, so that they can be restored. */
export async function findByLicences(tx: Tx, licences: readonly string[]): Promise<Account[]> {
  const rows = await queries<AccountTables>(tx).selectFrom("accounts").select(columns).where("licence", "in", licences).execute();
  return rows.map(accountOf);
}

export async function listAll(tx: Tx): Promise<Account[]> {
  return (await live(tx).select(columns).orderBy("id").execute()).map(accountOf);
}

export async function count(tx: Tx): Promise<number> {
  const row = await live(tx)
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

export async function readPasswordHash(tx: Tx, id: number): Promise<string | null> {
  const row = await live(tx).select("password_hash").where("id", "=", id).executeTakeFirst();
  return row?.password_hash ?? null;
}

export interface AccountValues {
  licence: string;
  username?: string;
  username_key?: string;
  password_hash?: string;
  game_character?: string | null;
  groups: readonly string[];
}

/** A licence that is known keeps its login and its deletion; only what the game says is overwritten. */
export async function insertMany(tx: Tx, accounts: readonly AccountValues[], at: number): Promise<void> {
  const rows = accounts.map(({ groups, ...rest }) => ({
    username: null,
    username_key: null,
    password_hash: null,
    game_character: null,
    ...rest,
    staff_groups: JSON.stringify(groups),
    last_character_id: null,
    created_at: at,
    updated_at: at,
    deleted_at: null,
  }));
  const insert = queries<AccountTables>(tx).insertInto("accounts").values(rows);
  await dialectOf(tx).upsert(insert, ["licence"], ["staff_groups", "game_character", "updated_at"]).execute();
}

export async function update(tx: Tx, id: number, values: Updateable<AccountTables["accounts"]>): Promise<void> {
  await queries<AccountTables>(tx)
    .updateTable("accounts")
    .set({ ...values })
    .set((set) => ({ version: set("version", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

/** Without a new version: nobody edits this. */
export async function setLastCharacter(tx: Tx, id: number, characterId: number): Promise<void> {
  await queries<AccountTables>(tx).updateTable("accounts").set({ last_character_id: characterId }).where("id", "=", id).execute();
}
