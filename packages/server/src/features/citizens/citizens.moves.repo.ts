import type { Insertable, Selectable } from "kysely";
import { bulkInsert, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { citizensMoves, type CitizenTables } from "./citizens.schema.ts";

export type MoveRow = Selectable<CitizenTables["citizens_moves"]>;
export type NewMove = Insertable<CitizenTables["citizens_moves"]>;

export async function insert(tx: Tx, moves: readonly NewMove[]): Promise<void> {
  await bulkInsert(tx, citizensMoves, moves);
}

/** Into, out of and within a job since an instant. */
const ofJob = (tx: Tx, job: string, from: number) =>
  queries<CitizenTables>(tx)
    .selectFrom("citizens_moves")
    .where("at", ">=", from)
    .where((e) => e.or([e("job", "=", job), e("job_before", "=", job)]));

/** The newest first. */
export async function newest(tx: Tx, job: string, from: number, limit: number): Promise<MoveRow[]> {
  return await ofJob(tx, job, from).selectAll().orderBy("at", "desc").orderBy("id", "desc").limit(limit).execute();
}

/** How many there are, by jobs and by whether the grade rose. */
export async function counted(tx: Tx, job: string, from: number) {
  const rows = await ofJob(tx, job, from)
    .select((e) => ["job", "job_before", e("grade", ">", e.ref("grade_before")).as("rose"), e.fn.countAll<number>().as("n")])
    .groupBy(["job", "job_before", "rose"])
    .execute();
  return rows.map(({ rose, n, ...jobs }) => ({ ...jobs, rose: Boolean(rose), n: Number(n) }));
}

export async function removeOf(tx: Tx, citizenIds: readonly number[]): Promise<void> {
  if (citizenIds.length === 0) return;
  await queries<CitizenTables>(tx).deleteFrom("citizens_moves").where("citizen_id", "in", citizenIds).execute();
}

export const removeOlder = pruneOlder(citizensMoves, "at");
