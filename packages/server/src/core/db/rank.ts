import { type Expression, sql, type SqlBool } from "kysely";
import type { Reach } from "../rank.ts";

/**
 * That a rank reaches somebody of the viewer's job, by the columns of the person and the grade: what `covers` says of one
 * person, as a condition of a query.
 */
export function reached(
  { characterId, reach }: { readonly characterId: number; readonly reach: Reach },
  citizen: Expression<unknown>,
  grade: Expression<unknown>,
) {
  if (reach.any) return sql<SqlBool>`1 = 1`;
  const own = reach.own ? sql<SqlBool>`${citizen} = ${characterId}` : sql<SqlBool>`1 = 0`;
  if (reach.upTo === null) return own;
  return sql<SqlBool>`(${own} or (${citizen} <> ${characterId} and ${grade} <= ${reach.upTo}))`;
}
