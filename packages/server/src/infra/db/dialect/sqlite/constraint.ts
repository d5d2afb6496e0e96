import type Sqlite from "better-sqlite3";

interface IndexRow {
  readonly name: string;
  readonly unique: number;
  readonly origin: string;
}

/**
 * SQLite reports the columns of a violated key (`UNIQUE constraint failed: t.a, t.b`) but not the index:
 * finds the unique index on exactly these columns. `PRIMARY` for a primary key.
 */
export function uniqueIndexName(database: Sqlite.Database, message: string): string {
  const clash = message.replace(/^.*constraint failed: /, "");
  const named = /^index '(.+)'$/.exec(clash);
  if (named) return named[1]!;
  const parts = clash.split(", ").map((part) => part.split("."));
  const table = parts[0]![0]!;
  const columns = parts.map((part) => part[1]);
  const indexes = database.prepare('select name, "unique", origin from pragma_index_list(?)').all(table) as IndexRow[];
  for (const index of indexes.filter((i) => i.unique === 1)) {
    const own = database.prepare("select name from pragma_index_info(?) order by seqno").pluck().all(index.name);
    if (own.length === columns.length && own.every((name, at) => name === columns[at])) {
      return index.origin === "pk" ? "PRIMARY" : index.name;
    }
  }
  return "PRIMARY";
}
