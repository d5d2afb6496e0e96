import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";

/** What the event stream of this database is made for; null when it was never restored from a backup. */
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

/** Events of the past mean nothing to this database any more: from now on its stream is another one. */
export async function newGeneration(tx: Tx, id: string, at: number): Promise<void> {
  await queries<InfrastructureTables>(tx).insertInto("outbox_generations").values({ id, created_at: at }).execute();
}
