import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";

/** The generation of this database's event stream; null if the database was never restored from a backup. */
export async function generationOf(tx: Tx): Promise<string | null> {
  const newest = await queries<InfrastructureTables>(tx)
    .selectFrom("outbox_generations")
    .select("id")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return newest?.id ?? null;
}

/** Starts a new generation of the event stream. Earlier events no longer match this database, so the stream is created again. */
export async function newGeneration(tx: Tx, id: string, at: number): Promise<void> {
  await queries<InfrastructureTables>(tx).insertInto("outbox_generations").values({ id, created_at: at }).execute();
}
