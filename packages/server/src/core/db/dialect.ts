import type { Expression, InsertQueryBuilder, RawBuilder, SelectQueryBuilder, UpdateQueryBuilder } from "kysely";
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
  /**
   * The end of an insert: on a conflict with `keys` overwrite `update` and add to the numbers of `add`, or skip the row
   * when both are empty.
   */
  conflictClause(keys: readonly string[], update: readonly string[], add?: readonly string[]): string;
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
  /** Finds the rows by their primary key: by another index MariaDB locks, and waits for, rows that it does not change. */
  byPrimaryKey<DB, U extends keyof DB, T extends keyof DB, O>(
    query: UpdateQueryBuilder<DB, U, T, O>,
    table: string,
  ): UpdateQueryBuilder<DB, U, T, O>;
  /** `table` in the `from` of a raw statement, read by this index; `PRIMARY` for the one over its ids. */
  indexed(table: string, index: string): RawBuilder<unknown>;
  /** A join whose left side is read first. */
  readonly joinInOrder: RawBuilder<unknown>;
  /** Any number of ids, for `in`. */
  idList(ids: readonly number[]): RawBuilder<number>;
  /** The ids of a select, to be compared with many rows: MariaDB would otherwise search them again for each row. */
  readOnce(ids: RawBuilder<unknown>): RawBuilder<unknown>;
  /** The rows of a group as a JSON list of lists of these values, in any order; empty or null where there are none. */
  jsonRows(values: readonly Expression<unknown>[]): RawBuilder<string | null>;
  /** A member of a JSON text column as text; `path` like `$.a.b`. */
  jsonText(column: Expression<unknown>, path: string): RawBuilder<string | null>;
  /** The database's clock in milliseconds UTC. */
  nowMs(): RawBuilder<number>;
  /** `column LIKE prefix%` with wildcards in `prefix` escaped. */
  startsWith(column: Expression<unknown>, prefix: string): RawBuilder<boolean>;
}
