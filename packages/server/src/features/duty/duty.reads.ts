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
