import { type Expression, FromNode, type KyselyPlugin, RawNode, SelectQueryNode, sql, UpdateQueryNode } from "kysely";
import type { Dialect } from "#core/db/dialect.ts";

function escapeLike(text: string): string {
  return text.replace(/[!%_]/g, (character) => `!${character}`);
}

/** The first column of an insert, for an update without effect. */
function firstColumn(query: { toOperationNode(): unknown }): string {
  const node = query.toOperationNode() as { columns?: readonly { column: { name: string } }[] };
  const name = node.columns?.[0]?.column.name;
  if (name === undefined) throw new Error("set the values of an insert before its conflict rule");
  return name;
}

/** The query builder has no hints for tables. */
function forceIndex(table: string, index: string): KyselyPlugin {
  const hinted = RawNode.createWithSql(`\`${table}\` force index (\`${index}\`)`);
  return {
    transformQuery({ node }) {
      if (SelectQueryNode.is(node)) return { ...node, from: FromNode.create([hinted]) };
      return UpdateQueryNode.is(node) ? { ...node, table: hinted } : node;
    },
    transformResult: async ({ result }) => result,
  };
}

/**
 * `insert ignore` would also hide values that are too long, so a conflict sets a column to itself
 * instead. `fixedNow` replaces the database's clock in tests.
 */
export function mariadbDialect(locking: boolean, fixedNow: (() => number) | null): Dialect {
  return {
    kind: "mariadb",
    maxParameters: 60_000,
    upsert: (query, _keys, columns) => {
      const names = columns.length > 0 ? columns : null;
      const updates = names
        ? names.map((column) => [column, sql`values(${sql.ref(column)})`])
        : [[firstColumn(query), sql.ref(firstColumn(query))]];
      return query.onDuplicateKeyUpdate(Object.fromEntries(updates) as never);
    },
    ignoreConflicts: (query) => {
      const column = firstColumn(query);
      return query.onDuplicateKeyUpdate({ [column]: sql.ref(column) } as never);
    },
    quote: (name) => `\`${name}\``,
    conflictClause: (keys, update, add = []) => {
      const set = update.map((name) => `\`${name}\` = values(\`${name}\`)`);
      const sums = add.map((name) => `\`${name}\` = \`${name}\` + values(\`${name}\`)`);
      const all = [...set, ...sums];
      return `on duplicate key update ${all.length === 0 ? `\`${keys[0]}\` = \`${keys[0]}\`` : all.join(", ")}`;
    },
    removedBy: (affected, inserted) => affected - inserted,
    lock: (query, options) => {
      if (!locking) return query;
      const locked = query.forUpdate();
      return options?.skipLocked ? locked.skipLocked() : locked;
    },
    useIndex: (query, table, index) => query.withPlugin(forceIndex(table, index)),
    byPrimaryKey: (query, table) => query.withPlugin(forceIndex(table, "PRIMARY")),
    indexed: (table, index) => sql`${sql.table(table)} force index (${sql.id(index)})`,
    joinInOrder: sql`straight_join`,
    // As numbers: a list of JSON is read as a table, for which it may read the other one whole.
    idList: (ids) => sql`(${sql.join(ids.length === 0 ? [sql.lit(0)] : ids.map((id) => sql.lit(id)))})`,
    readOnce: (ids) => sql`select id from (select distinct id from (${ids}) found) read_once`,
    jsonRows: (values) => sql`cast(json_arrayagg(json_array(${sql.join(values)})) as char)`,
    jsonText: (column, path) =>
      sql<
        string | null
      >`case json_type(json_extract(${column}, ${path})) when 'NULL' then null else json_unquote(json_extract(${column}, ${path})) end`,
    nowMs: () =>
      fixedNow ? sql<number>`${sql.lit(fixedNow())}` : sql<number>`cast(unix_timestamp(current_timestamp(3)) * 1000 as signed)`,
    startsWith: (column: Expression<unknown>, prefix: string) =>
      sql<boolean>`${column} like ${`${escapeLike(prefix)}%`} escape '!'`,
  };
}
