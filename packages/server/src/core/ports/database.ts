declare const txBrand: unique symbol;

/**
 * A running unit of work or read snapshot. Opaque: only schema, reads and repo files turn it into
 * queries (`queries(tx)` of `core/db`).
 */
export interface Tx {
  readonly [txBrand]: true;
  /** `<feature>.<useCase>`, for logs, metrics and error reports. */
  readonly name: string;
  readonly writable: boolean;
  /** Monotonic milliseconds of the clock port, before its snapshot or transaction began. */
  readonly began: number;
  /** Runs once after a successful commit, never after a rollback; its errors are logged. */
  afterCommit(action: () => void): void;
}

export type DatabaseKind = "sqlite" | "mariadb";

export interface DatabaseState {
  readonly up: boolean;
  /** When `up` last changed, by the clock port. */
  readonly since: number;
  readonly reason: string | null;
  /** The disk is full: nothing can be written, and reads go on. */
  readonly full?: boolean;
}

/**
 * The SQL database.
 * `read`: one consistent snapshot, refuses writes.
 * `write`: one unit of work; commits when `work` resolves and rolls back when it throws. A deadlock,
 * `Overtaken` or a connection lost before COMMIT was sent repeats `work` (up to 5 times with jittered
 * back-off), so `work` must have no effect outside its transaction. While a unit of work runs in
 * this async context, `read` and `write` throw `NestedUnitOfWork`.
 * Fails with the errors of `core/db/errors.ts`.
 */
export interface Database {
  readonly kind: DatabaseKind;
  read<T>(name: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  write<T>(name: string, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The database's own clock, in milliseconds UTC: leases and timers are measured by it. */
  now(tx: Tx): Promise<number>;
  state(): DatabaseState;
  onStateChange(listener: (state: DatabaseState) => void): () => void;
  /** One round trip, for readiness; throws `DatabaseUnavailable`. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
