import { type ExpressionBuilder, sql } from "kysely";
import { dialectOf, queries } from "#core/db/index.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import { claimable, movedUp, updateById } from "./order.ts";
import type { Queue } from "./queue.ts";
import type { TaskRow, TaskTables } from "./tasks.schema.ts";

export interface Claimant {
  /** The runner; differs by process. */
  readonly owner: string;
  readonly leaseMs: number;
}

/** Due tasks without an order key. */
async function unordered(tx: Tx, { role, lane, kinds }: Queue, now: number, limit: number): Promise<TaskRow[]> {
  const query = queries<TaskTables>(tx)
    .selectFrom("worker_tasks")
    .selectAll()
    .where("role", "=", role)
    .where("lane", "=", lane)
    .where("state", "=", "waiting")
    .where("due_at", "<=", now)
    .where("kind", "in", [...kinds])
    .orderBy("due_at")
    .limit(limit);
  return await dialectOf(tx).lock(query, { skipLocked: true }).execute();
}

export interface Claimed {
  readonly rows: TaskRow[];
  /** More may be due although there are fewer rows than the limit. */
  readonly more: boolean;
}

/** Claims at most `limit` due tasks of a lane, those of one order key in their order. */
export async function claimTasks(
  db: Pick<Database, "now">,
  tx: Tx,
  { owner, leaseMs }: Claimant,
  { queue, limit }: { readonly queue: Queue; readonly limit: number },
): Promise<Claimed> {
  const now = await db.now(tx);
  const free = await unordered(tx, queue, now, limit);
  const { rows: inOrder, more } = await claimable(tx, queue, { now, limit });
  const found = inOrder.length === 0 ? free : withinLimit([...free, ...inOrder], limit);
  if (found.length === 0) return { rows: [], more };
  const lease_until = now + leaseMs;
  const ids = found.map(({ id }) => id);
  const update = updateById(tx)
    .set((e) => ({ state: "running", owner, lease_until, fence: e("fence", "+", 1), attempts: e("attempts", "+", 1) }))
    .where("id", "in", ids)
    .where("state", "in", idleStates);
  const { numUpdatedRows } = await update.executeTakeFirst();
  const mine = found.map((row) => {
    return { ...row, state: "running", owner, lease_until, fence: row.fence + 1, attempts: row.attempts + 1 };
  });
  return { rows: Number(numUpdatedRows) === found.length ? mine : await ownedOf(tx, mine), more };
}

/** Keeps whole beginnings of chains: what is cut off is the end of the latest ones. */
function withinLimit(rows: readonly TaskRow[], limit: number): TaskRow[] {
  if (rows.length <= limit) return [...rows];
  const first = new Map<string, number>();
  for (const { order_key, due_at } of rows) if (order_key !== null && !first.has(order_key)) first.set(order_key, due_at);
  const dated = rows.map((row) => ({ row, due: row.order_key === null ? row.due_at : first.get(row.order_key)! }));
  return dated
    .toSorted((a, b) => a.due - b.due || a.row.id - b.row.id)
    .slice(0, limit)
    .map(({ row }) => row);
}

/** Without locking reads another runner may have claimed some in between: keeps what this claim has, from the first of each key on. */
async function ownedOf(tx: Tx, wanted: readonly TaskRow[]): Promise<TaskRow[]> {
  const q = queries<TaskTables>(tx);
  const rows = await q
    .selectFrom("worker_tasks")
    .select(["id", "owner", "fence"])
    .where(
      "id",
      "in",
      wanted.map(({ id }) => id),
    )
    .execute();
  const now = new Map(rows.map((row) => [row.id, row]));
  const lostKeys = new Set<string>();
  const kept: TaskRow[] = [];
  const surplus: TaskRow[] = [];
  for (const row of wanted) {
    const stored = now.get(row.id);
    const owned = stored?.owner === row.owner && stored?.fence === row.fence;
    const key = row.order_key;
    if (!owned) {
      if (key !== null) lostKeys.add(key);
    } else if (key !== null && lostKeys.has(key)) surplus.push(row);
    else kept.push(row);
  }
  await releaseTasks(tx, surplus);
  return kept;
}

/** States of tasks that nobody runs. */
const idleStates = ["waiting", "ordered", "behind"];

/** The state of a task that a claim may look at. */
export const idleState = (order_key: string | null): "waiting" | "ordered" => (order_key === null ? "waiting" : "ordered");

/** What a row becomes when nobody runs it any more. */
const idle = {
  state: sql<string>`case when order_key is null then 'waiting' else 'ordered' end`,
  owner: null,
  lease_until: null,
};

