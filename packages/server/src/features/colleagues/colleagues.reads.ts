import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { ColleagueTables } from "./colleagues.schema.ts";

/** Since when people have the jobs that they have now; null for those who were there before Rollcall looked. */
export function presentColleagues(tx: Tx) {
  return queries<ColleagueTables>(tx)
    .selectFrom("colleagues")
    .select(["colleagues.citizen_id", "colleagues.job", "colleagues.grade", "colleagues.since", "colleagues.rank_key"])
    .where("colleagues.left_at", "is", null);
}
