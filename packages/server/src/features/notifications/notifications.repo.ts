import type { Selectable } from "kysely";
import { bulkInsert, queries, pruneOlder } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Choice } from "./notifications.policy.ts";
import { notifications, notificationsPreferences, type NotificationTables } from "./notifications.schema.ts";

export type StoredNotification = Selectable<NotificationTables["notifications"]>;

/** Selects the notifications of the account as a whole and of the chosen character. */
export interface Owner {
  readonly accountId: number;
  readonly characterId: number;
}

export interface ListFilter {
  readonly unread?: boolean;
  readonly kind?: string;
  /** Only ids below this. */
  readonly below?: number;
}

function filtered(tx: Tx, { accountId, characterId }: Owner, filter: ListFilter) {
  let query = queries<NotificationTables>(tx)
    .selectFrom("notifications")
    .where("account_id", "=", accountId)
    .where((e) => e.or([e("character_id", "is", null), e("character_id", "=", characterId)]));
  if (filter.unread === true) query = query.where("read_at", "is", null);
  if (filter.kind !== undefined) query = query.where("kind", "=", filter.kind);
  if (filter.below !== undefined) query = query.where("id", "<", filter.below);
  return query;
}

/** Newest first. */
export async function list(tx: Tx, owner: Owner, filter: ListFilter, limit: number): Promise<StoredNotification[]> {
  return await filtered(tx, owner, filter).selectAll().orderBy("id", "desc").limit(limit).execute();
}

/** The number of matching notifications, counted up to `cap`. */
export async function count(tx: Tx, owner: Owner, filter: ListFilter, cap: number): Promise<number> {
  const inner = filtered(tx, owner, filter).select("id").limit(cap);
  const row = await queries<NotificationTables>(tx)
    .selectFrom(inner.as("capped"))
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** Returns how many of them were unread. */
export async function markRead(
  tx: Tx,
  { accountId, characterId }: Owner,
  which: { readonly ids: readonly number[] } | { readonly upTo: number },
  at: number,
): Promise<number> {
  const query = queries<NotificationTables>(tx)
    .updateTable("notifications")
    .set({ read_at: at, replace_key: null })
    .where("account_id", "=", accountId)
    .where("read_at", "is", null)
    .where((e) => e.or([e("character_id", "is", null), e("character_id", "=", characterId)]));
  const narrowed = "ids" in which ? query.where("id", "in", which.ids) : query.where("id", "<=", which.upTo);
  return Number((await narrowed.executeTakeFirstOrThrow()).numUpdatedRows);
}

/** Returns how many of them were read. */
export async function markUnread(tx: Tx, owner: Owner, ids: readonly number[]): Promise<number> {
  const query = queries<NotificationTables>(tx)
    .updateTable("notifications")
    .set({ read_at: null })
    .where("account_id", "=", owner.accountId)
    .where((e) => e.or([e("character_id", "is", null), e("character_id", "=", owner.characterId)]))
    .where("read_at", "is not", null)
    .where("id", "in", ids);
  return Number((await query.executeTakeFirstOrThrow()).numUpdatedRows);
}

/** Returns how many there were. */
export async function remove(tx: Tx, owner: Owner, ids: readonly number[]): Promise<number> {
  const query = queries<NotificationTables>(tx)
    .deleteFrom("notifications")
    .where("account_id", "=", owner.accountId)
    .where((e) => e.or([e("character_id", "is", null), e("character_id", "=", owner.characterId)]))
    .where("id", "in", ids);
  return Number((await query.executeTakeFirstOrThrow()).numDeletedRows);
}

export async function choicesOf(tx: Tx, accountId: number): Promise<Choice[]> {
  return await queries<NotificationTables>(tx)
    .selectFrom("notifications_preferences")
    .select(["kind", "channel", "chosen"])
    .where("account_id", "=", accountId)
    .execute();
}

export async function choose(tx: Tx, accountId: number, choices: readonly Choice[]): Promise<void> {
  const rows = choices.map((choice) => ({ account_id: accountId, ...choice }));
  const onConflict = { keys: ["account_id", "kind", "channel"], update: ["chosen"] } as const;
  await bulkInsert(tx, notificationsPreferences, rows, { onConflict });
}

export const prune = pruneOlder(notifications, "at");

export async function purgeAccounts(tx: Tx, accountIds: readonly number[]): Promise<void> {
  for (const table of ["notifications", "notifications_preferences"] as const) {
    await queries<NotificationTables>(tx).deleteFrom(table).where("account_id", "in", accountIds).execute();
  }
}
