import type { Config } from "#config/index.ts";
import { type ColumnTrouble, type CustomColumn, columnTrouble, isAdded, refusal } from "#core/custom-columns.ts";
import type { SqlDatabase } from "#infra/db/database.ts";
import { columnTypes } from "#infra/db/drift.ts";
import { features } from "./features.ts";

/** The columns that `database.custom.columns` configures. */
export function customColumnsOf(config: Config): CustomColumn[] {
  return features.flatMap(({ customColumns }) => customColumns?.(config) ?? []);
}

export interface RefusedColumn {
  readonly column: CustomColumn;
  readonly trouble: ColumnTrouble;
}

export interface ExaminedColumns {
  readonly refused: readonly RefusedColumn[];
  /** Columns of tables that do not exist yet. */
  readonly unknown: readonly CustomColumn[];
}

/** Queries the database only when a column is configured that is not part of this version's schema. */
export async function examineColumns(db: SqlDatabase, config: Config): Promise<ExaminedColumns> {
  const columns = customColumnsOf(config);
  const added = columns.filter(isAdded);
  const types = added.length === 0 ? new Map() : await columnTypes(db, [...new Set(added.map(({ table }) => table.name))]);
  const unknown = added.filter(({ table }) => !types.has(table.name));
  const refused = columns.flatMap((column) => {
    const trouble = unknown.includes(column) ? null : columnTrouble(column, types.get(column.table.name) ?? new Map());
    return trouble === null ? [] : [{ column, trouble }];
  });
  return { refused, unknown };
}

/** Throws `CustomColumnRefused` for the first refused column. */
export async function assertColumns(db: SqlDatabase, config: Config): Promise<void> {
  for (const { column, trouble } of (await examineColumns(db, config)).refused) throw refusal(column, trouble);
}

/** One line for each refused column. */
export async function columnLines(db: SqlDatabase, config: Config): Promise<string[]> {
  return (await examineColumns(db, config)).refused.map(({ column, trouble }) => refusal(column, trouble).message);
}
