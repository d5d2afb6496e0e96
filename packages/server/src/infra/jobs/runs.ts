import { queries } from "#core/db/index.ts";
import type { Tx } from "#core/ports/index.ts";
import type { JobOutcome, JobTables } from "./jobs.schema.ts";

/** Runs kept per job. */
const kept = 100;

/** Characters of a message that the table takes. */
const longestMessage = 1000;

export interface Run {
  readonly id: number;
  readonly outcome: JobOutcome;
  readonly startedAt: number;
}

export async function lastRun(tx: Tx, job: string): Promise<Run | null> {
  const row = await queries<JobTables>(tx)
    .selectFrom("job_runs")
    .select(["id", "outcome", "started_at"])
    .where("job", "=", job)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? { id: row.id, outcome: row.outcome as JobOutcome, startedAt: row.started_at } : null;
}

export async function insertRun(tx: Tx, job: string, owner: string, at: number, outcome: "waiting" | "running"): Promise<number> {
  await queries<JobTables>(tx).insertInto("job_runs").values({ job, owner, started_at: at, outcome }).execute();
  const inserted = await lastRun(tx, job);
  if (!inserted) throw new Error(`the run of ${job} was not recorded`);
  return inserted.id;
}

export async function endRun(tx: Tx, id: number, at: number, outcome: JobOutcome, message: string | null): Promise<void> {
  await queries<JobTables>(tx)
    .updateTable("job_runs")
    .set({
      finished_at: at,
      outcome,
      message: message === null ? null : Array.from(message).slice(0, longestMessage).join(""),
    })
    .where("id", "=", id)
    .where("outcome", "=", "running")
    .execute();
}

export async function forgetOldRuns(tx: Tx, job: string): Promise<void> {
  const q = queries<JobTables>(tx);
  const oldest = await q
    .selectFrom("job_runs")
    .select("id")
    .where("job", "=", job)
    .orderBy("id", "desc")
    .offset(kept)
    .limit(1)
    .executeTakeFirst();
  if (oldest) await q.deleteFrom("job_runs").where("job", "=", job).where("id", "<=", oldest.id).execute();
}
