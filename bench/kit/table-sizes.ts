import path from "node:path";
import Database from "better-sqlite3";
import type { Instance } from "@rollcall/testkit/program.ts";
import type { BenchDatabase } from "./mariadb.ts";

/** Rows of every table. */
export type TableSizes = ReadonlyMap<string, number>;

/** Reads the sizes from outside the program. */
export async function tableSizes(instance: Instance, mariadb: BenchDatabase | null): Promise<TableSizes> {
  if (mariadb === null) {
    const database = new Database(path.join(instance.folder, "data", "rollcall.db"), { readonly: true });
    const names = database
      .prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite!_%' escape '!'")
      .pluck()
      .all() as string[];
    const sizes = names.map((name): [string, number] => [
      name,
      database.prepare(`select count(*) from "${name}"`).pluck().get() as number,
    ]);
    database.close();
    return new Map(sizes);
  }
  const connection = await mariadb.connect();
  const [tables] = await connection.query(
    "select table_name as name from information_schema.tables where table_schema = database()",
  );
  const sizes = new Map<string, number>();
  for (const { name } of tables as { name: string }[]) {
    const [counted] = await connection.query(`select count(*) as n from \`${name}\``);
    sizes.set(name, Number((counted as { n: number }[])[0]?.n));
  }
  await connection.end();
  return sizes;
}

/** The tables that grew, the most first. */
export function growth(before: TableSizes, after: TableSizes): { table: string; rows: number }[] {
  return [...after]
    .map(([table, rows]) => ({ table, rows: rows - (before.get(table) ?? 0) }))
    .filter(({ rows }) => rows > 0)
    .sort((a, b) => b.rows - a.rows);
}
