import type { Updateable } from "kysely";
import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { type ColleagueTables } from "./colleagues.schema.ts";
import type { Recorded } from "./colleagues.sent.policy.ts";

const db = (tx: Tx) => queries<ColleagueTables>(tx);
const recorded = ["id", "citizen_id", "job", "kind", "at", "actor_id", "reason", "game_key", "unseen"] as const;

/** What was recorded of these people since an instant, the oldest first; locked. */
export async function lockRecorded(tx: Tx, citizenIds: readonly number[], since: number): Promise<Recorded[]> {
  if (citizenIds.length === 0) return [];
  const select = db(tx)
    .selectFrom("colleagues_activities")
    .select(recorded)
    .where("citizen_id", "in", [...citizenIds])
    .where("at", ">=", since)
    .orderBy("id");
  return await dialectOf(tx).lock(select).execute();
}

/** Those of these keys that the game has sent already. */
export async function sentKeys(tx: Tx, keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db(tx)
    .selectFrom("colleagues_activities")
    .select("game_key")
    .where("game_key", "in", [...keys])
    .execute();
  return new Set(rows.flatMap(({ game_key }) => game_key ?? []));
}

export async function complete(tx: Tx, id: number, values: Updateable<ColleagueTables["colleagues_activities"]>): Promise<void> {
  await db(tx).updateTable("colleagues_activities").set(values).where("id", "=", id).execute();
}

/** The people of a job behind a citizen's id. */
export async function staffOf(tx: Tx, job: string, after: number, limit: number) {
  return await db(tx)
    .selectFrom("colleagues")
    .select(["id", "citizen_id", "grade", "since", "note", "name_prefix", "name_suffix"])
    .where("job", "=", job)
    .where("left_at", "is", null)
    .where("citizen_id", ">", after)
    .orderBy("citizen_id")
    .limit(limit)
    .execute();
}
