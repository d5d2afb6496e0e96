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

const quote = (name: string) => `\`${checkedName(name)}\``;
const list = (names: readonly string[]) => names.map(quote).join(", ");
const keyCollation = "utf8mb4_bin";

function blobType(length: number): string {
  if (length <= 1024) return `varbinary(${length})`;
  if (length <= 65_535) return "blob";
  return length <= 16_777_215 ? "mediumblob" : "longblob";
}

function typeOf(column: Column): string {
  switch (column.type) {
    case "int":
      return "bigint";
    case "flag":
      return "tinyint";
    case "double":
      return "double";
    case "text":
    case "key":
      return `varchar(${column.length})`;
    case "longText":
      return "longtext";
    case "blob":
      return blobType(column.length!);
  }
}

/** MariaDB returns defaults as SQL literals, MySQL as plain text. */
function defaultOf(value: unknown): string | null {
  if (value === null || value === "NULL") return null;
  const text = String(value);
  return /^'[\s\S]*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : text;
}

function shapeOf(row: Record<string, unknown>): ColumnShape {
  const type = String(row.kind).toLowerCase();
  const sized = type === "varchar" || type === "varbinary";
  return {
    type: sized ? `${type}(${Number(row.size)})` : type,
    nullable: row.nullable === "YES",
    generated: String(row.extra).includes("auto_increment"),
    default: defaultOf(row.value),
    collation: row.collation === null ? null : String(row.collation),
  };
}

async function inspect(connection: SqlConnection, names?: readonly string[]): Promise<Map<string, TableShape>> {
  if (names?.length === 0) return new Map();
  const filter = names ? `and table_name in (${names.map(() => "?").join(", ")})` : "";
  const columns = await connection.execute(
    `select table_name as t, column_name as c, data_type as kind, character_maximum_length as size, is_nullable as nullable,
            column_default as value, extra as extra, collation_name as collation
       from information_schema.columns where table_schema = database() ${filter} order by table_name, ordinal_position`,
    names ?? [],
  );
  const indexes = await connection.execute(
    `select table_name as t, index_name as i, non_unique as shared, column_name as c
       from information_schema.statistics where table_schema = database() ${filter} order by table_name, index_name, seq_in_index`,
    names ?? [],
  );
  const tables = new Map<
    string,
    {
      columns: Map<string, ColumnShape>;
      primary: string[];
      indexes: Map<string, { unique: boolean; columns: string[] }>;
    }
  >();
  for (const row of columns.rows) {
    const table = tables.get(row.t as string) ?? { columns: new Map(), primary: [], indexes: new Map() };
    tables.set(row.t as string, table);
    table.columns.set(row.c as string, shapeOf(row));
  }
  for (const row of indexes.rows) {
    const table = tables.get(row.t as string);
    // Created by another process between the two queries.
    if (!table) continue;
    if (row.i === "PRIMARY") {
      table.primary.push(row.c as string);
      continue;
    }
    const index = table.indexes.get(row.i as string) ?? { unique: Number(row.shared) === 0, columns: [] };
    table.indexes.set(row.i as string, index);
    index.columns.push(row.c as string);
  }
  return tables;
}

/** `collation` is that of the DSN, for text for people. */
export function mariadbSchema(collation: string): SchemaAdapter {
  const collationOf = ({ type }: Column) =>
    type === "text" || type === "longText" ? collation : type === "key" ? keyCollation : null;

  const columnSql = (name: string, column: Column) => {
    const wanted = collationOf(column);
    const characters = wanted === null ? "" : ` CHARACTER SET utf8mb4 COLLATE ${wanted}`;
    const nullness = column.nullable ? " NULL" : " NOT NULL";
    const numbered = column.generated ? " AUTO_INCREMENT" : "";
    const fallback = column.default === undefined || column.default === null ? "" : ` DEFAULT ${quotedLiteral(column.default)}`;
    return `${quote(name)} ${typeOf(column)}${characters}${nullness}${numbered}${fallback}`;
  };
  const createTable = (table: Table): string[] => {
    checkKeyLengths(table);
    const lines = Object.entries(table.columns).map(([name, column]) => columnSql(name, column));
    lines.push(`PRIMARY KEY (${list(table.options.primary)})`);
    for (const [name, index] of indexesOf(table))
      lines.push(`${index.unique ? "UNIQUE " : ""}KEY ${quote(name)} (${list(index.columns)})`);
    return [
      `CREATE TABLE IF NOT EXISTS ${quote(table.name)} (${lines.join(", ")}) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=${collation}`,
    ];
  };
  return {
    createTable,
    inspect,
    dropTable: (table) => `DROP TABLE ${quote(table)}`,
    addColumn: (table, name, column) => `ALTER TABLE ${quote(table)} ADD COLUMN ${columnSql(name, column)}`,
    dropColumn: (table, name) => `ALTER TABLE ${quote(table)} DROP COLUMN ${quote(name)}`,
    createIndex: (table: string, name: string, index: IndexShape) =>
      `CREATE ${index.unique ? "UNIQUE " : ""}INDEX ${quote(name)} ON ${quote(table)} (${list(index.columns)})`,
    dropIndex: (table, name) => `DROP INDEX ${quote(name)} ON ${quote(table)}`,
    columnShape: (column) => ({
      type: typeOf(column),
      nullable: column.nullable,
      generated: column.generated,
      default: column.default === undefined || column.default === null ? null : String(column.default),
      collation: collationOf(column),
    }),
    modifyColumn: (table, name, column) => `ALTER TABLE ${quote(table)} MODIFY ${columnSql(name, column)}`,
  };
}
