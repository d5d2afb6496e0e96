import { sql } from "kysely";
import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { Queue } from "./queue.ts";
import type { TaskTables } from "./tasks.schema.ts";

/** Instants by the database's clock; queues in which nothing waits that can run here are missing. */
export interface Look {
  readonly now: number;
  /** By `queueName`. */
  readonly due: ReadonlyMap<string, number>;
  /** When the first lease ends. */
  readonly leaseUntil: number | null;
}

export const queueName = ({ role, lane }: Pick<Queue, "role" | "lane">): string => `${role}/${lane}`;

/** When there is something to do next, in one statement, each part of which reads one entry of an index. */
export async function lookAhead(tx: Tx, queues: readonly Queue[]): Promise<Look> {
  const q = queries<TaskTables>(tx);
  const firstOf = ({ role, lane, kinds }: Queue, state: string) =>
    q
      .selectFrom((e) =>
        e
          .selectFrom("worker_tasks")
          .select("due_at")
          .where("role", "=", role)
          .where("lane", "=", lane)
          .where("state", "=", state)
          .where("kind", "in", [...kinds])
          .orderBy("due_at")
          .limit(1)
          .as("f"),
      )
      .select([sql<string>`${sql.lit(queueName({ role, lane }))}`.as("what"), sql<number | null>`due_at`.as("at")]);
  const lease = q
    .selectFrom("worker_tasks")
    .select([sql<string>`'lease'`.as("what"), (e) => e.fn.min<number | null>("lease_until").as("at")])
    .where("state", "=", "running");
  const clock = q.selectNoFrom([sql<string>`'now'`.as("what"), sql<number | null>`${dialectOf(tx).nowMs()}`.as("at")]);
  const parts = queues.flatMap((queue) => [firstOf(queue, "waiting"), firstOf(queue, "ordered")]);
  const rows = await parts.reduce((one, next) => one.unionAll(next), clock.unionAll(lease)).execute();
  let now = 0;
  let leaseUntil: number | null = null;
  const due = new Map<string, number>();
  for (const { what, at } of rows) {
    if (at === null) continue;
    const instant = Number(at);
    if (what === "now") now = instant;
    else if (what === "lease") leaseUntil = instant;
    else due.set(what, Math.min(due.get(what) ?? Infinity, instant));
  }
  return { now, due, leaseUntil };
}
