import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { ColleagueTables } from "./colleagues.schema.ts";
import type { Move } from "./colleagues.statistics.policy.ts";

const db = (tx: Tx) => queries<ColleagueTables>(tx);

/** Who came into a job and left it since an instant, in their order: the last ones, if there are more than `most`. */
export async function movesSince(tx: Tx, job: string, since: number, most: number): Promise<Move[]> {
  const rows = await db(tx)
    .selectFrom("colleagues_activities")
    .select(["citizen_id", "kind", "at"])
    .where("job", "=", job)
    .where("kind", "in", ["hired", "left"])
    .where("at", ">=", since)
    .where("unseen", "=", 0)
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(most)
    .execute();
  return rows
    .map((row): Move => ({ citizenId: row.citizen_id, kind: row.kind === "hired" ? "hired" : "left", at: row.at }))
    .toReversed();
}

/** When Rollcall had looked at everybody; null while it has not. */
export async function filledAt(tx: Tx): Promise<number | null> {
  return (await db(tx).selectFrom("colleagues_fill").select("done_at").executeTakeFirst())?.done_at ?? null;
}
