import { type Expression, type ExpressionBuilder, sql, type SqlBool } from "kysely";
import { dialectOf, type Ordered, type Position, queries, readOrdered } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AccountTables } from "./accounts.schema.ts";

export interface PanelRow {
  readonly id: number;
  readonly licence: string;
  readonly username: string | null;
  readonly username_key: string | null;
  readonly password_hash: string | null;
  readonly staff_groups: string;
  readonly confirmed_groups: string | null;
  readonly admin_waiting: "config" | "job" | null;
  readonly admin_at: number | null;
  readonly enabled: 0 | 1;
  readonly disabled_reason: string | null;
  readonly created_at: number;
  readonly deleted_at: number | null;
  readonly deleted_by: string | null;
  readonly deleted_reason: string | null;
  readonly game_character: string | null;
  readonly last_character_id: number | null;
  readonly last_seen_at: number | null;
}

export interface PanelFilter {
  /** Lower case. */
  readonly text?: string;
  /** Of the characters whose names match the text. */
  readonly named?: readonly string[];
  /** Of the one character that is wanted. */
  readonly licence?: string;
  readonly only?: "disabled" | "admins" | "waiting" | "withoutPassword" | "deleted" | undefined;
  readonly admins: { readonly groups: readonly string[]; readonly licences: readonly string[] };
}

const columns = [
  "id",
  "licence",
  "username",
  "username_key",
  "password_hash",
  "staff_groups",
  "confirmed_groups",
  "admin_waiting",
  "admin_at",
  "enabled",
  "disabled_reason",
  "created_at",
  "deleted_at",
  "deleted_by",
  "deleted_reason",
  "game_character",
  "last_character_id",
  "last_seen_at",
] as const;

const escaped = (text: string) => text.replaceAll(/[!%_]/g, "!$&");
const contains = (column: string, text: string) => sql<boolean>`${sql.ref(column)} like ${`%${escaped(text)}%`} escape '!'`;

/** Whether an account has one of the licences or one of the groups. */
export function withAdminLists(
  e: ExpressionBuilder<AccountTables, "accounts">,
  { groups, licences }: PanelFilter["admins"],
): Expression<SqlBool> {
  return e.or([
    ...(licences.length === 0 ? [] : [e("licence", "in", licences)]),
    ...groups.map((group) => contains("staff_groups", JSON.stringify(group))),
    sql<boolean>`1 = 0`,
  ]);
}

function filtered(tx: Tx, filter: PanelFilter) {
  let query = queries<AccountTables>(tx).selectFrom("accounts");
  query = query.where("deleted_at", filter.only === "deleted" ? "is not" : "is", null);
  if (filter.only === "disabled") query = query.where("enabled", "=", 0);
  if (filter.only === "withoutPassword") query = query.where("password_hash", "is", null);
  if (filter.only === "waiting") query = query.where("admin_waiting", "is not", null);
  if (filter.only === "admins") query = query.where((e) => withAdminLists(e, filter.admins));
  const { licence, named = [], text } = filter;
  if (licence !== undefined) query = query.where("licence", "=", licence);
  if (text !== undefined)
    query = query.where((e) =>
      e.or([
        contains("username_key", text),
        contains("licence", text),
        ...(named.length === 0 ? [] : [e("licence", "in", named)]),
      ]),
    );
  return query;
}

/** At most `limit` rows after a position. */
export async function listRows(tx: Tx, filter: PanelFilter, position: Position, limit: number): Promise<(PanelRow & Ordered)[]> {
  const narrowed = [filter.text, filter.only, filter.licence].some((one) => one !== undefined);
  const rows = await readOrdered(tx, filtered(tx, filter).select(columns), { position, limit, narrowed });
  return rows as (PanelRow & Ordered)[];
}

/** How many match, counted up to `cap`. */
export async function countRows(tx: Tx, filter: PanelFilter, cap: number): Promise<number> {
  const row = await queries<AccountTables>(tx)
    .selectFrom(filtered(tx, filter).select("id").limit(cap).as("capped"))
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

const byId = (tx: Tx, id: number) => queries<AccountTables>(tx).selectFrom("accounts").select(columns).where("id", "=", id);

/** Also finds deleted accounts. */
export async function findAny(tx: Tx, id: number): Promise<PanelRow | null> {
  return ((await byId(tx, id).executeTakeFirst()) as PanelRow | undefined) ?? null;
}

/** Also finds deleted accounts; locked until the unit of work ends. */
export async function lockAny(tx: Tx, id: number): Promise<PanelRow | null> {
  return ((await dialectOf(tx).lock(byId(tx, id)).executeTakeFirst()) as PanelRow | undefined) ?? null;
}

/** Locks several in the order of their ids, so that two units of work that need the same ones wait for each other. */
export async function lockInOrder(tx: Tx, ids: readonly number[]): Promise<void> {
  const select = queries<AccountTables>(tx).selectFrom("accounts").select("id").where("id", "in", ids).orderBy("id");
  await dialectOf(tx).lock(select).execute();
}

/** Also finds deleted accounts; locked until the unit of work ends. */
export async function lockByLicence(tx: Tx, licence: string): Promise<PanelRow | null> {
  const select = queries<AccountTables>(tx).selectFrom("accounts").select(columns).where("licence", "=", licence);
  return ((await dialectOf(tx).lock(select).executeTakeFirst()) as PanelRow | undefined) ?? null;
}

export async function remove(tx: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await queries<AccountTables>(tx).deleteFrom("accounts").where("id", "in", ids).execute();
}

/** Locked, so that none is restored before it is purged. */
export async function deletedBefore(tx: Tx, before: number, limit: number): Promise<number[]> {
  const deleted = queries<AccountTables>(tx)
    .selectFrom("accounts")
    .select("id")
    .where("deleted_at", "<", before)
    .orderBy("deleted_at")
    .limit(limit);
  return (await dialectOf(tx).lock(deleted).execute()).map(({ id }) => id);
}
