import { sql } from "kysely";
import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { CitizenTables } from "./citizens.schema.ts";

export interface CitizenName {
  readonly id: number;
  readonly identifier: string;
  readonly name: string;
}

/**
 * Live, of rows found by another key. The plus keeps indexes that begin with `deleted_at` out of it:
 * SQLite would otherwise read all live rows instead of looking up a list of keys.
 */
export const foundLive = sql<boolean>`+${sql.ref("citizens.deleted_at")} is null`;

/** Live citizens by the game's identifiers. */
export async function citizenNames(tx: Tx, identifiers: readonly string[]): Promise<Map<string, CitizenName>> {
  if (identifiers.length === 0) return new Map();
  const rows = await queries<CitizenTables>(tx)
    .selectFrom("citizens")
    .select(["id", "identifier", "first_name", "last_name"])
    .where("identifier", "in", identifiers)
    .where(foundLive)
    .execute();
  return new Map(
    rows.map((row) => [
      row.identifier,
      { id: row.id, identifier: row.identifier, name: `${row.first_name} ${row.last_name}`.trim() },
    ]),
  );
}

/** Live citizens by id. */
export async function citizensByIds(tx: Tx, ids: readonly number[]): Promise<Map<number, CitizenName>> {
  if (ids.length === 0) return new Map();
  const rows = await queries<CitizenTables>(tx)
    .selectFrom("citizens")
    .select(["id", "identifier", "first_name", "last_name"])
    .where("id", "in", ids)
    .where(foundLive)
    .execute();
  return new Map(
    rows.map(({ id, identifier, first_name, last_name }) => [id, { id, identifier, name: `${first_name} ${last_name}`.trim() }]),
  );
}

/** The game's identifier of a live citizen. */
export async function citizenIdentifier(tx: Tx, id: number): Promise<string | null> {
  const row = await queries<CitizenTables>(tx)
    .selectFrom("citizens")
    .select("identifier")
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row?.identifier ?? null;
}

/** Ids of live citizens by the game's identifiers. */
export async function citizenIds(tx: Tx, identifiers: readonly string[]): Promise<number[]> {
  return [...(await citizenNames(tx, identifiers)).values()].map(({ id }) => id);
}

/** Kind under which citizens are in the search index. */
export const citizensSearchKind = "citizens";

/** The game's identifiers of live citizens. */
export async function citizenIdentifiers(tx: Tx, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await queries<CitizenTables>(tx)
    .selectFrom("citizens")
    .select("identifier")
    .where("id", "in", ids)
    .where(foundLive)
    .execute();
  return rows.map((row) => row.identifier);
}

/** How many live citizens have this job as their first one, from a grade upwards; counts up to `most`. */
export async function countInJob(tx: Tx, job: string, minGrade: number, most: number): Promise<number> {
  const found = queries<CitizenTables>(tx)
    .selectFrom("citizens_jobs")
    .innerJoin("citizens", "citizens.id", "citizens_jobs.citizen_id")
    .select("citizens.id")
    .where("citizens_jobs.job", "=", job)
    .where("citizens_jobs.is_primary", "=", 1)
    .where("citizens_jobs.grade", ">=", minGrade)
    .where(foundLive)
    .limit(most);
  return (await found.execute()).length;
}

/**
 * The present grade of each live citizen in each of its jobs, to be joined. Removed ones keep their jobs for when the
 * game sends them again. They are few, so that databases look each row up among them, which MariaDB does three times as
 * fast as asking for the citizen of each row.
 */
export function heldGrades(tx: Tx) {
  const removed = queries<CitizenTables>(tx).selectFrom("citizens").select("citizens.id").where("citizens.deleted_at", ">", 0);
  return queries<CitizenTables>(tx)
    .selectFrom("citizens_jobs")
    .select(["citizens_jobs.citizen_id", "citizens_jobs.job", "citizens_jobs.grade"])
    .where("citizens_jobs.citizen_id", "not in", removed);
}

/** What lists of people are in the order of, also of removed ones, as a part of other queries. */
export function nameKeys(tx: Tx) {
  return queries<CitizenTables>(tx).selectFrom("citizens").select(["citizens.id", "citizens.name_key"]);
}

/** How many live citizens have each of these jobs, as the first one or another; without those that nobody has. */
export async function countMembers(tx: Tx, jobs: readonly string[]): Promise<Map<string, number>> {
  if (jobs.length === 0) return new Map();
  const rows = await queries<CitizenTables>(tx)
    .selectFrom("citizens_jobs")
    .innerJoin("citizens", "citizens.id", "citizens_jobs.citizen_id")
    .select((e) => ["citizens_jobs.job", e.fn.countAll<number>().as("n")])
    .where("citizens_jobs.job", "in", jobs)
    .where(foundLive)
    .groupBy("citizens_jobs.job")
    .execute();
  return new Map(rows.map(({ job, n }) => [job, Number(n)]));
}

