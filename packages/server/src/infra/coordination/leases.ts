import { DuplicateKey } from "#core/db/errors.ts";
import { dialectOf, queries } from "#core/db/queries.ts";
import type { Clock, Ids } from "#core/ports/clock.ts";
import type { Database, Tx } from "#core/ports/database.ts";
import type { Log } from "#core/ports/log.ts";
import type { Metrics } from "#core/ports/metrics.ts";
import { LeaseLost, type Lease, type Leases } from "#core/ports/leases.ts";
import type { InfrastructureTables } from "#infra/db/infrastructure.schema.ts";

export interface LeasesOptions {
  readonly db: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly disableLocking: boolean;
  /** Subsystem `locks`: leases acquired, refused and lost. */
  readonly log?: Log;
  readonly metrics?: Metrics;
}

interface SqlLeaseOptions extends LeasesOptions {
  /** Counts refused late writes, by lease. */
  readonly refused: ReturnType<Metrics["counter"]> | undefined;
}

const noOwner = "";

interface Acquired {
  readonly name: string;
  readonly owner: string;
  readonly token: number;
  readonly ttlMs: number;
  /** By the monotonic clock of this process, measured before the query. */
  readonly localDeadline: number;
}

/** Acquires the lease for `owner`; returns its token, or null when another owner has it. */
async function acquire(db: Database, tx: Tx, name: string, owner: string, ttlMs: number): Promise<number | null> {
  const q = queries<InfrastructureTables>(tx);
  const now = await db.now(tx);
  const free = (row: { owner: string; expires_at: number }) => row.owner === noOwner || row.expires_at <= now;
  const found = await q.selectFrom("leases").selectAll().where("name", "=", name).executeTakeFirst();
  if (!found) {
    try {
      await q
        .insertInto("leases")
        .values({ name, owner, token: 1, expires_at: now + ttlMs, touched: 0 })
        .execute();
      return 1;
    } catch (error) {
      if (error instanceof DuplicateKey) return null;
      throw error;
    }
  }
  if (!free(found)) return null;
  // A locked row belongs to an owner that is inside a guarded unit of work.
  const query = q.selectFrom("leases").selectAll().where("name", "=", name);
  const row = await dialectOf(tx).lock(query, { skipLocked: true }).executeTakeFirst();
  if (!row || !free(row)) return null;
  const token = row.token + 1;
  const updated = await q
    .updateTable("leases")
    .set({ owner, token, expires_at: now + ttlMs })
    .where("name", "=", name)
    .where("token", "=", row.token)
    .executeTakeFirst();
  return updated.numUpdatedRows === 1n ? token : null;
}

class SqlLease implements Lease {
  readonly name: string;
  readonly token: number;
  readonly #options: SqlLeaseOptions;
  readonly #owner: string;
  readonly #ttlMs: number;
  readonly #lost = new AbortController();
  #timer: { cancel(): void };

  constructor(options: SqlLeaseOptions, acquired: Acquired) {
    this.name = acquired.name;
    this.token = acquired.token;
    this.#options = options;
    this.#owner = acquired.owner;
    this.#ttlMs = acquired.ttlMs;
    this.#timer = this.#expireAt(acquired.localDeadline);
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  async renew(): Promise<boolean> {
    if (this.signal.aborted) return false;
    const { db, clock } = this.#options;
    const started = clock.monotonic();
    const renewed = await db.write("leases.renew", async (tx) => {
      const now = await db.now(tx);
      const result = await this.#ownRow(tx, now)
        .set({ expires_at: now + this.#ttlMs })
        .executeTakeFirst();
      return result.numUpdatedRows === 1n;
    });
    if (!renewed) this.#abort("another owner acquired it, or it expired");
    if (!renewed || this.signal.aborted) return false;
    this.#timer.cancel();
    this.#timer = this.#expireAt(started + this.#ttlMs);
    return true;
  }

  async release(): Promise<void> {
    this.#abort("it was released");
    const { db } = this.#options;
    await db.write("leases.release", async (tx) => {
      await this.#ownRow(tx, 0).set({ owner: noOwner, expires_at: 0 }).execute();
    });
  }

  async guard(tx: Tx): Promise<void> {
    if (!this.signal.aborted) {
      const owned = this.#options.disableLocking ? await this.#touch(tx) : await this.#lock(tx);
      if (owned) return;
      this.#abort("another owner acquired it, or it expired");
    }
    this.#options.refused?.inc({ lease: this.name });
    throw this.signal.reason;
  }

  async #lock(tx: Tx): Promise<boolean> {
    const query = queries<InfrastructureTables>(tx).selectFrom("leases").selectAll().where("name", "=", this.name);
    const row = await dialectOf(tx).lock(query).executeTakeFirst();
    // Read after waiting for the lock, because the lease may have expired meanwhile.
    const now = await this.#options.db.now(tx);
    return row !== undefined && row.owner === this.#owner && row.token === this.token && row.expires_at > now;
  }

  async #touch(tx: Tx): Promise<boolean> {
    const now = await this.#options.db.now(tx);
    const result = await this.#ownRow(tx, now)
      .set((eb) => ({ touched: eb("touched", "+", 1) }))
      .executeTakeFirst();
    return result.numUpdatedRows === 1n;
  }

  #ownRow(tx: Tx, expiresAfter: number) {
    return queries<InfrastructureTables>(tx)
      .updateTable("leases")
      .where("name", "=", this.name)
      .where("owner", "=", this.#owner)
      .where("token", "=", this.token)
      .where("expires_at", ">", expiresAfter);
  }

  #expireAt(deadline: number): { cancel(): void } {
    const { clock } = this.#options;
    return clock.setTimeout(() => this.#abort("it expired"), Math.max(0, deadline - clock.monotonic()));
  }

  #abort(reason: string): void {
    this.#timer.cancel();
    if (!this.signal.aborted) this.#options.log?.debug({ lease: this.name, token: this.token, reason }, "the lease ended");
    if (!this.signal.aborted) this.#lost.abort(new LeaseLost(`the lease ${this.name} is lost: ${reason}`));
  }
}

/** Leases as SQL rows, measured by the database's clock. Rows are never deleted, so that tokens are not reused. */
export function createLeases(options: LeasesOptions): Leases {
  const { db, clock, ids } = options;
  const refused = options.metrics?.counter("rollcall_lease_lost_total", "Writes refused because their lease was lost before", [
    "lease",
  ]);
  return {
    async acquire(name, ttlMs) {
      const owner = ids.next();
      const localDeadline = clock.monotonic() + ttlMs;
      const token = await db.write("leases.acquire", (tx) => acquire(db, tx, name, owner, ttlMs));
      options.log?.debug({ lease: name, token }, token === null ? "another owner has the lease" : "the lease was acquired");
      return token === null ? null : new SqlLease({ ...options, refused }, { name, owner, token, ttlMs, localDeadline });
    },
  };
}
