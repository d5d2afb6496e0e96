import type { Dsn } from "#core/dsn.ts";

/** The target of a restore: nothing of the old state is lost before `commit`. */
export interface RestoreTarget {
  /** The empty database to fill; closed again before `commit` or `rollback`. */
  readonly dsn: Dsn;
  /** Replaces the old state with the filled database. */
  commit(): Promise<void>;
  /** Restores the old state. */
  rollback(): Promise<void>;
}
