import type { Selectable } from "kysely";
import { dialectOf, queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { JobInfo } from "./jobs.contract.ts";
import type { JobTables } from "./jobs.schema.ts";

export interface StoredJob extends JobInfo {
  readonly deleted: boolean;
}

/** Every job with its look and its grades in rising order, deleted ones too. */
export async function readJobs(tx: Tx): Promise<StoredJob[]> {
  const db = queries<JobTables>(tx);
  const jobs = await db.selectFrom("jobs").select(["name", "label", "deleted_at"]).orderBy("name").execute();
  const grades = await db.selectFrom("jobs_grades").selectAll().orderBy("job").orderBy("grade").execute();
  const looks = await db.selectFrom("jobs_properties").select(["job", "colour", "icon"]).execute();
  const lookOf = new Map(
    looks.map(({ job, colour, icon }) => [job, { ...(colour !== null && { colour }), ...(icon !== null && { icon }) }]),
  );
  return jobs.map(({ name, label, deleted_at }) => ({
    name,
    label,
    ...lookOf.get(name),
    grades: grades.filter((one) => one.job === name).map((one) => ({ grade: one.grade, label: one.label })),
    deleted: deleted_at !== null,
  }));
}

/**
 * Purges at most `limit` jobs that were marked as deleted before an instant, with grades and properties, and
 * returns their names. They are locked, so that a job that the game sends again at this moment stays.
 */
export async function purge(tx: Tx, before: number, limit: number): Promise<string[]> {
  const db = queries<JobTables>(tx);
  const deleted = db.selectFrom("jobs").select("name").where("deleted_at", "<", before).orderBy("deleted_at").limit(limit);
  const names = (await dialectOf(tx).lock(deleted).execute()).map((row) => row.name);
  if (names.length === 0) return names;
  await db.deleteFrom("jobs_grades").where("job", "in", names).execute();
  await db.deleteFrom("jobs_properties").where("job", "in", names).execute();
  await db.deleteFrom("jobs").where("name", "in", names).execute();
  return names;
}

export type PropertiesRow = Selectable<JobTables["jobs_properties"]>;

/** Null while nothing was set. Locked in a unit of work. */
export async function readProperties(tx: Tx, job: string): Promise<PropertiesRow | null> {
  const select = queries<JobTables>(tx).selectFrom("jobs_properties").selectAll().where("job", "=", job);
  return (await (tx.writable ? dialectOf(tx).lock(select) : select).executeTakeFirst()) ?? null;
}

/** The first version is inserted plainly: when another was stored in the meantime, this throws `DuplicateKey`. */
export async function putProperties(tx: Tx, { job, ...values }: PropertiesRow): Promise<void> {
  const db = queries<JobTables>(tx);
  if (values.version === 1)
    await db
      .insertInto("jobs_properties")
      .values({ job, ...values })
      .execute();
  else await db.updateTable("jobs_properties").set(values).where("job", "=", job).execute();
}
