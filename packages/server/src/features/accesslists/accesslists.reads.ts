import { type RawBuilder, sql } from "kysely";
import { col, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { blocked, type Subject, viewLevel } from "./accesslists.policy.ts";
export type { Subject };
import type { AccesslistTables } from "./accesslists.schema.ts";

/** Columns that the table of an object needs for the rules; index them by `accessIndexes`. */
export const accessColumns = {
  creator_id: col.int().orNull(),
  creator_job: col.key(50),
  is_public: col.flag(),
};

/** Indexes by which the rules are read in the order of a list, newest first. */
export const accessIndexes = {
  public: ["is_public", "id"],
  creator: ["creator_id", "creator_job", "id"],
} as const;

export interface VisiblePage {
  /** Kind of the object, as its entries have it. */
  readonly kind: string;
  /** Table with `id` and `accessColumns`. */
  readonly table: string;
  readonly who: Subject;
  /** Lowest level wanted. */
  readonly level: number;
  /** Only ids below this one. */
  readonly before?: number;
  readonly limit: number;
  /** Further conditions on the object; its table has the alias `o`. */
  readonly where?: RawBuilder<unknown>;
}

/** Grades that entries name for the viewer's job, up to the viewer's own. */
async function gradesNamed(tx: Tx, kind: string, { job, grade }: Subject): Promise<number[]> {
  const rows = await queries<AccesslistTables>(tx)
    .selectFrom("accesslists_grades")
    .select("min_grade")
    .where("object_kind", "=", kind)
    .where("job", "=", job)
    .where("min_grade", "<=", grade)
    .execute();
  return rows.map((row) => row.min_grade);
}

/** True for an object that no entry blocks for this person. */
function notBlocked(kind: string, id: RawBuilder<unknown>, who: Subject): RawBuilder<unknown> {
  const qualified =
    who.qualifications.length === 0
      ? sql``
      : sql`or (b.subject_kind = 'qualification' and b.subject_id in (${sql.join(who.qualifications)}))`;
  return sql`not exists (
    select 1 from accesslists_entries b
    where b.object_kind = ${kind} and b.object_id = ${id} and b.level = ${blocked} and (
      (b.subject_kind = 'job' and b.job = ${who.job} and b.min_grade <= ${who.grade})
      or (b.subject_kind = 'citizen' and b.subject_id = ${who.characterId})
      ${qualified}))`;
}

/**
 * Ids of the objects that a person holds this level of, newest first. Each way to hold it (each named
 * grade, the person, each qualification, creator, public) is one short walk along an index in the order
 * of the list, so the cost of a page does not depend on how many of the objects are visible.
 */
export async function visibleIds(tx: Tx, page: VisiblePage): Promise<number[]> {
  const { kind, who, level, before, limit } = page;
  const where = page.where ?? sql`1 = 1`;
  const table = sql.table(page.table);
  const below = (id: RawBuilder<unknown>) => (before === undefined ? sql`` : sql`and ${id} < ${before}`);
  const own = (rule: RawBuilder<unknown>) => sql`
    select o.id as id from ${table} o where ${rule} and ${where} ${below(sql`o.id`)}
    and ${who.jobAdmin ? sql`1 = 1` : notBlocked(kind, sql`o.id`, who)} order by o.id desc limit ${sql.lit(limit)}`;
  // The object is in a subquery of its own, so that the database walks the index of the entries in order.
  const granted = (subject: RawBuilder<unknown>) => sql`
    select e.object_id as id from accesslists_entries e
    where e.object_kind = ${kind} and ${subject} and e.level >= ${level} ${below(sql`e.object_id`)}
    and coalesce((select 1 from ${table} o where o.id = e.object_id and ${where}), 0) = 1
    and ${notBlocked(kind, sql`e.object_id`, who)} order by e.object_id desc limit ${sql.lit(limit)}`;

  const branches = who.jobAdmin
    ? [own(sql`1 = 1`)]
    : [
        ...(await gradesNamed(tx, kind, who)).map((grade) =>
          granted(sql`e.subject_kind = 'job' and e.job = ${who.job} and e.min_grade = ${grade}`),
        ),
        granted(sql`e.subject_kind = 'citizen' and e.subject_id = ${who.characterId}`),
        ...who.qualifications.map((id) => granted(sql`e.subject_kind = 'qualification' and e.subject_id = ${id}`)),
        own(sql`o.creator_id = ${who.characterId} and o.creator_job = ${who.job}`),
        ...(level <= viewLevel ? [own(sql`o.is_public = 1`)] : []),
      ];
  const parts = branches.map((branch, index) => sql`select id from (${branch}) ${sql.ref(`part${index}`)}`);
  const { rows } = await sql<{ id: number }>`
    select distinct id from (${sql.join(parts, sql` union all `)}) found order by id desc limit ${sql.lit(limit)}`.execute(
    queries<AccesslistTables>(tx),
  );
  return rows.map((row) => Number(row.id));
}
