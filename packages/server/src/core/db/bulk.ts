import { CompiledQuery } from "kysely";
import type { Tx } from "../ports/database.ts";
import { dialectOf, queries } from "./queries.ts";
import type { NewRow, Table } from "./table.ts";

export interface BulkOptions<T extends Table> {
  /** The unique key that may exist already; rows that conflict are skipped if `update` is empty. */
  readonly onConflict?: {
    readonly keys: readonly (keyof T["columns"] & string)[];
    readonly update: readonly (keyof T["columns"] & string)[];
  };
}

/** Larger statements gain nothing and block the writer for longer. */
const rowsPerStatement = 1_000;

/**
 * Inserts any number of rows in few statements, without the cost of the query builder per value.
 * Every row has the columns of the first one. Returns the number of rows inserted or, on a conflict,
 * updated (MariaDB counts an updated row twice).
 */
export async function bulkInsert<T extends Table>(
  tx: Tx,
  table: T,
  rows: readonly NewRow<T>[],
  options: BulkOptions<T> = {},
): Promise<number> {
  if (rows.length === 0) return 0;
  const dialect = dialectOf(tx);
  const columns = Object.keys(rows[0]!);
  for (const name of columns) if (!(name in table.columns)) throw new Error(`${table.name} has no column ${name}`);
  const perStatement = Math.min(rowsPerStatement, Math.floor(dialect.maxParameters / columns.length));
  const head = `insert into ${dialect.quote(table.name)} (${columns.map(dialect.quote).join(", ")}) values `;
  const one = `(${columns.map(() => "?").join(", ")})`;
  const { onConflict } = options;
  const tail = onConflict ? ` ${dialect.conflictClause(onConflict.keys, onConflict.update)}` : "";
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
