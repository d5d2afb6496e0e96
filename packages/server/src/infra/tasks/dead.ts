import { queries } from "#core/db/index.ts";
import type { Database, Tx } from "#core/ports/index.ts";
import type { TaskRow } from "./tasks.schema.ts";
import type { TaskTables } from "./tasks.schema.ts";

/** As in the table. */
const mostCharacters = 1000;

/** How long dead tasks can be sent again. Milliseconds. */
export const keepDeadMs = 30 * 86_400_000;

/** How often a worker deletes older ones. Milliseconds. */
export const pruneEveryMs = 3_600_000;

/** Stores a task, which this attempt has ended, as dead. */
export async function storeDead(db: Pick<Database, "now">, tx: Tx, row: TaskRow, error: string): Promise<void> {
  const { task_id, kind, role, lane, order_key, replace_key, attempts, enqueued_at, trace, payload } = row;
  const kept = { task_id, kind, role, lane, order_key, replace_key, attempts, enqueued_at, trace, payload };
  const died_at = await db.now(tx);
  const text = Array.from(error).slice(0, mostCharacters).join("");
  await queries<TaskTables>(tx)
    .insertInto("worker_tasks_dead")
    .values({ ...kept, died_at, error: text })
    .execute();
}

export async function pruneDead(db: Database): Promise<void> {
  await db.write("tasks.prune", async (tx) => {
    const before = (await db.now(tx)) - keepDeadMs;
    await queries<TaskTables>(tx).deleteFrom("worker_tasks_dead").where("died_at", "<", before).execute();
  });
}
