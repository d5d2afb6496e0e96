import { sql } from "kysely";
import { wholeNumberOf } from "#core/custom-columns.ts";
import { dialectOf, type Ordered, type Position, queries, readOrdered } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import { filtered, type ListFilter } from "./citizens.filter.repo.ts";
import type { CitizenTables } from "./citizens.schema.ts";

/** Columns behind the fields that `database.custom.columns` may move or switch off (null). */
export interface CustomColumns {
  readonly visum: string | null;
  readonly playtime: string | null;
}

export interface CitizenSource {
  readonly id: number;
  readonly version: number;
  readonly identifier: string;
  readonly licence: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly date_of_birth: string | null;
  readonly sex: string | null;
  readonly height: number | null;
  readonly job: string;
  readonly grade: number;
  readonly phone_number: string | null;
  readonly visum: number | null;
  readonly playtime: number | null;
  readonly updated_at: number;
}

const plainColumns = [
  "citizens.id",
  "citizens.version",
  "citizens.identifier",
  "citizens.licence",
  "citizens.first_name",
  "citizens.last_name",
  "citizens.date_of_birth",
  "citizens.sex",
  "citizens.height",
  "citizens.job",
  "citizens.grade",
  "citizens.phone_number",
  "citizens.updated_at",
] as const;

/** The configured columns under the names of their fields. */
function movedOf(custom: CustomColumns) {
  return (["visum", "playtime"] as const).flatMap((field) => {
    const column = custom[field];
    return column === null ? [] : [sql<unknown>`${sql.id("citizens", column)}`.as(field)];
  });
}

/** In the statement of the list, which has as many of them as it may have. */
const allJobs = (tx: Tx) =>
  sql<string | null>`(select ${dialectOf(tx).jsonRows([sql.ref("j.job"), sql.ref("j.grade"), sql.ref("j.is_primary")])}
    from citizens_jobs j where j.citizen_id = citizens.id)`.as("jobs");

/** The first job, then the others by name, as `readDetails` has them. */
function jobsOf(json: string | null): CitizenDetails["jobs"] {
  const all = JSON.parse(json ?? "[]") as [job: string, grade: number, is_primary: 0 | 1][];
  const jobs = all.map(([job, grade, is_primary]) => ({ job, grade, is_primary }));
  return jobs.sort((a, b) => b.is_primary - a.is_primary || (a.job < b.job ? -1 : 1));
}

const rowOf = <Row extends { visum?: unknown; playtime?: unknown }>(row: Row) => ({
  ...row,
  visum: wholeNumberOf(row.visum),
  playtime: wholeNumberOf(row.playtime),
});

/** A row of the list, with all jobs. */
export type ListedCitizen = CitizenSource & Pick<CitizenDetails, "jobs">;

/** At most `limit` rows after a position. */
export async function listRows(
  tx: Tx,
  filter: ListFilter,
  custom: CustomColumns,
  { position, limit }: { readonly position: Position; readonly limit: number },
): Promise<(ListedCitizen & Ordered)[]> {
  const select = filtered(tx, filter).select(plainColumns).select(movedOf(custom)).select(allJobs(tx));
  const rows = await readOrdered(tx, select, { position, limit, narrowed: filter.ids !== undefined });
  return rows.map((row) => ({ ...rowOf(row), jobs: jobsOf(row.jobs) }));
}

/** Those of these citizens that match, by name. */
export async function rowsOf(
  tx: Tx,
  filter: ListFilter & { readonly ids: readonly number[] },
  custom: CustomColumns,
): Promise<CitizenSource[]> {
  const select = filtered(tx, filter).select(plainColumns).select(movedOf(custom));
  return (await select.orderBy("citizens.name_key").orderBy("citizens.id").execute()).map(rowOf);
}

/** Values of the configured columns of these citizens, by id. */
export async function readMoved(
  tx: Tx,
  ids: readonly number[],
  custom: CustomColumns,
): Promise<Map<number, { visum: number | null; playtime: number | null }>> {
  const rows = await queries<CitizenTables>(tx)
    .selectFrom("citizens")
    .select("citizens.id")
    .select(movedOf(custom))
    .where("citizens.id", "in", ids)
    .execute();
  return new Map(rows.map(({ id, visum, playtime }) => [id, { visum: wholeNumberOf(visum), playtime: wholeNumberOf(playtime) }]));
}

export interface CitizenDetails {
  readonly jobs: { job: string; grade: number; is_primary: 0 | 1 }[];
  readonly phones: { number: string; is_primary: 0 | 1 }[];
  readonly licences: string[];
}

export async function readDetails(tx: Tx, id: number): Promise<CitizenDetails> {
  const db = queries<CitizenTables>(tx);
  const jobs = await db
    .selectFrom("citizens_jobs")
    .select(["job", "grade", "is_primary"])
    .where("citizen_id", "=", id)
    .orderBy("is_primary", "desc")
    .orderBy("job")
    .execute();
  const phones = await db
    .selectFrom("citizens_phones")
    .select(["number", "is_primary"])
    .where("citizen_id", "=", id)
    .orderBy("is_primary", "desc")
    .orderBy("number")
    .execute();
  const licences = await db.selectFrom("citizens_licences").select("type").where("citizen_id", "=", id).orderBy("type").execute();
  return { jobs, phones, licences: licences.map((row) => row.type) };
}

export async function listByLicence(tx: Tx, licence: string): Promise<number[]> {
  const rows = await queries<CitizenTables>(tx)
    .selectFrom("citizens")
    .select("id")
    .where("licence", "=", licence)
    .where("deleted_at", "is", null)
    .orderBy("id")
    .execute();
  return rows.map((row) => row.id);
}

/** Of these ids, those that exist, also as deleted. */
export async function listStored(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const rows = await queries<CitizenTables>(tx).selectFrom("citizens").select("id").where("id", "in", ids).execute();
  return rows.map((row) => row.id);
}

/**
 * Purges at most `limit` rows that were marked as deleted before an instant, and returns their ids. They are
 * locked, so that a citizen that the game sends again at this moment stays.
 */
export async function purge(tx: Tx, before: number, limit: number): Promise<number[]> {
  const db = queries<CitizenTables>(tx);
  const deleted = db.selectFrom("citizens").select("id").where("deleted_at", "<", before).orderBy("deleted_at").limit(limit);
  const rows = await dialectOf(tx).lock(deleted).execute();
  const ids = rows.map((row) => row.id);
  if (ids.length === 0) return ids;
  for (const table of ["citizens_jobs", "citizens_phones", "citizens_licences"] as const) {
    await db.deleteFrom(table).where("citizen_id", "in", ids).execute();
  }
  await db.deleteFrom("citizens").where("id", "in", ids).execute();
  return ids;
}

/** Who sent the citizen last. */
export async function sourceOf(tx: Tx, id: number): Promise<string | null> {
  const select = queries<CitizenTables>(tx).selectFrom("citizens").select("source").where("id", "=", id);
  return (await select.executeTakeFirst())?.source ?? null;
}
