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
  /** Subsystem `locks`: who takes, keeps out of and loses what. */
  readonly log?: Log;
  readonly metrics?: Metrics;
}

interface HeldOptions extends LeasesOptions {
  /** Late writes, by lease. */
  readonly refused: ReturnType<Metrics["counter"]> | undefined;
}

const nobody = "";

interface Taken {
  readonly name: string;
  readonly owner: string;
  readonly token: number;
  readonly ttlMs: number;
  /** By the monotonic clock of this process, measured before the database was asked. */
  readonly localDeadline: number;
}

/** The token under which `owner` holds the lease now, or null when somebody else does. */
async function take(db: Database, tx: Tx, name: string, owner: string, ttlMs: number): Promise<number | null> {
  const q = queries<InfrastructureTables>(tx);
  const now = await db.now(tx);
  const free = (row: { owner: string; expires_at: number }) => row.owner === nobody || row.expires_at <= now;
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
  // A row that is locked belongs to a holder in the middle of a guarded unit of work.
  const query = q.selectFrom("leases").selectAll().where("name", "=", name);
  const row = await dialectOf(tx).lock(query, { skipLocked: true }).executeTakeFirst();
  if (!row || !free(row)) return null;
  const token = row.token + 1;
  const taken = await q
    .updateTable("leases")
    .set({ owner, token, expires_at: now + ttlMs })
    .where("name", "=", name)
    .where("token", "=", row.token)
    .executeTakeFirst();
  return taken.numUpdatedRows === 1n ? token : null;
}

class HeldLease implements Lease {
  readonly name: string;
  readonly token: number;
  readonly #options: HeldOptions;
  readonly #owner: string;
  readonly #ttlMs: number;
  readonly #lost = new AbortController();
  #timer: { cancel(): void };

  constructor(options: HeldOptions, taken: Taken) {
    this.name = taken.name;
    this.token = taken.token;
    this.#options = options;
    this.#owner = taken.owner;
    this.#ttlMs = taken.ttlMs;
    this.#timer = this.#expireAt(taken.localDeadline);
  }

  get signal(): AbortSignal {
    return this.#lost.signal;
  }

  async renew(): Promise<boolean> {
    if (this.signal.aborted) return false;
    const { db, clock } = this.#options;
    const started = clock.monotonic();
    const held = await db.write("leases.renew", async (tx) => {
      const now = await db.now(tx);
      const result = await this.#ownRow(tx, now)
        .set({ expires_at: now + this.#ttlMs })
        .executeTakeFirst();
      return result.numUpdatedRows === 1n;
    });
    if (!held) this.#abort("somebody else took it, or it ran out");
    if (!held || this.signal.aborted) return false;
    this.#timer.cancel();
    this.#timer = this.#expireAt(started + this.#ttlMs);
    return true;
  }

  async release(): Promise<void> {
    this.#abort("it was released");
    const { db } = this.#options;
    await db.write("leases.release", async (tx) => {
      await this.#ownRow(tx, 0).set({ owner: nobody, expires_at: 0 }).execute();
    });
  }

  async guard(tx: Tx): Promise<void> {
    if (!this.signal.aborted) {
      const held = this.#options.disableLocking ? await this.#touch(tx) : await this.#lock(tx);
      if (held) return;
      this.#abort("somebody else took it, or it ran out");
    }
    this.#options.refused?.inc({ lease: this.name });
    throw this.signal.reason;
  }

  async #lock(tx: Tx): Promise<boolean> {
    const query = queries<InfrastructureTables>(tx).selectFrom("leases").selectAll().where("name", "=", this.name);
    const row = await dialectOf(tx).lock(query).executeTakeFirst();
    // Asked after the wait for the lock: until then it may have run out.
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
    return clock.setTimeout(() => this.#abort("it ran out"), Math.max(0, deadline - clock.monotonic()));
  }

  #abort(why: string): void {
    this.#timer.cancel();
    if (!this.signal.aborted) this.#options.log?.debug({ lease: this.name, token: this.token, why }, "the lease ended");
    if (!this.signal.aborted) this.#lost.abort(new LeaseLost(`the lease ${this.name} is lost: ${why}`));
  }
}

/** Leases as SQL rows by the database's clock. Rows stay, so that a token never comes twice. */
export function createLeases(options: LeasesOptions): Leases {
  const { db, clock, ids } = options;
  const refused = options.metrics?.counter("rollcall_lease_lost_total", "Writes refused because their lease was lost before", [
    "lease",
  ]);
  return {
    async acquire(name, ttlMs) {
      const owner = ids.next();
      const localDeadline = clock.monotonic() + ttlMs;
      const token = await db.write("leases.acquire", (tx) => take(db, tx, name, owner, ttlMs));
      options.log?.debug({ lease: name, token }, token === null ? "the lease is held elsewhere" : "the lease was taken");
      return token === null ? null : new HeldLease({ ...options, refused }, { name, owner, token, ttlMs, localDeadline });
    },
  };
}
