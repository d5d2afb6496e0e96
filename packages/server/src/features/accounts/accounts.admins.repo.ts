import { sql } from "kysely";
import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { withAdminLists } from "./accounts.panel.repo.ts";
import type { AccountTables } from "./accounts.schema.ts";

export type Power = "config" | "job";

export interface StandingRow {
  readonly id: number;
  readonly licence: string;
  readonly username: string | null;
  readonly staff_groups: string;
  readonly confirmed_groups: string | null;
  readonly admin_power: Power | null;
  readonly admin_waiting: Power | null;
  readonly admin_at: number | null;
  readonly enabled: 0 | 1;
  readonly deleted_at: number | null;
}

const columns = [
  "id",
  "licence",
  "username",
  "staff_groups",
  "confirmed_groups",
  "admin_power",
  "admin_waiting",
  "admin_at",
  "enabled",
  "deleted_at",
] as const;

/** Locked until the unit of work ends, so that a gain is published once. */
export async function lockStandings(tx: Tx, ids: readonly number[]): Promise<StandingRow[]> {
  if (ids.length === 0) return [];
  const select = queries<AccountTables>(tx).selectFrom("accounts").select(columns).where("id", "in", ids).orderBy("id");
  return (await dialectOf(tx).lock(select).execute()) as StandingRow[];
}

/** The ids of accounts that have powers, wait for some, or are named by the lists; above `after`, in order. */
export async function affected(
  tx: Tx,
  lists: { readonly groups: readonly string[]; readonly licences: readonly string[] },
  after: number,
  limit: number,
): Promise<number[]> {
  const rows = await queries<AccountTables>(tx)
    .selectFrom("accounts")
    .select("id")
    .where("id", ">", after)
    .where((e) => e.or([withAdminLists(e, lists), e("admin_power", "is not", null), e("admin_waiting", "is not", null)]))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** The accounts that can sign in and that the lists name, above `after`, in order. */
export async function namedLogins(
  tx: Tx,
  lists: { readonly groups: readonly string[]; readonly licences: readonly string[] },
  after: number,
  limit: number,
): Promise<StandingRow[]> {
  const rows = await queries<AccountTables>(tx)
    .selectFrom("accounts")
    .select(columns)
    .where("id", ">", after)
    .where("deleted_at", "is", null)
    .where("enabled", "=", 1)
    .where("username_key", "is not", null)
    .where("password_hash", "is not", null)
    .where((e) => withAdminLists(e, lists))
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows as StandingRow[];
}

export async function saveAdminState(
  tx: Tx,
  id: number,
  standing: { power: Power | null; waiting: Power | null; gained?: { at: number; by: string } },
): Promise<void> {
  const { power, waiting, gained } = standing;
  await queries<AccountTables>(tx)
    .updateTable("accounts")
    .set({
      admin_power: power,
      admin_waiting: waiting,
      ...(gained === undefined ? {} : { admin_at: gained.at, admin_by: gained.by.slice(0, 100) }),
    })
    .where("id", "=", id)
    .execute();
}

export async function confirmGroups(tx: Tx, id: number, groups: string): Promise<void> {
  await queries<AccountTables>(tx).updateTable("accounts").set({ confirmed_groups: groups }).where("id", "=", id).execute();
}

/** Whether no account is known to have had admin powers, as before the first run after an upgrade. */
export async function hasNoRecordedAdmins(tx: Tx): Promise<boolean> {
  const row = await queries<AccountTables>(tx)
    .selectFrom("accounts")
    .select("id")
    .where("admin_at", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return row === undefined;
}

export interface AdminGain {
  readonly name: string;
  readonly power: Power;
  readonly at: number;
  readonly by: string;
}

const nameOf = sql<string>`coalesce(username, licence)`;

/** Gains after an instant, the newest first. */
export async function gainsSince(tx: Tx, at: number, limit: number): Promise<AdminGain[]> {
  const rows = await queries<AccountTables>(tx)
    .selectFrom("accounts")
    .select([nameOf.as("name"), "admin_power as power", "admin_at as at", "admin_by as by"])
    .where("deleted_at", "is", null)
    .where("admin_at", ">", at)
    .where("admin_power", "is not", null)
    .orderBy("admin_at", "desc")
    .limit(limit)
    .execute();
  return rows as AdminGain[];
}

export async function waiting(tx: Tx, limit: number): Promise<{ name: string; power: Power }[]> {
  const rows = await queries<AccountTables>(tx)
    .selectFrom("accounts")
    .select([nameOf.as("name"), "admin_waiting as power"])
    .where("deleted_at", "is", null)
    .where("admin_waiting", "is not", null)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows as { name: string; power: Power }[];
}
