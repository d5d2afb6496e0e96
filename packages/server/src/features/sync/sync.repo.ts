import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { SyncTables } from "./sync.schema.ts";

export interface SourceRow {
  readonly kind: string;
  readonly source: string;
  readonly last_data_at: number;
  readonly client_version: string | null;
}

export async function noteSource(tx: Tx, row: SourceRow): Promise<void> {
  const insert = queries<SyncTables>(tx).insertInto("sync_sources").values(row);
  await dialectOf(tx).upsert(insert, ["kind", "source"], ["last_data_at", "client_version"]).execute();
}

export async function listSources(tx: Tx): Promise<SourceRow[]> {
  return await queries<SyncTables>(tx).selectFrom("sync_sources").selectAll().orderBy("kind").orderBy("source").execute();
}

export async function lastDataAt(tx: Tx): Promise<number | null> {
  const row = await queries<SyncTables>(tx)
    .selectFrom("sync_sources")
    .select((e) => e.fn.max("last_data_at").as("at"))
    .executeTakeFirst();
  return row?.at ?? null;
}
