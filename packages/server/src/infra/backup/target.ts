import type { Dsn } from "#core/dsn.ts";

/** Where a backup goes: nothing of the old state is lost before `commit`. */
export interface RestoreTarget {
  /** The empty database to fill; closed again before `commit` or `rollback`. */
  readonly dsn: Dsn;
  /** Puts what was filled in the place of the old state. */
  commit(): Promise<void>;
  /** Puts the old state back as it was. */
  rollback(): Promise<void>;
}
