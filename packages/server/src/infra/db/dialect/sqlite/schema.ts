import type { Column, Table } from "#core/db/table.ts";
import type { SqlConnection } from "../../connection.ts";
import {
  checkedName,
  checkKeyLengths,
  indexesOf,
  quotedLiteral,
  type ColumnShape,
  type IndexShape,
  type SchemaAdapter,
  type TableShape,
} from "../../schema.ts";

const quote = (name: string) => `"${checkedName(name)}"`;
const list = (names: readonly string[]) => names.map(quote).join(", ");

/** Each type of the DSL has its own name, so that it can be read back; SQLite derives the affinity from it. */
function typeOf(column: Column): string {
  switch (column.type) {
    case "int":
      return "INTEGER";
    case "flag":
      return "TINYINT";
    case "double":
      return "DOUBLE";
    case "text":
      return `VARCHAR(${column.length})`;
    case "key":
      return `CHARACTER(${column.length})`;
    case "longText":
      return "TEXT";
    case "blob":
      return `BLOB(${column.length})`;
  }
}

const compares: Partial<Record<Column["type"], string>> = {
  text: " COLLATE NOCASE",
  longText: " COLLATE NOCASE",
};

function columnSql(name: string, column: Column, alone: boolean): string {
  if (column.generated) return `${quote(name)} INTEGER PRIMARY KEY AUTOINCREMENT`;
  // SQLite ignores lengths, MariaDB enforces them.
  const limit = column.length === null ? "" : ` CHECK (length(${quote(name)}) <= ${column.length})`;
  const nullness = column.nullable ? "" : " NOT NULL";
  const fallback = column.default === undefined || column.default === null ? "" : ` DEFAULT ${quotedLiteral(column.default)}`;
  return `${quote(name)} ${typeOf(column)}${nullness}${alone ? " PRIMARY KEY" : ""}${fallback}${compares[column.type] ?? ""}${limit}`;
}

function createTable(table: Table): string[] {
  checkKeyLengths(table);
  const { primary } = table.options;
  const columns = Object.entries(table.columns);
  const only = primary.length === 1 ? table.columns[primary[0]!] : undefined;
  const numbered = only?.type === "int";
  const lines = columns.map(([name, column]) => columnSql(name, column, numbered && column === only));
  if (!numbered) lines.push(`PRIMARY KEY (${list(primary)})`);
  const large = columns.some(([, column]) => column.type === "longText" || column.type === "blob");
  const clustered = numbered || large ? "" : " WITHOUT ROWID";
  return [
    `CREATE TABLE IF NOT EXISTS ${quote(table.name)} (${lines.join(", ")})${clustered}`,
    ...[...indexesOf(table)].map(([name, index]) => createIndex(table.name, name, index)),
  ];
}

function createIndex(table: string, name: string, index: IndexShape): string {
  return `CREATE ${index.unique ? "UNIQUE " : ""}INDEX ${quote(name)} ON ${quote(table)} (${list(index.columns)})`;
}

function columnShape(column: Column): ColumnShape {
  const value = column.default;
  return {
    type: typeOf(column),
    nullable: column.nullable,
    generated: column.generated,
    default: value === undefined || value === null ? null : String(value),
    collation: null,
  };
}

function unquoted(text: unknown): string | null {
  if (typeof text !== "string") return null;
  return text.startsWith("'") ? text.slice(1, -1).replaceAll("''", "'") : text;
}

interface Building {
  readonly columns: Map<string, ColumnShape>;
  /** Position in the primary key, column. */
  readonly keys: [number, string][];
  readonly indexes: Map<string, { unique: boolean; columns: string[] }>;
}

async function inspect(connection: SqlConnection): Promise<Map<string, TableShape>> {
  const columns = await connection.execute(
    `select m.name as t, m.sql as ddl, p.name as c, p.type, p."notnull" as required, p.dflt_value as value, p.pk
       from sqlite_master m join pragma_table_info(m.name) p
      where m.type = 'table' and m.name not like 'sqlite!_%' escape '!' order by m.name, p.cid`,
    [],
  );
  const indexes = await connection.execute(
    `select m.name as t, i.name as i, i."unique" as uniq, i.origin, c.name as c
       from sqlite_master m join pragma_index_list(m.name) i join pragma_index_info(i.name) c
      where m.type = 'table' and i.origin <> 'pk' order by m.name, i.name, c.seqno`,
    [],
  );
  const tables = new Map<string, Building>();
  for (const row of columns.rows) {
    const table: Building = tables.get(row.t as string) ?? {
      columns: new Map(),
      keys: [],
      indexes: new Map(),
    };
    tables.set(row.t as string, table);
    const generated = row.pk === 1 && / AUTOINCREMENT/.test(row.ddl as string);
    table.columns.set(row.c as string, {
      type: row.type as string,
      nullable: row.required === 0 && row.pk === 0,
      generated,
      default: unquoted(row.value),
      collation: null,
    });
    if ((row.pk as number) > 0) table.keys.push([row.pk as number, row.c as string]);
  }
  for (const row of indexes.rows) {
    const all = tables.get(row.t as string)?.indexes;
    // Created by another process between the two queries.
    if (!all) continue;
    const index = all.get(row.i as string) ?? { unique: row.uniq === 1, columns: [] };
    all.set(row.i as string, index);
    index.columns.push(row.c as string);
  }
  const shapes = new Map<string, TableShape>();
  for (const [name, table] of tables) {
    const primary = table.keys.sort(([a], [b]) => a - b).map(([, column]) => column);
    shapes.set(name, { columns: table.columns, primary, indexes: table.indexes });
  }
  return shapes;
}

export const sqliteSchema: SchemaAdapter = {
  createTable,
  createIndex,
  columnShape,
  dropTable: (table) => `DROP TABLE ${quote(table)}`,
  addColumn: (table, name, column) => `ALTER TABLE ${quote(table)} ADD COLUMN ${columnSql(name, column, false)}`,
  dropColumn: (table, name) => `ALTER TABLE ${quote(table)} DROP COLUMN ${quote(name)}`,
  dropIndex: (_table, name) => `DROP INDEX ${quote(name)}`,
  modifyColumn: () => null,
  async inspect(connection, tables) {
    const all = await inspect(connection);
    return tables ? new Map([...all].filter(([name]) => tables.includes(name))) : all;
  },
};
