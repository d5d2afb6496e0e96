import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AssignmentsTables } from "./assignments.schema.ts";

/** Of these calls, those that a unit is asked for or works. */
export async function callsAskedOrWorked(tx: Tx, callIds: readonly number[]): Promise<ReadonlySet<number>> {
  if (callIds.length === 0) return new Set();
  const rows = await queries<AssignmentsTables>(tx)
    .selectFrom("assignments")
    .select("call_id")
    .distinct()
    .where("call_id", "in", callIds)
    .where("ended_marker", "=", 0)
    .execute();
  return new Set(rows.map(({ call_id: id }) => id));
}
