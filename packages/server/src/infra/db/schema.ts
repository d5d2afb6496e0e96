import type { Column, Table } from "#core/db/table.ts";
import type { SqlConnection } from "./connection.ts";

export interface ColumnShape {
  readonly type: string;
  readonly nullable: boolean;
  readonly generated: boolean;
  /** As text; null without a default. */
  readonly default: string | null;
  /** Null if the type has none. */
  readonly collation: string | null;
}

export interface IndexShape {
  readonly unique: boolean;
  readonly columns: readonly string[];
}

export interface TableShape {
  readonly columns: ReadonlyMap<string, ColumnShape>;
  readonly primary: readonly string[];
  readonly indexes: ReadonlyMap<string, IndexShape>;
}

/** Creates the DDL of one database, and reads its schema. */
export interface SchemaAdapter {
  createTable(table: Table): string[];
  dropTable(table: string): string;
  addColumn(table: string, name: string, column: Column): string;
  dropColumn(table: string, name: string): string;
  createIndex(table: string, name: string, index: IndexShape): string;
  dropIndex(table: string, name: string): string;
  /** The shape that `inspect` has to find for this column. */
  columnShape(column: Column): ColumnShape;
  /** Changes the type and collation of a column to its definition; null if that is never required. */
  modifyColumn(table: string, name: string, column: Column): string | null;
  /** Reads every table of the database, or the named ones. */
  inspect(connection: SqlConnection, tables?: readonly string[]): Promise<Map<string, TableShape>>;
}

/** Names are inserted into statements unescaped, so only few characters are allowed. */
export function checkedName(name: string): string {
  if (!/^[a-z][a-z0-9_]{0,62}$/.test(name)) throw new Error(`${name} is not a table, column or index name: use a-z, 0-9 and _`);
  return name;
}

export function quotedLiteral(value: string | number): string {
  return typeof value === "number" ? String(value) : `'${value.replaceAll("'", "''")}'`;
}

export function indexesOf(table: Table): Map<string, IndexShape> {
  const options: { unique?: Record<string, readonly string[]>; indexes?: Record<string, readonly string[]> } = table.options;
  const shapes = new Map<string, IndexShape>();
  for (const [name, columns] of Object.entries(options.unique ?? {})) shapes.set(name, { unique: true, columns });
  for (const [name, columns] of Object.entries(options.indexes ?? {})) shapes.set(name, { unique: false, columns });
  return shapes;
}

const maxKeyBytes = 3072;

/** InnoDB refuses longer keys; checked here so that it fails on SQLite too. */
export function checkKeyLengths(table: Table): void {
  const keys = new Map<string, readonly string[]>([["PRIMARY", table.options.primary]]);
  for (const [name, index] of indexesOf(table)) keys.set(name, index.columns);
  for (const [name, columns] of keys) {
    const bytes = columns.map((column) => {
      const { type, length } = table.columns[column]!;
      if (type === "longText") throw new Error(`${table.name}: index ${name} contains the unlimited text ${column}`);
      return type === "text" || type === "key" ? length! * 4 : type === "blob" ? length! : 8;
    });
    const total = bytes.reduce((sum, b) => sum + b, 0);
    if (total > maxKeyBytes) throw new Error(`${table.name}: index ${name} is ${total} bytes long, at most ${maxKeyBytes}`);
  }
}