/** Names of live citizens by id. */
export async function namesOfCitizens(tx: Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queries<CitizenTables>(tx)
    .selectFrom("citizens")
    .select(["id", "first_name", "last_name"])
    .where("id", "in", ids)
    .where(foundLive)
    .execute();
  return new Map(rows.map((row) => [row.id, `${row.first_name} ${row.last_name}`.trim()]));
}

/** Grades of a job from one up to another, or to the highest. */
export interface GradeRange {
  readonly from: number;
  readonly to: number | null;
}

/** The rows of first jobs within these grades of a job. */
function inGrades(tx: Tx, job: string, ranges: readonly GradeRange[]) {
  return queries<CitizenTables>(tx)
    .selectFrom("citizens_jobs")
    .where("citizens_jobs.job", "=", job)
    .where("citizens_jobs.is_primary", "=", 1)
    .where((e) =>
      e.or(
        ranges.map(({ from, to }) =>
          to === null
            ? e("citizens_jobs.grade", ">=", from)
            : e.and([e("citizens_jobs.grade", ">=", from), e("citizens_jobs.grade", "<=", to)]),
        ),
      ),
    );
}

/** How many live citizens have this as their first job, in one of these grades. */
export async function countInGrades(tx: Tx, job: string, ranges: readonly GradeRange[]): Promise<number> {
  if (ranges.length === 0) return 0;
  const row = await inGrades(tx, job, ranges)
    .innerJoin("citizens", "citizens.id", "citizens_jobs.citizen_id")
    .select((e) => e.fn.countAll<number>().as("n"))
    .where(foundLive)
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

/** How many live citizens have this as their first job, by grade. */
export async function countByGrade(tx: Tx, job: string): Promise<Map<number, number>> {
  const rows = await inGrades(tx, job, [{ from: 0, to: null }])
    .innerJoin("citizens", "citizens.id", "citizens_jobs.citizen_id")
    .select((e) => ["citizens_jobs.grade", e.fn.countAll<number>().as("n")])
    .where(foundLive)
    .groupBy("citizens_jobs.grade")
    .execute();
  return new Map(rows.map(({ grade, n }) => [grade, Number(n)]));
}

/** The first people of whom `countInGrades` counts all, those of the highest grade first. */
export async function namesInGrades(
  tx: Tx,
  job: string,
  ranges: readonly GradeRange[],
  limit: number,
): Promise<{ id: number; name: string }[]> {
  if (ranges.length === 0) return [];
  const rows = await inGrades(tx, job, ranges)
    .innerJoin("citizens", "citizens.id", "citizens_jobs.citizen_id")
    .select(["citizens.id", "citizens.first_name", "citizens.last_name"])
    .where(foundLive)
    .orderBy("citizens_jobs.grade", "desc")
    .orderBy("citizens.name_key")
    .orderBy("citizens.id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ id: row.id, name: `${row.first_name} ${row.last_name}`.trim() }));
}

/** Ids, above `after`, of characters who have this as their first job, in one of these grades. */
export async function characterIdsInJob(
  tx: Tx,
  job: string,
  ranges: readonly GradeRange[],
  after: number,
  limit: number,
): Promise<number[]> {
  if (ranges.length === 0) return [];
  const rows = await inGrades(tx, job, ranges)
    .select("citizens_jobs.citizen_id as id")
    .where("citizens_jobs.citizen_id", ">", after)
    .orderBy("citizens_jobs.citizen_id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

export interface Employment {
  readonly id: number;
  readonly licence: string;
  readonly name: string;
  readonly job: string;
  readonly grade: number;
}

/** Licence, name and first job of live citizens. */
export async function employmentsOf(tx: Tx, ids: readonly number[]): Promise<Employment[]> {
  if (ids.length === 0) return [];
  const rows = await queries<CitizenTables>(tx)
    .selectFrom("citizens")
    .select(["id", "licence", "first_name", "last_name", "job", "grade"])
    .where("id", "in", ids)
    .where(foundLive)
    .execute();
  return rows.map(({ first_name, last_name, ...row }) => ({ ...row, name: `${first_name} ${last_name}`.trim() }));
}

/** Grades of a job: from one upwards, or each that is named. */
export type GradesWanted =
  | { readonly job: string; readonly fromGrade: number }
  | { readonly job: string; readonly grades: readonly number[] };

/** Ids of characters who have one of these grades in one of these jobs as their first one; at most `limit`. */
export async function characterIdsWithGrades(tx: Tx, wanted: readonly GradesWanted[], limit: number): Promise<number[]> {
  const named = wanted.filter((one) => "fromGrade" in one || one.grades.length > 0);
  if (named.length === 0) return [];
  const rows = await queries<CitizenTables>(tx)
    .selectFrom("citizens_jobs")
    .select("citizen_id as id")
    .where("is_primary", "=", 1)
    .where((e) =>
      e.or(
        named.map((one) =>
          e.and([e("job", "=", one.job), "fromGrade" in one ? e("grade", ">=", one.fromGrade) : e("grade", "in", one.grades)]),
        ),
      ),
    )
    .orderBy("citizen_id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.id);
}

export interface LicensedCharacter {
  readonly id: number;
  readonly identifier: string;
  readonly licence: string;
  readonly name: string;
}

const licensed = (tx: Tx) =>
  queries<CitizenTables>(tx)
    .selectFrom("citizens")
    .select(["id", "identifier", "licence", "first_name", "last_name"])
    .where(foundLive);

/** Live characters of these game licences, by id. */
export async function charactersOfLicences(tx: Tx, licences: readonly string[]): Promise<LicensedCharacter[]> {
  if (licences.length === 0) return [];
  const rows = await licensed(tx).where("licence", "in", licences).orderBy("id").execute();
  return rows.map(({ first_name, last_name, ...row }) => ({ ...row, name: `${first_name} ${last_name}`.trim() }));
}

/** Game licences of live characters, each once. */
export async function licencesOfCharacters(tx: Tx, ids: readonly number[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await licensed(tx).where("id", "in", ids).where("licence", "<>", "").execute();
  return [...new Set(rows.map(({ licence }) => licence))];
}

/** A live character with the jobs that it holds, the first one first. */
export interface CharacterWithJobs {
  readonly id: number;
  readonly licence: string;
  /** `offDuty`: the game called the job by its name for people off duty. */
  readonly jobs: readonly { readonly job: string; readonly grade: number; readonly offDuty: boolean }[];
}

type CharacterRow = { readonly id: number; readonly licence: string; readonly identifier: string };

async function withJobs(tx: Tx, rows: readonly CharacterRow[]): Promise<(CharacterRow & CharacterWithJobs)[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const held = await queries<CitizenTables>(tx)
    .selectFrom("citizens_jobs")
    .select(["citizen_id", "job", "grade", "off_duty"])
    .where("citizen_id", "in", ids)
    .orderBy("is_primary", "desc")
    .orderBy("job")
    .execute();
  const byCitizen = Map.groupBy(held, ({ citizen_id }) => citizen_id);
  const jobsOf = (id: number) =>
    (byCitizen.get(id) ?? []).map(({ job, grade, off_duty }) => ({ job, grade, offDuty: off_duty === 1 }));
  return rows.map((row) => ({ ...row, jobs: jobsOf(row.id) }));
}

async function charactersBy<K extends "id" | "identifier">(
  tx: Tx,
  column: K,
  values: readonly CharacterRow[K][],
): Promise<Map<CharacterRow[K], CharacterWithJobs>> {
  if (values.length === 0) return new Map();
  const rows = await queries<CitizenTables>(tx)
    .selectFrom("citizens")
    .select(["id", "licence", "identifier"])
    .where(column as "id", "in", values as readonly number[])
    .where(foundLive)
    .execute();
  return new Map((await withJobs(tx, rows)).map((row) => [row[column], { id: row.id, licence: row.licence, jobs: row.jobs }]));
}

/** Live characters with their jobs, by the game's identifiers. Two statements. */
export async function charactersWithJobs(tx: Tx, identifiers: readonly string[]): Promise<Map<string, CharacterWithJobs>> {
  return await charactersBy(tx, "identifier", identifiers);
}

/** The same by id. Two statements. */
export async function charactersWithJobsById(tx: Tx, ids: readonly number[]): Promise<Map<number, CharacterWithJobs>> {
  return await charactersBy(tx, "id", ids);
}

/** Live citizens by id: how they are called, and the key that orders them by name. */
export async function nameKeysOf(tx: Tx, ids: readonly number[]): Promise<Map<number, { name: string; key: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await queries<CitizenTables>(tx)
    .selectFrom("citizens")
    .select(["id", "first_name", "last_name", "name_key"])
    .where("id", "in", ids)
    .where(foundLive)
    .execute();
  return new Map(rows.map((row) => [row.id, { name: `${row.first_name} ${row.last_name}`.trim(), key: row.name_key }]));
}

/** Ids above `after` of citizens, in their order; also of deleted ones. */
export async function citizenIdsAfter(tx: Tx, after: number, limit: number): Promise<number[]> {
  const rows = await queries<CitizenTables>(tx)
    .selectFrom("citizens")
    .select("id")
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
