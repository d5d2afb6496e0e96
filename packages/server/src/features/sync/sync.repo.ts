import type { Selectable } from "kysely";
import { dialectOf, pruneOlder, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { syncIdempotencyKeys, type SyncTables } from "./sync.schema.ts";

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

export async function hasSource(tx: Tx, source: string): Promise<boolean> {
  const row = await queries<SyncTables>(tx)
    .selectFrom("sync_sources")
    .select("kind")
    .where("source", "=", source)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export type KeyRow = Selectable<SyncTables["sync_idempotency_keys"]>;

export async function findKey(tx: Tx, token: string, key: string): Promise<KeyRow | null> {
  const row = await queries<SyncTables>(tx)
    .selectFrom("sync_idempotency_keys")
    .selectAll()
    .where("token", "=", token)
    .where("idempotency_key", "=", key)
    .executeTakeFirst();
  return row ?? null;
}

/** Throws `DuplicateKey` when the key is stored already. */
export async function insertKey(tx: Tx, row: KeyRow): Promise<void> {
  await queries<SyncTables>(tx).insertInto("sync_idempotency_keys").values(row).execute();
}

export type KeptColumns = Pick<KeyRow, "status" | "answer" | "too_large">;

export async function updateKey(tx: Tx, token: string, key: string, kept: KeptColumns): Promise<void> {
  await queries<SyncTables>(tx)
    .updateTable("sync_idempotency_keys")
    .set(kept)
    .where("token", "=", token)
    .where("idempotency_key", "=", key)
    .execute();
}

export const pruneKeys = pruneOlder(syncIdempotencyKeys, "created_at");
