import type { Selectable } from "kysely";
import { bulkInsert, dialectOf, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { ingameToasts, type IngameTables } from "./ingame.schema.ts";

export type ToastsRow = Selectable<IngameTables["ingame_toasts"]>;

/** Of each of them, locked in the order of their ids; a row for who has none. */
export async function lockToasts(tx: Tx, citizenIds: readonly number[], at: number): Promise<ToastsRow[]> {
  if (citizenIds.length === 0) return [];
  const rows = citizenIds.toSorted((a, b) => a - b).map((citizen_id) => ({ citizen_id, sent: "[]", missed: 0, at }));
  await bulkInsert(tx, ingameToasts, rows, { onConflict: { keys: ["citizen_id"], update: [] } });
  const select = queries<IngameTables>(tx)
    .selectFrom("ingame_toasts")
    .selectAll()
    .where("citizen_id", "in", citizenIds)
    .orderBy("citizen_id");
  return await dialectOf(tx).lock(select).execute();
}

export async function storeToasts(tx: Tx, rows: readonly ToastsRow[]): Promise<void> {
  await bulkInsert(tx, ingameToasts, rows, { onConflict: { keys: ["citizen_id"], update: ["sent", "missed", "at"] } });
}

export const pruneToasts = pruneOlder(ingameToasts, "at");
