import { dialectOf, queries } from "#core/db/index.ts";
import type { Database, EventMessage, Tx } from "#core/ports/index.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";

/** Rows read and claimed at once. */
const batch = 500;

/**
 * How long a claim blocks other relays if its relay dies, and so the longest delay of live pages after a
 * crash. A relay that is slower than that causes duplicate work only: each message has its id, and both
 * relays publish in the same order.
 */
const claimMs = 10_000;

export interface ClaimedRow {
  readonly id: number;
  readonly message: EventMessage;
}

interface Waiting {
  readonly id: number;
  readonly key: string;
  readonly createdAt: number;
}

/** Unsent rows in order, claimed or not; the lag is the age of the first. */
export async function unsent(tx: Tx): Promise<Waiting[]> {
  const rows = await queries<InfrastructureTables>(tx)
    .selectFrom("outbox_events")
    .select(["id", "agg_key", "created_at"])
    .where("sent_at", "is", null)
    .orderBy("id")
    .limit(batch)
    .execute();
  return rows.map((r) => ({ id: r.id, key: r.agg_key, createdAt: r.created_at }));
}

function claimable(tx: Tx, ids: readonly number[], now: number) {
  return queries<InfrastructureTables>(tx)
    .selectFrom("outbox_events")
    .select("id")
    .where("id", "in", ids)
    .where("sent_at", "is", null)
    .where((eb) => eb.or([eb("claimed_until", "is", null), eb("claimed_until", "<=", now)]));
}

/**
 * Claims the rows that may be published now: not claimed by another relay, and without an earlier unsent
 * row of the same key that is. `claim` is unique to this call.
 */
export async function claimRows(db: Database, tx: Tx, claim: string): Promise<ClaimedRow[]> {
  const waiting = await unsent(tx);
  if (waiting.length === 0) return [];
  const now = await db.now(tx);
  const query = claimable(
    tx,
    waiting.map((w) => w.id),
    now,
  );
  const free = new Set((await dialectOf(tx).lock(query, { skipLocked: true }).execute()).map((r) => r.id));
  const wanted = unblocked(waiting, free);
  if (wanted.length === 0) return [];
  const claimed = await queries<InfrastructureTables>(tx)
    .updateTable("outbox_events")
    .set({ claimed_by: claim, claimed_until: now + claimMs })
    .where("id", "in", wanted)
    .where("sent_at", "is", null)
    .where((eb) => eb.or([eb("claimed_until", "is", null), eb("claimed_until", "<=", now)]))
    .executeTakeFirst();
  const rows = await claimedRows(tx, claim);
  if (Number(claimed.numUpdatedRows) === wanted.length) return rows;
  // Without locking reads another relay may have claimed some in between; the order per key must hold.
  const kept = new Set(unblocked(waiting, new Set(rows.map((r) => r.id))));
  const surplus = rows.filter((r) => !kept.has(r.id));
  if (surplus.length > 0)
    await release(
      tx,
      claim,
      surplus.map((r) => r.id),
    );
  return rows.filter((r) => kept.has(r.id));
}

/** Releases the claims of an earlier process; only allowed when there is no other relay. */
export async function releaseAll(tx: Tx): Promise<void> {
  await queries<InfrastructureTables>(tx)
    .updateTable("outbox_events")
    .set({ claimed_by: null, claimed_until: null })
    .where("sent_at", "is", null)
    .where("claimed_until", "is not", null)
    .execute();
}

/** The rows of `own` without an earlier row of the same key outside of it. */
function unblocked(waiting: readonly Waiting[], own: ReadonlySet<number>): number[] {
  const blocked = new Set<string>();
  const found: number[] = [];
  for (const { id, key } of waiting) {
    if (!own.has(id)) blocked.add(key);
    else if (!blocked.has(key)) found.push(id);
  }
  return found;
}

async function claimedRows(tx: Tx, claim: string): Promise<ClaimedRow[]> {
  const rows = await queries<InfrastructureTables>(tx)
    .selectFrom("outbox_events")
    .select(["id", "event_id", "type", "schema_version", "agg_key", "version", "payload", "created_at", "trace"])
    .where("claimed_by", "=", claim)
    .where("sent_at", "is", null)
    .orderBy("id")
    .limit(batch)
    .execute();
  return rows.map((r) => ({
    id: r.id,
    message: {
      eventId: r.event_id,
      type: r.type,
      schemaVersion: r.schema_version,
      key: r.agg_key,
      version: r.version,
      at: r.created_at,
      payload: JSON.parse(r.payload) as unknown,
      ...(r.trace === null ? {} : { trace: r.trace }),
    },
  }));
}

export async function markSent(db: Database, tx: Tx, ids: readonly number[]): Promise<void> {
  const now = await db.now(tx);
  await queries<InfrastructureTables>(tx)
    .updateTable("outbox_events")
    .set({ sent_at: now, claimed_by: null, claimed_until: null })
    .where("id", "in", ids)
    .execute();
}

/** Releases rows that could not be published to other relays. */
export async function release(tx: Tx, claim: string, ids: readonly number[]): Promise<void> {
  await queries<InfrastructureTables>(tx)
    .updateTable("outbox_events")
    .set({ claimed_by: null, claimed_until: null })
    .where("id", "in", ids)
    .where("claimed_by", "=", claim)
    .execute();
}
