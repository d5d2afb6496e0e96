import { retryOnDuplicate } from "#core/db/retry.ts";
import { queries } from "#core/db/index.ts";
import type { Clock, Database, EventReaction, Ids, Tx } from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";
import { resendUnhandled } from "../outbox/resend.ts";

/** Primary key of the only row, so that a second insert fails. */
const slot = 1;

/** The id of this installation; null before its first start. */
export async function installationOf(tx: Tx): Promise<string | null> {
  const found = await queries<InfrastructureTables>(tx).selectFrom("installation").select("id").executeTakeFirst();
  return found?.id ?? null;
}

export interface NewInstallation {
  readonly id: string;
  /** Milliseconds UTC. */
  readonly at: number;
  readonly reactions: readonly EventReaction[];
}

/**
 * Gives the database a new id. The streams under it start empty, so events that reactions have not
 * handled yet are sent again; running processes follow within seconds.
 */
export async function assignInstallationId(tx: Tx, given: NewInstallation): Promise<void> {
  await queries<InfrastructureTables>(tx).deleteFrom("installation").execute();
  await insertInstallation(tx, given);
}

/** Throws `DuplicateKey` if there is an id already. */
async function insertInstallation(tx: Tx, { id, at, reactions }: NewInstallation): Promise<void> {
  await queries<InfrastructureTables>(tx).insertInto("installation").values({ slot, id, created_at: at }).execute();
  await resendUnhandled(tx, reactions);
}

export interface IdentityOptions {
  readonly db: Pick<Database, "read" | "write">;
  readonly ids: Pick<Ids, "next">;
  readonly clock: Pick<Clock, "now">;
  readonly reactions: readonly EventReaction[];
}

/** Returns the id; the first start creates it, and processes that start concurrently get the same one. */
export async function ensureInstallation({ db, ids, clock, reactions }: IdentityOptions): Promise<string> {
  const known = await db.read("installation.look", installationOf);
  if (known !== null) return known;
  return await retryOnDuplicate(db, "installation.first", async (tx) => {
    const found = await installationOf(tx);
    if (found !== null) return found;
    const id = ids.next();
    await insertInstallation(tx, { id, at: clock.now(), reactions });
    return id;
  });
}
