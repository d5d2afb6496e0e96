import { sql, type Expression } from "kysely";
import type { Dialect } from "#core/db/dialect.ts";

/** Sorts above every character, so that `prefix || last` is the end of the range of texts with that prefix. */
const last = "\u{10FFFF}";

/** `fixedNow` replaces the database's clock in tests. */
export function sqliteDialect(fixedNow: (() => number) | null): Dialect {
  return {
    kind: "sqlite",
    maxParameters: 32_000,
    upsert: (query, keys, columns) =>
      query.onConflict((conflict) => {
        const target = conflict.columns(keys as never);
        if (columns.length === 0) return target.doNothing();
        const values = columns.map((column) => [column, sql.ref(`excluded.${column}`)]);
        return target.doUpdateSet(Object.fromEntries(values) as never);
      }),
    ignoreConflicts: (query) => query.onConflict((conflict) => conflict.doNothing()),
    quote: (name) => `"${name}"`,
    conflictClause: (keys, update, add = []) => {
      const set = update.map((name) => `"${name}" = excluded."${name}"`);
      const sums = add.map((name) => `"${name}" = "${name}" + excluded."${name}"`);
      const all = [...set, ...sums];
      if (all.length === 0) return "on conflict do nothing";
      return `on conflict (${keys.map((key) => `"${key}"`).join(", ")}) do update set ${all.join(", ")}`;
    },
    removedBy: () => null,
    lock: (query) => query,
    useIndex: (query) => query,
    byPrimaryKey: (query) => query,
    indexed: (table, index) =>
      index === "PRIMARY" ? sql`${sql.table(table)} not indexed` : sql`${sql.table(table)} indexed by ${sql.id(index)}`,
    joinInOrder: sql`cross join`,
    idList: (ids) => sql`(select value from json_each(${JSON.stringify(ids)}))`,
    readOnce: (ids) => ids,
    jsonRows: (values) => sql`json_group_array(json_array(${sql.join(values)}))`,
    jsonText: (column, path) =>
      sql<
        string | null
      >`case json_type(${column}, ${path}) when 'true' then 'true' when 'false' then 'false' else cast(${column} ->> ${path} as text) end`,
    nowMs: () =>
      fixedNow ? sql<number>`${sql.lit(fixedNow())}` : sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`,
    startsWith: (column: Expression<unknown>, prefix: string) =>
      sql<boolean>`(${column} >= ${prefix} and ${column} < ${prefix + last})`,
  };
}
