import type { Selectable } from "kysely";
import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { DutyTables } from "./duty.schema.ts";

/** How many people are on duty. */
export async function countOnDuty(tx: Tx): Promise<number> {
  const row = await queries<DutyTables>(tx)
    .selectFrom("duty_people")
    .select((e) => e.fn.countAll<number>().as("n"))
    .where("job", "is not", null)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

export type EndedPeriod = Selectable<DutyTables["duty_periods"]>;

/** Duties that have ended, by these ids. */
export async function periodsByIds(tx: Tx, ids: readonly number[]): Promise<EndedPeriod[]> {
  if (ids.length === 0) return [];
  return await queries<DutyTables>(tx).selectFrom("duty_periods").selectAll().where("id", "in", ids).orderBy("id").execute();
}

/** The same behind an id, in the order of their ids. */
export async function periodsAfterId(tx: Tx, after: number, limit: number): Promise<EndedPeriod[]> {
  const behind = queries<DutyTables>(tx).selectFrom("duty_periods").selectAll().where("id", ">", after);
  return await behind.orderBy("id").limit(limit).execute();
}
