import type { Tx } from "./database.ts";

/** Exclusive permits, each a SQL row (name, owner, token, until) measured by the database's clock. */
export interface Leases {
  /** Null when another owner has it. The token grows with every change of owner. */
  acquire(name: string, ttlMs: number): Promise<Lease | null>;
}

export interface Lease {
  readonly name: string;
  readonly token: number;
  /** Aborted as soon as this process knows, or has to assume by its own clock, that it lost the lease. */
  readonly signal: AbortSignal;
  /** Extends it; false when it is lost. */
  renew(): Promise<boolean>;
  release(): Promise<void>;
  /**
   * Locks the lease row in `tx` and throws `LeaseLost` unless this token still owns it: call it
   * first in every unit of work done under the lease. With `database.disableLocking` it is a
   * compare-and-set on the row instead of a locking read.
   */
  guard(tx: Tx): Promise<void>;
}

export class LeaseLost extends Error {
  override name = "LeaseLost";
}
