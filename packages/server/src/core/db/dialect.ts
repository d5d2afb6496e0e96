import type { Expression, InsertQueryBuilder, RawBuilder, SelectQueryBuilder } from "kysely";
import type { DatabaseKind } from "../ports/database.ts";

/** Where the two databases differ, by name. Adapters live in `infra/db/dialect/`. */
export interface Dialect {
  readonly kind: DatabaseKind;
  /** Most bound parameters in one statement. */
  readonly maxParameters: number;
  /** On a conflict with the unique `keys`, overwrites `columns` with the new values. */
  upsert<DB, T extends keyof DB, O>(
    query: InsertQueryBuilder<DB, T, O>,
    keys: readonly string[],
    columns: readonly string[],
  ): InsertQueryBuilder<DB, T, O>;
  /** Skips rows that conflict with a unique key. */
  ignoreConflicts<DB, T extends keyof DB, O>(query: InsertQueryBuilder<DB, T, O>): InsertQueryBuilder<DB, T, O>;
  /** Quotes an identifier. */
  quote(name: string): string;
  /** The end of an insert: on a conflict with `keys` overwrite `update`, or skip the row when that is empty. */
  conflictClause(keys: readonly string[], update: readonly string[]): string;
  /** Of the rows that a `replace into` affected, those that it removed; null with a single writer, which needs no count. */
  removedBy(affected: number, inserted: number): number | null;
  /** Locks the selected rows until the transaction ends; does nothing with a single writer or with locking off. */
  lock<DB, T extends keyof DB, O>(
    query: SelectQueryBuilder<DB, T, O>,
    options?: { skipLocked?: boolean },
  ): SelectQueryBuilder<DB, T, O>;
  /** Reads `table` by this index; SQLite finds it by itself, and MariaDB rather reads a part of it from the beginning. */
  useIndex<DB, T extends keyof DB, O>(
    query: SelectQueryBuilder<DB, T, O>,
    table: string,
    index: string,
  ): SelectQueryBuilder<DB, T, O>;
  /** A member of a JSON text column as text; `path` like `$.a.b`. */
  jsonText(column: Expression<unknown>, path: string): RawBuilder<string | null>;
  /** The database's clock in milliseconds UTC. */
  nowMs(): RawBuilder<number>;
  /** `column LIKE prefix%` with wildcards in `prefix` escaped. */
  startsWith(column: Expression<unknown>, prefix: string): RawBuilder<boolean>;
}
