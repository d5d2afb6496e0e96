import { sql } from "kysely";
import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { AuditCountQuestion, AuditCounts } from "./audit.api.ts";
import type { AuditTables } from "./audit.schema.ts";

/** Every offset of a time zone is a multiple of it, so the counts can be added up to days and hours of any zone. */
const quarterMs = 15 * 60_000;

type QuarterRow = Readonly<Record<string, unknown>>;

/** How `info.why` stands in the stored JSON. */
const storedWhy = (why: string) => `"why":${JSON.stringify(why)}`;

/**
 * The newest `cap` entries of one action, added up in the database: a row for each quarter of an hour. The index of
 * action and instant leads to them.
 */
async function quartersOf(tx: Tx, action: string, { result, from, to, reasons }: AuditCountQuestion, cap: number) {
  const newest = queries<AuditTables>(tx)
    .selectFrom("audit_entries")
    .select(["at", "folded", "data"])
    .where("action", "=", action)
    .where("result", "=", result)
    .where("at", ">=", from)
    .where("at", "<=", to)
    .orderBy("at", "desc")
    .limit(cap);
  const quarter = sql<number>`at - at % ${sql.lit(quarterMs)}`;
  const rows = await queries<AuditTables>(tx)
    .selectFrom(newest.as("newest"))
    .select(({ fn }) => [
      quarter.as("quarter"),
      fn.countAll<number>().as("entries"),
      ...reasons.map((why, index) =>
        sql<number>`sum(case when instr(data, ${storedWhy(why)}) > 0 then folded else 0 end)`.as(`why${index}`),
      ),
    ])
    .groupBy(quarter)
    .execute();
  return rows as readonly QuarterRow[];
}

/** Counts records by quarters of an hour and reason; of each action at most the newest `cap` entries. */
export async function countByReason(tx: Tx, question: AuditCountQuestion, cap: number): Promise<AuditCounts> {
  let since: number | null = null;
  const all: QuarterRow[] = [];
  for (const action of question.actions) {
    const rows = await quartersOf(tx, action, question, cap);
    all.push(...rows);
    if (rows.reduce((sum, row) => sum + Number(row["entries"]), 0) < cap) continue;
    // Its oldest quarter is counted in part only.
    const oldest = Math.min(...rows.map((row) => Number(row["quarter"])));
    since = Math.max(since ?? 0, oldest + quarterMs);
  }
  const counts = all.flatMap((row) => {
    const at = Number(row["quarter"]);
    if (since !== null && at < since) return [];
    return question.reasons.flatMap((why, index) => {
      const count = Number(row[`why${index}`]);
      return count === 0 ? [] : [{ at, why, count }];
    });
  });
  return { counts, since };
}
