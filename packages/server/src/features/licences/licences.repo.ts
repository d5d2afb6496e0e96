import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { SyncLicence } from "./licences.contract.ts";
import type { LicenceTables } from "./licences.schema.ts";

export async function readLabels(tx: Tx, types: readonly string[]): Promise<Map<string, string>> {
  if (types.length === 0) return new Map();
  const rows = await queries<LicenceTables>(tx)
    .selectFrom("licences")
    .select(["type", "label"])
    .where("type", "in", types)
    .execute();
  return new Map(rows.map((row) => [row.type, row.label]));
}

export async function putLicences(tx: Tx, licences: readonly SyncLicence[], at: number): Promise<void> {
  const insert = queries<LicenceTables>(tx)
    .insertInto("licences")
    .values(licences.map(({ type, label }) => ({ type, label, updated_at: at })));
  await dialectOf(tx).upsert(insert, ["type"], ["label", "updated_at"]).execute();
}

export async function countLicences(tx: Tx): Promise<number> {
  const row = await queries<LicenceTables>(tx)
    .selectFrom("licences")
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}
