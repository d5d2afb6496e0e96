import type { Selectable } from "kysely";
import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { JobInfo, SyncJob } from "./jobs.contract.ts";
import type { JobTables } from "./jobs.schema.ts";

export async function readJobs(tx: Tx): Promise<JobInfo[]> {
  const jobs = await queries<JobTables>(tx).selectFrom("jobs").select(["name", "label"]).orderBy("name").execute();
  const grades = await queries<JobTables>(tx).selectFrom("jobs_grades").selectAll().orderBy("job").orderBy("grade").execute();
  const looks = await queries<JobTables>(tx).selectFrom("jobs_properties").select(["job", "colour", "icon"]).execute();
  const lookOf = new Map(
    looks.map(({ job, colour, icon }) => [job, { ...(colour !== null && { colour }), ...(icon !== null && { icon }) }]),
  );
  return jobs.map(({ name, label }) => ({
    name,
    label,
    ...lookOf.get(name),
    grades: grades.filter((one) => one.job === name).map((one) => ({ grade: one.grade, label: one.label })),
  }));
}

export async function readHashes(tx: Tx, names: readonly string[]): Promise<Map<string, string>> {
  const rows = await queries<JobTables>(tx).selectFrom("jobs").select(["name", "sync_hash"]).where("name", "in", names).execute();
  return new Map(rows.map((row) => [row.name, row.sync_hash]));
}

/** Writes jobs with their whole list of grades. */
export async function putJobs(tx: Tx, jobs: readonly { job: SyncJob; hash: string }[], at: number): Promise<void> {
  const insert = queries<JobTables>(tx)
    .insertInto("jobs")
    .values(jobs.map(({ job, hash }) => ({ name: job.name, label: job.label, sync_hash: hash, updated_at: at })));
  await dialectOf(tx).upsert(insert, ["name"], ["label", "sync_hash", "updated_at"]).execute();
  const names = jobs.map(({ job }) => job.name);
  await queries<JobTables>(tx).deleteFrom("jobs_grades").where("job", "in", names).execute();
  const grades = jobs.flatMap(({ job }) => job.grades.map(({ grade, label }) => ({ job: job.name, grade, label })));
  for (let from = 0; from < grades.length; from += 500) {
    const part = queries<JobTables>(tx)
      .insertInto("jobs_grades")
      .values(grades.slice(from, from + 500));
    await dialectOf(tx).upsert(part, ["job", "grade"], ["label"]).execute();
  }
}

export async function countJobs(tx: Tx): Promise<number> {
  const row = await queries<JobTables>(tx)
    .selectFrom("jobs")
    .select((e) => e.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(row.n);
}

export type PropertiesRow = Selectable<JobTables["jobs_properties"]>;

/** Locked in a unit of work. */
export async function readProperties(tx: Tx, job: string): Promise<PropertiesRow | null> {
  const select = queries<JobTables>(tx).selectFrom("jobs_properties").selectAll().where("job", "=", job);
  return (await (tx.writable ? dialectOf(tx).lock(select) : select).executeTakeFirst()) ?? null;
}

/** The first of a job are inserted plainly: somebody else's, stored meanwhile, throw `DuplicateKey`. */
export async function putProperties(tx: Tx, { job, ...values }: PropertiesRow): Promise<void> {
  const db = queries<JobTables>(tx);
  if (values.version === 1)
    await db
      .insertInto("jobs_properties")
      .values({ job, ...values })
      .execute();
  else await db.updateTable("jobs_properties").set(values).where("job", "=", job).execute();
}
