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

export const purgeDeleted = pruneOlder(licences, "deleted_at");
