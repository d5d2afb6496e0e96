import { type Insertable, type Selectable, sql } from "kysely";
import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { CallRow } from "./calls.repo.ts";
import type { CallsTables } from "./calls.schema.ts";

export type MergeRow = Selectable<CallsTables["calls_merges"]>;

/** A call that is a part of another one, perhaps by a third. */
export interface PartRow extends CallRow {
  readonly root_id: number;
  /** Its jobs are those of the other one, too, which therefore read it. */
  readonly united: number;
}

const db = (tx: Tx) => queries<CallsTables>(tx);

/** All calls that are a part of each of these, the oldest first. */
export async function partsOf(tx: Tx, ids: readonly number[]): Promise<Map<number, PartRow[]>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<PartRow>`
    with recursive parts (root_id, call_id, united) as (
      select into_id, call_id, united from calls_merges where into_id in (${sql.join(ids)})
      union all
      select parts.root_id, deeper.call_id, case when parts.united = 1 and deeper.united = 1 then 1 else 0 end
      from parts inner join calls_merges as deeper on deeper.into_id = parts.call_id
    )
    select parts.root_id, parts.united, calls.* from parts inner join calls on calls.id = parts.call_id
    order by calls.created_at, calls.id`.execute(db(tx));
  return Map.groupBy(rows, ({ root_id: root }) => root);
}

/** Merges right into a call, the latest last, with what each merged call has of its own. */
export async function mergesInto(tx: Tx, intoId: number): Promise<(MergeRow & Pick<CallRow, "priority" | "waiting_since">)[]> {
  return await db(tx)
    .selectFrom("calls_merges")
    .innerJoin("calls", "calls.id", "calls_merges.call_id")
    .selectAll("calls_merges")
    .select(["calls.priority", "calls.waiting_since"])
    .where("calls_merges.into_id", "=", intoId)
    .orderBy("calls_merges.at")
    .orderBy("calls_merges.call_id")
    .execute();
}

/** The call that this one is a part of, without a lock; null for none. */
export async function survivorOf(tx: Tx, id: number): Promise<number | null> {
  const row = await db(tx).selectFrom("calls_merges").select("into_id").where("call_id", "=", id).executeTakeFirst();
  return row?.into_id ?? null;
}

export async function insertMerge(tx: Tx, row: Insertable<CallsTables["calls_merges"]>): Promise<void> {
  await db(tx).insertInto("calls_merges").values(row).execute();
}

export async function setMergeJobs(tx: Tx, callId: number, jobs: string): Promise<void> {
  await db(tx).updateTable("calls_merges").set({ jobs }).where("call_id", "=", callId).execute();
}

export async function removeMerge(tx: Tx, callId: number): Promise<void> {
  await db(tx).deleteFrom("calls_merges").where("call_id", "=", callId).execute();
}
