import { CompiledQuery } from "kysely";
import type { Tx } from "../ports/database.ts";
import { dialectOf, queries } from "./queries.ts";
import type { NewRow, Table } from "./table.ts";

export interface BulkOptions<T extends Table> {
  /** The unique key that may exist already; rows that conflict are skipped if there is nothing to update or to add. */
  readonly onConflict?: {
    readonly keys: readonly (keyof T["columns"] & string)[];
    readonly update?: readonly (keyof T["columns"] & string)[];
    /** Numbers that the new ones are added to. */
    readonly add?: readonly (keyof T["columns"] & string)[];
  };
}

/** Larger statements gain nothing and block the writer for longer. */
const rowsPerStatement = 1_000;

/** Returns the number of affected rows as the database counts them. */
async function inChunks<T extends Table>(
  tx: Tx,
  { name: table, columns: known }: T,
  rows: readonly NewRow<T>[],
  verb: "insert" | "replace",
  tail: string,
): Promise<number> {
  if (rows.length === 0) return 0;
  const dialect = dialectOf(tx);
  const columns = Object.keys(rows[0]!);
  for (const name of columns) if (!(name in known)) throw new Error(`${table} has no column ${name}`);
  const perStatement = Math.min(rowsPerStatement, Math.floor(dialect.maxParameters / columns.length));
  const head = `${verb} into ${dialect.quote(table)} (${columns.map(dialect.quote).join(", ")}) values `;
  const one = `(${columns.map(() => "?").join(", ")})`;
  let affected = 0;
  for (let at = 0; at < rows.length; at += perStatement) {
    const chunk = rows.slice(at, at + perStatement) as readonly Record<string, unknown>[];
    const values = chunk.flatMap((row) => columns.map((name) => row[name]));
    const text = head + `${one}, `.repeat(chunk.length - 1) + one + tail;
    const result = await queries(tx).executeQuery(CompiledQuery.raw(text, values));
    affected += Number(result.numAffectedRows ?? 0n);
  }
  return affected;
}

/**
 * Inserts any number of rows in few statements, without the cost of the query builder per value.
 * Every row has the columns of the first one. Returns the number of rows inserted or, on a conflict,
 * updated (MariaDB counts an updated row twice).
 */
export async function bulkInsert<T extends Table>(
  tx: Tx,
  table: T,
  rows: readonly NewRow<T>[],
  { onConflict }: BulkOptions<T> = {},
): Promise<number> {
  const tail = onConflict ? ` ${dialectOf(tx).conflictClause(onConflict.keys, onConflict.update ?? [], onConflict.add)}` : "";
  return await inChunks(tx, table, rows, "insert", tail);
}

/**
 * Like `bulkInsert`, and removes the rows that have a unique key of a new one. Returns how many were removed;
 * null where no other unit of work can have added one meanwhile.
 */
export async function bulkReplace<T extends Table>(tx: Tx, table: T, rows: readonly NewRow<T>[]): Promise<number | null> {
  return dialectOf(tx).removedBy(await inChunks(tx, table, rows, "replace", ""), rows.length);
}
