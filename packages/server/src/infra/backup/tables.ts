import { col, defineTable, type Column, type Table } from "#core/db/table.ts";
import { scheduleRuns } from "#infra/schedules/schedules.schema.ts";
import {
  searchCodes,
  searchDocuments,
  searchGrams,
  searchPostings,
  searchVariants,
  searchWords,
} from "#infra/search/search.schema.ts";
import { deadWorkerTasks, workerTasks } from "#infra/tasks/tasks.schema.ts";
import { leases, outboxEvents, outboxInbox, timekeeping, timers } from "../db/infrastructure.schema.ts";
import type { SqlConnection } from "../db/connection.ts";
import type { SqlSession } from "../db/database.ts";
import { BackupRefused, type BackedUpColumn, type BackedUpTable } from "./format.ts";

/** Infrastructure tables in the backup. `outbox_generations` and `installation` belong to the database itself, not to its content. */
export const programTables: readonly Table[] = [
  outboxEvents,
  outboxInbox,
  leases,
  timers,
  workerTasks,
  deadWorkerTasks,
  scheduleRuns,
  timekeeping,
  searchDocuments,
  searchWords,
  searchGrams,
  searchVariants,
  searchCodes,
  searchPostings,
];

/** Tables that are not restored: applied migrations, and the database's own identity. */
export const placeTables: ReadonlySet<string> = new Set([
  "schema_migrations",
  "schema_steps",
  "schema_lock",
  "schema_restore",
  "outbox_generations",
  "installation",
]);

export type StoredValue = string | number | null | Uint8Array;

async function nextIdOf({ engine, connection }: SqlSession, table: string): Promise<number> {
  const { rows } =
    engine.kind === "sqlite"
      ? await connection.execute("select seq + 1 as next from sqlite_sequence where name = ?", [table])
      : await connection.execute(
          "select auto_increment as next from information_schema.tables where table_schema = database() and table_name = ?",
          [table],
        );
  return Number(rows[0]?.["next"] ?? 1);
}

/** Describes a table for the header of an archive. */
export async function describeTable(session: SqlSession, table: Table): Promise<BackedUpTable> {
  const columns = Object.entries(table.columns).map(([name, { type, generated }]): BackedUpColumn => ({ name, type, generated }));
  const numbered = columns.some(({ generated }) => generated);
  return {
    name: table.name,
    columns,
    primary: table.options.primary,
    nextId: numbered ? await nextIdOf(session, table.name) : null,
  };
}

const makers: Readonly<Record<Column["type"], () => Column>> = {
  int: col.int,
  flag: col.flag,
  double: col.double,
  text: () => col.text(1),
  key: () => col.key(1),
  longText: col.longText,
  blob: () => col.blob(1),
};

/** The table as in the archive, for inserts; lengths are checked by the database. */
export function tableOf({ name, columns, primary }: BackedUpTable): Table {
  return defineTable(name, Object.fromEntries(columns.map((column) => [column.name, makers[column.type]()])), { primary });
}

/** A row as a line: its values in the order of the columns, bytes in base64. */
export function encodeRow({ columns }: BackedUpTable, row: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(
    columns.map(({ name }) => {
      const value = row[name];
      return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
    }),
  );
}

export function decodeRow({ name, columns }: BackedUpTable, line: string): Record<string, StoredValue> {
  const values: unknown = JSON.parse(line);
  if (!Array.isArray(values) || values.length !== columns.length)
    throw new BackupRefused(`the archive is damaged: a row of ${name} does not have ${columns.length} columns`);
  const entries = columns.map((column, at): [string, StoredValue] => {
    const value = values[at] as StoredValue;
    return [column.name, column.type === "blob" && typeof value === "string" ? Buffer.from(value, "base64") : value];
  });
  return Object.fromEntries(entries);
}

const firstPage = 100;
const largestPage = 2000;
const pageBytes = 2 * 1024 * 1024;

/** `a > ?`, or `a = ? and b > ?`, and so on: a range over the key, which both engines read from its index. */
function above(primary: readonly string[], quote: (name: string) => string, last: readonly StoredValue[]) {
  const params: StoredValue[] = [];
  const parts = primary.map((name, at) => {
    const equal = primary.slice(0, at).map((before, i) => {
      params.push(last[i] ?? null);
      return `${quote(before)} = ?`;
    });
    params.push(last[at] ?? null);
    return `(${[...equal, `${quote(name)} > ?`].join(" and ")})`;
  });
  return { text: `where ${parts.join(" or ")}`, params };
}

/** Every row of a table, ordered by primary key, as lines; pages are smaller if rows are large. */
export async function* linesOf(
  connection: SqlConnection,
  quote: (name: string) => string,
  table: BackedUpTable,
): AsyncGenerator<readonly string[]> {
  const { name, columns, primary } = table;
  const select = `select ${columns.map((column) => quote(column.name)).join(", ")} from ${quote(name)}`;
  const order = `order by ${primary.map(quote).join(", ")}`;
  let last: StoredValue[] | null = null;
  let limit = firstPage;
  for (;;) {
    const range: { text: string; params: StoredValue[] } = last === null ? { text: "", params: [] } : above(primary, quote, last);
    const { rows } = await connection.execute(`${select} ${range.text} ${order} limit ${limit}`, range.params);
    if (rows.length === 0) return;
    const lines = rows.map((row) => encodeRow(table, row));
    yield lines;
    if (rows.length < limit) return;
    const bytes = lines.reduce((sum, line) => sum + line.length, 0);
    last = primary.map((column) => rows.at(-1)?.[column] as StoredValue);
    limit = Math.max(1, Math.min(largestPage, limit * 4, Math.floor((pageBytes * rows.length) / bytes)));
  }
}
