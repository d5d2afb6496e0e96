import { type ExpressionBuilder, sql } from "kysely";
import { dialectOf, Overtaken, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Queue } from "./queue.ts";
import type { TaskRow } from "./tasks.schema.ts";
import type { TaskTables } from "./tasks.schema.ts";

/**
 * Tasks of one order key run one at a time. The first of them is `ordered` or `running`; the others are `behind`,
 * where no look and no claim meets them. A task may become `ordered` at any time, because a claim finds out whether
 * it is first. It becomes `behind` only while the one before it is locked and therefore still there, and what removes
 * a task from its order key moves up the next one.
 */
type Group = Pick<TaskRow, "role" | "lane" | "order_key">;

interface Candidate {
  readonly id: number;
  readonly key: string;
}

interface Blocked extends Candidate {
  readonly blockedBy: number;
}

/** Puts a task back among those that a claim looks at. */
export const movedUp = sql<string>`case when state = 'behind' then 'ordered' else state end`;

const inGroup = ({ role, lane, order_key }: Group) => {
  return (e: ExpressionBuilder<TaskTables, "worker_tasks">) => e.and({ role, lane, order_key });
};

/** How often the first task of a key may be cancelled while it is moved up. */
const mostTries = 3;

/** After a task has left its order key; does nothing while the first one that is left runs. */
export async function moveUpNext(tx: Tx, group: Group): Promise<void> {
  if (group.order_key === null) return;
  const q = queries<TaskTables>(tx);
  for (let tried = 0; tried < mostTries; tried += 1) {
    const first = await q
      .selectFrom("worker_tasks")
      .select(["id", "state"])
      .where(inGroup(group))
      .orderBy("id")
      .limit(1)
      .executeTakeFirst();
    if (first?.state !== "behind") return;
    const { numUpdatedRows } = await updateById(tx)
      .set({ state: "ordered" })
      .where("id", "=", first.id)
      .where("state", "=", "behind")
      .where(inGroup(group))
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return;
  }
  throw new Overtaken("the first tasks of an order key were removed while the next one was moved up");
}

/** Moves up what has nobody before it: an earlier version of the program ended the task that was there. Reads the order of all tasks. */
export async function moveUpAll(tx: Tx): Promise<void> {
  const q = queries<TaskTables>(tx);
  const firsts = q
    .selectFrom((e) =>
      e
        .selectFrom("worker_tasks")
        .select(({ fn }) => fn.min("id").as("id"))
        .where("order_key", "is not", null)
        .groupBy(["role", "lane", "order_key"])
        .as("f"),
    )
    .select("id");
  await q.updateTable("worker_tasks").set({ state: "ordered" }).where("id", "in", firsts).where("state", "=", "behind").execute();
}

/** Locks the tasks of these stored keys, with locking off too, and returns where they are. */
export async function lockPlaces(tx: Tx, replaceKeys: readonly string[]): Promise<Group[]> {
  const q = queries<TaskTables>(tx);
  await q.updateTable("worker_tasks").set(touched).where("replace_key", "in", replaceKeys).execute();
  return await q
    .selectFrom("worker_tasks")
    .select(["role", "lane", "order_key"])
    .where("replace_key", "in", replaceKeys)
    .where("order_key", "is not", null)
    .execute();
}

/** For conditions that name ids: neither waits for other rows nor keeps them from others. */
export const updateById = (tx: Tx) =>
  dialectOf(tx).byPrimaryKey(queries<TaskTables>(tx).updateTable("worker_tasks"), "worker_tasks");

/** A change of rows, so that who ends them meanwhile and this transaction come one after the other in every database. */
const touched = { touches: sql<number>`touches + 1` };

/** How many candidates are examined at once; those that are not first are then out of the way. */
const examined = 50;

/**
 * Due tasks that are first of their order key, and the due ones that follow them without a gap. `more`: candidates
 * were put behind others, so that there may be further ones.
 */
export async function claimable(
  tx: Tx,
  queue: Queue,
  { now, limit }: { readonly now: number; readonly limit: number },
): Promise<{ readonly rows: TaskRow[]; readonly more: boolean }> {
  const candidates = await lockCandidates(tx, queue, now, Math.max(limit, examined));
  if (candidates.length === 0) return { rows: [], more: false };
  const { firsts, blocked } = await examine(tx, queue, candidates);
  const more = await putBehind(tx, queue, blocked);
  const taken = firsts.slice(0, limit);
  if (taken.length === 0) return { rows: [], more };
  const following = await followers(tx, queue, taken, limit - taken.length);
  const ids = [...taken, ...following].map(({ id }) => id);
  const query = queries<TaskTables>(tx).selectFrom("worker_tasks").selectAll().where("id", "in", ids);
  const rows = await dialectOf(tx).lock(query, { skipLocked: true }).execute();
  return { rows: chains([...taken, ...following], rows, { kinds: queue.kinds, now, limit }), more };
}

async function lockCandidates(tx: Tx, { role, lane, kinds }: Queue, now: number, limit: number): Promise<Candidate[]> {
  const query = queries<TaskTables>(tx)
    .selectFrom("worker_tasks")
    .select(["id", "order_key"])
    .where("role", "=", role)
    .where("lane", "=", lane)
    .where("state", "=", "ordered")
    .where("due_at", "<=", now)
    .where("kind", "in", [...kinds])
    .orderBy("due_at")
    .limit(limit);
  const rows = await dialectOf(tx).lock(query, { skipLocked: true }).execute();
  return rows.map(({ id, order_key }) => ({ id, key: order_key! }));
}

