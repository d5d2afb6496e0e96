import type { Insertable, Selectable } from "kysely";
import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { CallsTables } from "./calls.schema.ts";

export type EntryRow = Selectable<CallsTables["calls_entries"]>;

const db = (tx: Tx) => queries<CallsTables>(tx);

export async function insertEntry(tx: Tx, row: Insertable<CallsTables["calls_entries"]>): Promise<void> {
  await db(tx).insertInto("calls_entries").values(row).execute();
}

/** Lines of these kinds. */
export async function countEntries(tx: Tx, callId: number, kinds: readonly string[]): Promise<number> {
  const row = await db(tx)
    .selectFrom("calls_entries")
    .select((e) => e.fn.countAll<number>().as("n"))
    .where("call_id", "=", callId)
    .where("kind", "in", kinds)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** When something last happened in each of these calls. */
export async function lastEntries(tx: Tx, callIds: readonly number[]): Promise<Map<number, number>> {
  if (callIds.length === 0) return new Map();
  const rows = await db(tx)
    .selectFrom("calls_entries")
    .select((e) => ["call_id", e.fn.max("at").as("at")])
    .where("call_id", "in", callIds)
    .groupBy("call_id")
    .execute();
  return new Map(rows.map((row) => [row.call_id, Number(row.at)]));
}

/** Lines of timelines, the oldest first. */
export async function entriesByIds(tx: Tx, ids: readonly number[]): Promise<EntryRow[]> {
  return await db(tx).selectFrom("calls_entries").selectAll().where("id", "in", ids).orderBy("id").execute();
}

/** What members of a job read of these calls, the oldest first; null for what no job has alone. */
export async function entriesOf(tx: Tx, callIds: readonly number[], job: string | null): Promise<EntryRow[]> {
  const select = db(tx).selectFrom("calls_entries").selectAll().where("call_id", "in", callIds).orderBy("id");
  const visible =
    job === null ? select.where("job", "is", null) : select.where((e) => e.or([e("job", "is", null), e("job", "=", job)]));
  return await visible.execute();
}
