import { sql } from "kysely";
import { pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { licences, type LicenceTables } from "./licences.schema.ts";

/** Deleted types too: citizens may still hold them. */
export async function readLabels(tx: Tx, types: readonly string[]): Promise<Map<string, string>> {
  if (types.length === 0) return new Map();
  const rows = await queries<LicenceTables>(tx)
    .selectFrom("licences")
    .select(["type", "label"])
    .where("type", "in", types)
    .execute();
  return new Map(rows.map((row) => [row.type, row.label]));
}

/** Without deleted types. */
export async function readLiveLabels(tx: Tx, types: readonly string[]): Promise<Map<string, string>> {
  if (types.length === 0) return new Map();
  const rows = await queries<LicenceTables>(tx)
    .selectFrom("licences")
    .select(["type", "label"])
    .where("type", "in", types)
    .where("deleted_at", "is", null)
    .execute();
  return new Map(rows.map((row) => [row.type, row.label]));
}

/** Types that are not deleted and whose label or type contains the text, by label. */
export async function listTypes(tx: Tx, text: string, limit: number): Promise<{ id: string; label: string }[]> {
  let select = queries<LicenceTables>(tx).selectFrom("licences").select(["type as id", "label"]).where("deleted_at", "is", null);
  if (text !== "") {
    const has = (column: "label" | "type") => sql<boolean>`instr(lower(${sql.ref(column)}), lower(${text})) > 0`;
    select = select.where((e) => e.or([has("label"), has("type")]));
  }
  return await select.orderBy("label").orderBy("type").limit(limit).execute();
}

export const purgeDeleted = pruneOlder(licences, "deleted_at");