/** Which candidates are first of their key while none of it runs, and what is before the others. */
async function examine(
  tx: Tx,
  queue: Queue,
  candidates: readonly Candidate[],
): Promise<{ readonly firsts: Candidate[]; readonly blocked: Blocked[] }> {
  const { role, lane } = queue;
  const keys = [...new Set(candidates.map(({ key }) => key))];
  const first = await ofEachKey(
    tx,
    queue,
    keys.map((key) => ({ key, after: 0 })),
    1,
  );
  // All that run, which are few: an index by key and state would cost more at every change.
  const running = await queries<TaskTables>(tx)
    .selectFrom("worker_tasks")
    .select(["id", "order_key"])
    .where("state", "=", "running")
    .where("order_key", "is not", null)
    .where("role", "=", role)
    .where("lane", "=", lane)
    .execute();
  const before = new Map(first.map(({ id, key }) => [key, id]));
  for (const { id, order_key } of running) before.set(order_key!, Number(id));
  const firsts: Candidate[] = [];
  const blocked: Blocked[] = [];
  for (const one of candidates) {
    const blockedBy = before.get(one.key);
    if (blockedBy === undefined || blockedBy === one.id) firsts.push(one);
    else blocked.push({ ...one, blockedBy });
  }
  return { firsts, blocked };
}

/** Puts candidates behind those that are before them; whether it did. Never waits for a lock where there are locks. */
async function putBehind(tx: Tx, { role, lane }: Queue, blocked: readonly Blocked[]): Promise<boolean> {
  if (blocked.length === 0) return false;
  const q = queries<TaskTables>(tx);
  const keys = new Map(blocked.map(({ blockedBy, key }) => [blockedBy, key]));
  const inPlace = (pairs: Iterable<readonly [number, string]>) => {
    return (e: ExpressionBuilder<TaskTables, "worker_tasks">) =>
      e.or([...pairs].map(([id, order_key]) => e.and({ id, role, lane, order_key })));
  };
  const query = q.selectFrom("worker_tasks").select(["id", "order_key"]).where(inPlace(keys));
  const there = await dialectOf(tx).lock(query, { skipLocked: true }).execute();
  if (there.length === 0) return false;
  const held = new Map(there.map(({ id, order_key }) => [id, order_key!]));
  const { numUpdatedRows } = await updateById(tx).set(touched).set({ state: movedUp }).where(inPlace(held)).executeTakeFirst();
  if (Number(numUpdatedRows) !== held.size) throw new Overtaken("a task ended while others were put behind it");
  const moved = blocked.filter(({ blockedBy }) => held.has(blockedBy)).map(({ id, key }) => [id, key] as const);
  const { numUpdatedRows: put } = await updateById(tx)
    .set({ state: "behind" })
    .where(inPlace(moved))
    .where("state", "=", "ordered")
    .executeTakeFirst();
  return put > 0n;
}

/** What comes after each of `firsts` in its order, at most about `room`. */
async function followers(tx: Tx, queue: Queue, firsts: readonly Candidate[], room: number): Promise<Candidate[]> {
  if (room <= 0) return [];
  const places = firsts.map(({ id, key }) => ({ key, after: id }));
  const rows = await ofEachKey(tx, queue, places, Math.ceil(room / firsts.length));
  return rows.toSorted((a, b) => a.id - b.id);
}

/** The first `limit` tasks of each order key with a greater id than `after`. */
async function ofEachKey(
  tx: Tx,
  { role, lane }: Queue,
  places: readonly { readonly key: string; readonly after: number }[],
  limit: number,
): Promise<Candidate[]> {
  const q = queries<TaskTables>(tx);
  // One look at the index for each key: a minimum by group or for each candidate reads all that wait.
  const [one, ...others] = places.map(({ key, after }) =>
    q
      .selectFrom((e) =>
        e
          .selectFrom("worker_tasks")
          .select(["id", "order_key"])
          .where("role", "=", role)
          .where("lane", "=", lane)
          .where("order_key", "=", key)
          .where("id", ">", after)
          .orderBy("id")
          .limit(limit)
          .as("k"),
      )
      .select(["id", "order_key"]),
  );
  const rows = await others.reduce((all, next) => all.unionAll(next), one!).execute();
  return rows.map(({ id, order_key }) => ({ id: Number(id), key: order_key! }));
}

/** Of `wanted`, the first ones before what follows them, those that can be claimed without leaving one out. */
function chains(
  wanted: readonly Candidate[],
  rows: readonly TaskRow[],
  { kinds, now, limit }: { readonly kinds: readonly string[]; readonly now: number; readonly limit: number },
): TaskRow[] {
  const found = new Map(rows.map((row) => [row.id, row]));
  const closed = new Set<string>();
  const taken: TaskRow[] = [];
  for (const { id, key } of wanted) {
    const row = found.get(id);
    const isIdle = row?.order_key === key && (row.state === "ordered" || row.state === "behind");
    if (isIdle && !closed.has(key) && row.due_at <= now && kinds.includes(row.kind) && taken.length < limit) taken.push(row);
    else closed.add(key);
  }
  return taken;
}
