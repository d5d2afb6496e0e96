import type { Table } from "./db/table.ts";

/** `database.custom.columns` names a column that the table does not have. */
export class CustomColumnRefused extends Error {
  override name = "CustomColumnRefused";
}

/**
 * The column behind a field that `database.custom.columns` may move: the default for null (nothing
 * set), null for false (`-`), else a column that exists in the table.
 */
export function customColumn(table: Table, option: string, value: string | false | null, byDefault: string): string | null {
  if (value === null) return byDefault;
  if (value === false) return null;
  if (Object.hasOwn(table.columns, value)) return value;
  const known = Object.keys(table.columns).join(", ");
  throw new CustomColumnRefused(
    `database.custom.columns.${option}: there is no column ${JSON.stringify(value)} in ${table.name}; write one of ${known}, or - to switch the field off`,
  );
}
