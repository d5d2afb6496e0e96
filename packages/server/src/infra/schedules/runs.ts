import { dialectOf, queries } from "#core/db/index.ts";
import type { ScheduleRun, Removed, Tx } from "#core/ports/index.ts";
import type { RunOutcome, ScheduleTables } from "./schedules.schema.ts";

/** Retained runs per schedule. */
export const runsKept = 100;

/** Largest message in characters, as in the table. */
const maxMessage = 1000;

/** A run that began so much later than now began by another clock. */
export const aheadMs = 5 * 60_000;

export interface Run {
  readonly id: number;
  readonly outcome: RunOutcome;
  readonly startedAt: number;
}

const runOf = ({ id, outcome, started_at }: { id: number; outcome: string; started_at: number }): Run => ({
  id,
  outcome: outcome as RunOutcome,
  startedAt: started_at,
});

export async function lastRun(tx: Tx, job: string): Promise<Run | null> {
  const row = await queries<ScheduleTables>(tx)
    .selectFrom("job_runs")
    .select(["id", "outcome", "started_at"])
    .where("job", "=", job)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? runOf(row) : null;
}

interface DoneRun {
  readonly startedAt: number;
  readonly finishedAt: number;
}

/** The last run and the last successful one of every schedule, in two statements. */
export async function latestRuns(tx: Tx): Promise<{ last: ReadonlyMap<string, Run>; done: ReadonlyMap<string, DoneRun> }> {
  const q = queries<ScheduleTables>(tx);
  const newest = q
    .selectFrom("job_runs")
    .select((e) => e.fn.max("id").as("id"))
    .groupBy("job");
  const ids = { all: newest, done: newest.where("outcome", "=", "done") };
  const rowsOf = async (which: keyof typeof ids) =>
    await q.selectFrom("job_runs as r").innerJoin(ids[which].as("n"), "n.id", "r.id").selectAll("r").execute();
  const last = new Map((await rowsOf("all")).map((row) => [row.job, runOf(row)]));
  const done = new Map(
    (await rowsOf("done")).map((row) => [row.job, { startedAt: row.started_at, finishedAt: row.finished_at ?? row.started_at }]),
  );
  return { last, done };
}

/** The last run, locked against concurrent inserts: for a unit of work that adds a run. */
export async function lastRunLocked(tx: Tx, job: string): Promise<Run | null> {
  const newest = queries<ScheduleTables>(tx)
    .selectFrom("job_runs")
    .select("id")
    .where("job", "=", job)
    .orderBy("id", "desc")
    .limit(1);
  await dialectOf(tx).lock(newest).execute();
  // The previous owner of the lock may have added a run: a locking read sees it despite the snapshot.
  const again = queries<ScheduleTables>(tx)
    .selectFrom("job_runs")
    .select(["id", "outcome", "started_at"])
    .where("job", "=", job)
    .orderBy("id", "desc")
    .limit(1);
  const row = await dialectOf(tx).lock(again).executeTakeFirst();
  return row ? runOf(row) : null;
}

export async function insertRun(
  tx: Tx,
  job: string,
  owner: string,
  at: number,
  outcome: "waiting" | "requested" | "running" | "skipped",
): Promise<number> {
  await queries<ScheduleTables>(tx).insertInto("job_runs").values({ job, owner, started_at: at, outcome }).execute();
  const inserted = await lastRun(tx, job);
  if (!inserted) throw new Error(`the run of ${job} was not recorded`);
  return inserted.id;
}

/** Begins a requested run once, however often it was requested concurrently. */
export async function beginRequested(tx: Tx, job: string, id: number, owner: string, at: number): Promise<void> {
  await queries<ScheduleTables>(tx)
    .deleteFrom("job_runs")
    .where("job", "=", job)
    .where("outcome", "=", "requested")
    .where("id", "<>", id)
    .execute();
  await queries<ScheduleTables>(tx)
    .updateTable("job_runs")
    .set({ outcome: "running", owner, started_at: at })
    .where("id", "=", id)
    .where("outcome", "=", "requested")
    .execute();
}

function removedFrom(stored: string | null): readonly Removed[] {
  return stored === null ? [] : (JSON.parse(stored) as { readonly kinds: readonly Removed[] }).kinds;
}

/** The newest runs of every schedule, newest first, at most `each` per schedule. */
export async function newestRuns(tx: Tx, each: number): Promise<Map<string, ScheduleRun[]>> {
  const names = await queries<ScheduleTables>(tx).selectFrom("job_runs").select("job").distinct().execute();
  const found = new Map<string, ScheduleRun[]>();
  for (const { job } of names) {
    const rows = await queries<ScheduleTables>(tx)
      .selectFrom("job_runs")
      .selectAll()
      .where("job", "=", job)
      .orderBy("id", "desc")
      .limit(each)
      .execute();
    found.set(
      job,
      rows.map((row) => ({
        id: row.id,
        outcome: row.outcome as RunOutcome,
        startedAt: row.started_at,
        finishedAt: row.finished_at,
        owner: row.owner,
        message: row.message,
        removed: removedFrom(row.removed),
      })),
    );
  }
  return found;
}

export interface RunEnd {
  readonly at: number;
  readonly outcome: RunOutcome;
  readonly message: string | null;
  readonly removed?: readonly Removed[];
}

export async function endRun(tx: Tx, id: number, { at, outcome, message, removed = [] }: RunEnd): Promise<void> {
  await queries<ScheduleTables>(tx)
    .updateTable("job_runs")
    .set({
      finished_at: at,
      outcome,
      message: message === null ? null : Array.from(message).slice(0, maxMessage).join(""),
      removed: removed.length === 0 ? null : JSON.stringify({ v: 1, kinds: removed }),
    })
    .where("id", "=", id)
    .where("outcome", "=", "running")
    .execute();
}

export async function pruneRuns(tx: Tx, job: string): Promise<void> {
  const q = queries<ScheduleTables>(tx);
  const oldest = await q
    .selectFrom("job_runs")
    .select("id")
    .where("job", "=", job)
    .orderBy("id", "desc")
    .offset(runsKept)
    .limit(1)
    .executeTakeFirst();
  if (oldest) await q.deleteFrom("job_runs").where("job", "=", job).where("id", "<=", oldest.id).execute();
}
