import type { ExpressionBuilder } from "kysely";
import { bulkInsert, bulkReplace, dialectOf, type NewRow, Overtaken, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { notifications, type NotificationTables } from "./notifications.schema.ts";

/** More values than this are no condition: what is read of others is ignored, and the number of statements stays. */
const mostValues = 10_000;

export type NotificationRow = Required<Omit<NewRow<typeof notifications>, "id">>;

export interface StoredChoice {
  readonly account_id: number;
  readonly channel: string;
  readonly chosen: 0 | 1;
}

/** An older one that a new one takes the place of. */
export interface Previous {
  readonly id: number;
  readonly account_id: number;
  readonly replace_key: string;
  readonly replace_character: number;
  readonly count: number;
  readonly since: number | null;
}

export interface Replacing {
  readonly kind: string;
  readonly accountIds: readonly number[];
  readonly keys: readonly string[];
  /** Those whose first one arrived at this time or before stay as they are. */
  readonly expired: number;
}

function choices(tx: Tx, kind: string, accountIds: readonly number[]) {
  const query = queries<NotificationTables>(tx).selectFrom("notifications_preferences").where("kind", "=", kind);
  return accountIds.length > mostValues ? query : query.where("account_id", "in", accountIds);
}

export async function choicesOf(tx: Tx, kind: string, accountIds: readonly number[]): Promise<StoredChoice[]> {
  return await choices(tx, kind, accountIds).select(["account_id", "channel", "chosen"]).execute();
}

/** The older ones with one of these keys; with very many, also others. */
function olderOnes({ kind, accountIds, keys }: Replacing) {
  return (e: ExpressionBuilder<NotificationTables, "notifications">) =>
    e.and([
      e("kind", "=", kind),
      keys.length > mostValues ? e("replace_key", "is not", null) : e("replace_key", "in", keys),
      ...(accountIds.length > mostValues ? [] : [e("account_id", "in", accountIds)]),
    ]);
}

interface Older extends Previous {
  readonly at: number;
  readonly read_at: number | null;
}

/**
 * The choices and the older ones in one statement; those are locked until the transaction ends. A database without
 * locking reads may count one less in a digest when two arrive at once.
 */
async function choicesAndOlder(tx: Tx, replacing: Replacing) {
  const locked = queries<NotificationTables>(tx)
    .selectFrom("notifications")
    .select(["account_id", "id", "replace_key", "replace_character", "count", "since", "at", "read_at"])
    .where(olderOnes(replacing));
  const older = queries<NotificationTables>(tx)
    .selectFrom(dialectOf(tx).lock(locked).as("older"))
    .selectAll()
    .select((e) => [e.val("").as("channel"), e.lit(0).as("chosen")]);
  const rows = await choices(tx, replacing.kind, replacing.accountIds)
    .select((e) => ["account_id", e.lit(0).as("id"), e.val("").as("replace_key"), e.lit(0).as("replace_character")])
    .select((e) => [e.lit(0).as("count"), e.lit(0).as("since"), e.lit(0).as("at"), e.lit(0).as("read_at")])
    .select(["channel", "chosen"])
    .unionAll(older as never)
    .execute();
  const both = rows as unknown as readonly (StoredChoice & Older)[];
  return { choices: both.filter(({ id }) => id === 0), older: both.filter(({ id }) => id !== 0) };
}

/** Of the older ones, those that stay give their key to a new one. */
async function release(tx: Tx, replacing: Replacing, ids: readonly number[]): Promise<void> {
  const query = queries<NotificationTables>(tx).updateTable("notifications").set({ replace_key: null });
  const narrowed =
    ids.length > mostValues
      ? query
          .where(olderOnes(replacing))
          .where((e) => e.or([e("since", "<=", replacing.expired), e("read_at", ">", e.ref("at"))]))
      : query.where("id", "in", ids);
  await narrowed.execute();
}

/** The choices, and the older ones that new ones take the place of: locked until the transaction ends. */
export async function choicesAndPrevious(
  tx: Tx,
  replacing: Replacing,
): Promise<{ choices: readonly StoredChoice[]; previous: readonly Previous[] }> {
  const { choices: chosen, older } = await choicesAndOlder(tx, replacing);
  // Their time is over, or an older program, which does not know of keys, marked them as read.
  const stays = ({ since, read_at, at }: Older) =>
    (since !== null && since <= replacing.expired) || (read_at !== null && read_at > at);
  const staying = older.filter(stays).map(({ id }) => id);
  if (staying.length > 0) await release(tx, replacing, staying);
  return { choices: chosen, previous: older.filter((one) => !stays(one)) };
}

/** Inserts the row and removes `replaced` older ones; returns its id. */
async function storeOne(tx: Tx, row: NotificationRow, replaced: number): Promise<number> {
  const db = queries<NotificationTables>(tx);
  const query = row.replace_key === null ? db.insertInto("notifications") : db.replaceInto("notifications");
  const { insertId, numInsertedOrUpdatedRows } = await query.values(row).executeTakeFirstOrThrow();
  if (row.replace_key !== null) assertReplaced(dialectOf(tx).removedBy(Number(numInsertedOrUpdatedRows), 1), replaced);
  return Number(insertId);
}

/** Another unit of work may have stored one with the same key since the older ones were read. */
function assertReplaced(removed: number | null, expected: number): void {
  if (removed !== null && removed !== expected) throw new Overtaken("another notification with the same key was stored first");
}

/** Stores rows of one batch, in the place of `replaced` older ones; returns their ids in the same order. */
export async function store(tx: Tx, rows: readonly NotificationRow[], replaced: number): Promise<number[]> {
  const [first] = rows;
  if (first === undefined) return [];
  if (rows.length === 1) return [await storeOne(tx, first, replaced)];
  if (rows.some(({ replace_key }) => replace_key !== null)) assertReplaced(await bulkReplace(tx, notifications, rows), replaced);
  else await bulkInsert(tx, notifications, rows);
  const stored = await queries<NotificationTables>(tx)
    .selectFrom("notifications")
    .select(["id", "account_id", "character_id"])
    .where("at", "=", first.at)
    .where("batch", "=", first.batch)
    .orderBy("id")
    .execute();
  // Both databases number the rows of a statement in its order; a notification must never reach somebody else.
  const isInOrder = (row: NotificationRow, i: number) =>
    stored[i]?.account_id === row.account_id && stored[i]?.character_id === row.character_id;
  if (stored.length !== rows.length || !rows.every(isInOrder))
    throw new Error("the database did not number the notifications in their order");
  return stored.map(({ id }) => id);
}
