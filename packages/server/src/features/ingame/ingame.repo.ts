import type { Selectable } from "kysely";
import { bulkInsert, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { ingameToasts, type IngameTables } from "./ingame.schema.ts";

export type ToastsRow = Selectable<IngameTables["ingame_toasts"]>;

export async function toastsOf(tx: Tx, citizenIds: readonly number[]): Promise<ToastsRow[]> {
  if (citizenIds.length === 0) return [];
  return await queries<IngameTables>(tx).selectFrom("ingame_toasts").selectAll().where("citizen_id", "in", citizenIds).execute();
}

export async function storeToasts(tx: Tx, rows: readonly ToastsRow[]): Promise<void> {
  await bulkInsert(tx, ingameToasts, rows, { onConflict: { keys: ["citizen_id"], update: ["sent", "missed", "at"] } });
}

export const pruneToasts = pruneOlder(ingameToasts, "at");
