import { type RawBuilder, sql } from "kysely";
import { col, dialectOf, sqlOf, type Visible } from "#core/db/index.ts";
import type { SearchSql, SearchVisibility, Tx } from "#core/ports/index.ts";
import { allPrincipals, blocked, type Subject } from "./accesslists.policy.ts";
import type { Principal } from "./accesslists.principals.policy.ts";
import { accesslistsGrants } from "./accesslists.schema.ts";
export type { Subject };

/** Columns that the table of an object needs for the rules. */
export const accessColumns = {
  creator_id: col.int().orNull(),
  creator_job: col.key(50),
  is_public: col.flag(),
};

/**
 * Whether somebody with these principals holds this level of an object: one search in the grants for each row.
 * `id` is the column with the object's id. The statement must not call a table of its own `accesslists_grants`.
 */
function visibleCondition(kind: string, principals: readonly Principal[], level: number, id: string): SearchSql {
  const grants = accesslistsGrants.name;
  // The plus keeps SQLite from searching the index once for each principal.
  return {
    sql: `coalesce((select case when min(${grants}.level) = ${blocked} then ${blocked} else max(${grants}.level) end from ${grants}
      where ${grants}.object_kind = ? and ${grants}.object_id = ${id}
      and +${grants}.principal in (${marksOf(principals)})), ${blocked}) >= ?`,
    params: [kind, ...principals, level],
  };
}

const marksOf = (values: readonly unknown[]) => values.map(() => "?").join(", ");

/** As `visibleTo`, for the search of these objects; undefined for all. */
export function searchableBy(kind: string, who: Subject, level: number): SearchVisibility | undefined {
  if (who.jobAdmin) return undefined;
  const principals = allPrincipals(who);
  const reached = `select object_id as id from ${accesslistsGrants.name} where object_kind = ? and principal in (${marksOf(principals)}) and level >= ?`;
  return {
    condition: visibleCondition(kind, principals, level, "{id}"),
    among: { sql: reached, params: [kind, ...principals, level] },
  };
}

/** Which objects of a kind somebody holds this level of; null for all. */
export function visibleTo(kind: string, who: Subject, level: number): Visible | null {
  if (who.jobAdmin) return null;
  const principals = allPrincipals(who);
  const granted = (tx: Tx, levels: RawBuilder<unknown>) => sql`
    select object_id as id from ${dialectOf(tx).indexed(accesslistsGrants.name, "accesslists_grants_principal")}
    where object_kind = ${kind} and principal in (${sql.join(principals)}) and level ${levels}`;
  return {
    each: (id) => sqlOf(visibleCondition(kind, principals, level, id)),
    // With the plus SQLite compares the rows in the order of the list, instead of sorting what the sets hold.
    among: (tx, id) => sql`+${sql.ref(id)} in (${dialectOf(tx).readOnce(granted(tx, sql`>= ${level}`))})
      and +${sql.ref(id)} not in (${dialectOf(tx).readOnce(granted(tx, sql`= ${blocked}`))})`,
    reached: (tx) => granted(tx, sql`>= ${level}`),
  };
}