/** Only while the attempt that claimed the row still owns it. */
export function owned({ id, owner, fence }: TaskRow) {
  return (e: ExpressionBuilder<TaskTables, "worker_tasks">) => e.and({ id, owner, fence });
}

/** Gives tasks back that this runner owns; their attempt does not count. */
export async function releaseTasks(tx: Tx, rows: readonly TaskRow[]): Promise<void> {
  if (rows.length === 0) return;
  await updateById(tx)
    .set((e) => ({ ...idle, attempts: e("attempts", "-", 1) }))
    .where((e) => e.or(rows.map((row) => owned(row)(e))))
    .execute();
}

/**
 * Extends the leases of these tasks. Those that the owner still has are in the result: true for a lease that was
 * extended, false for a task that another transaction is changing, which is not waited for. Others of the owner
 * are not held by it any more, because it could not store how they ended or never knew that it claimed them:
 * their leases must end.
 */
export async function renewTasks(
  db: Pick<Database, "now">,
  tx: Tx,
  { owner, leaseMs }: Claimant,
  held: readonly number[],
): Promise<ReadonlyMap<number, boolean>> {
  const now = await db.now(tx);
  const q = queries<TaskTables>(tx);
  const byId = q.selectFrom("worker_tasks").select("id").where("id", "in", held);
  const free = await dialectOf(tx)
    .lock(dialectOf(tx).useIndex(byId, "worker_tasks", "PRIMARY"), { skipLocked: true })
    .execute();
  const ids = free.map(({ id }) => id);
  if (ids.length > 0)
    await updateById(tx)
      .set({ lease_until: now + leaseMs })
      .where("id", "in", ids)
      .where("owner", "=", owner)
      .where("state", "=", "running")
      .where("lease_until", ">", now)
      .execute();
  const rows = await q
    .selectFrom("worker_tasks")
    .select(["id", "lease_until"])
    .where("id", "in", held)
    .where("owner", "=", owner)
    .where("state", "=", "running")
    .execute();
  const isFree = new Set(ids);
  const owned = rows.filter((row) => !isFree.has(row.id) || row.lease_until! > now);
  return new Map(owned.map(({ id }) => [id, isFree.has(id)]));
}

/** Frees tasks whose worker did not renew its lease; returns how many. */
export async function freeExpired(db: Pick<Database, "now">, tx: Tx): Promise<number> {
  const now = await db.now(tx);
  const q = queries<TaskTables>(tx);
  const query = q
    .selectFrom("worker_tasks")
    .select(["id", "owner", "fence"])
    .where("state", "=", "running")
    .where("lease_until", "<=", now)
    .limit(200);
  const rows = await dialectOf(tx).lock(query, { skipLocked: true }).execute();
  if (rows.length === 0) return 0;
  const { numUpdatedRows } = await updateById(tx)
    .set(idle)
    .where(
      "id",
      "in",
      rows.map(({ id }) => id),
    )
    .where("state", "=", "running")
    .where("lease_until", "<=", now)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Tasks that are due for longer than `forMs` and that nobody runs, by kind; the oldest first. */
export async function overdue(
  db: Pick<Database, "now">,
  tx: Tx,
  forMs: number,
): Promise<{ readonly kind: string; readonly count: number; readonly lateMs: number }[]> {
  const now = await db.now(tx);
  const rows = await queries<TaskTables>(tx)
    .selectFrom("worker_tasks")
    .select((e) => ["kind", e.fn.countAll<number>().as("n"), e.fn.min("due_at").as("since")])
    .where("state", "in", idleStates)
    .where("due_at", "<", now - forMs)
    .groupBy("kind")
    .orderBy("since")
    .limit(20)
    .execute();
  return rows.map(({ kind, n, since }) => ({ kind, count: Number(n), lateMs: now - Number(since) }));
}

/** Moves waiting tasks of these kinds to the queue in which their kind runs now; returns how many. */
export async function relocate(tx: Tx, all: readonly Queue[]): Promise<number> {
  let moved = 0;
  for (const { role, lane, kinds } of all) {
    const { numUpdatedRows } = await queries<TaskTables>(tx)
      .updateTable("worker_tasks")
      .set({ role, lane, state: movedUp })
      .where("kind", "in", [...kinds])
      .where("state", "in", idleStates)
      .where((e) => e.or([e("role", "!=", role), e("lane", "!=", lane)]))
      .executeTakeFirst();
    moved += Number(numUpdatedRows);
  }
  return moved;
}

/** Gives back every task that runs: in a restored database none of their workers is left. */
export async function freeAll(tx: Tx): Promise<void> {
  await queries<TaskTables>(tx).updateTable("worker_tasks").set(idle).where("state", "=", "running").execute();
}
