import type { Row } from "#core/db/table.ts";
import { bind, type Binding, type SyncKind } from "#core/feature.ts";
import type { Outbox, Tx } from "#core/ports/index.ts";
import type { SyncApi } from "#features/sync/sync.api.ts";
import type { BatchItem, ItemProblem } from "#features/sync/sync.batch.api.ts";
import type { JobsApi } from "./jobs.api.ts";
import { type JobPart, jobsChanged, SyncJob, syncJobs, syncJobsDelete } from "./jobs.contract.ts";
import { jobs, jobsGrades } from "./jobs.schema.ts";

type JobColumns = Pick<Row<typeof jobs>, "name" | "label">;
type JobLists = { readonly grades: Omit<Row<typeof jobsGrades>, "job">[] };

export interface JobsSyncDeps {
  readonly outbox: Outbox;
  readonly sync: SyncApi;
  readonly jobs: Pick<JobsApi, "list">;
}

interface Change {
  readonly name: string;
  /** Null for a new job. */
  readonly changed: readonly JobPart[] | null;
}

function payloadOf(changes: readonly Change[]) {
  const names = changes.map(({ name }) => name);
  const parts = changes.flatMap(({ changed }) => changed ?? []);
  return changes.some(({ changed }) => changed === null) ? { names } : { names, changed: [...new Set(parts)] };
}

/** In rising order. */
function gradesOf(job: SyncJob): JobLists["grades"] {
  return job.grades.map(({ grade, label }) => ({ grade, label })).sort((a, b) => a.grade - b.grade);
}

/** Of a grade that stands there twice, nobody knows which label is meant. */
function problemOf({ grades }: SyncJob): ItemProblem | null {
  const known = new Map<number, number>();
  for (const [index, { grade }] of grades.entries()) {
    const first = known.get(grade);
    if (first !== undefined)
      return { field: `grades.${index}.grade`, problem: `is ${grade}, as that of grades.${first}; send each grade once` };
    known.set(grade, index);
  }
  return null;
}

export function jobsSync(deps: JobsSyncDeps): { routes: Binding[]; kinds: SyncKind[] } {
  /** An empty list looks like a failed query of the game's database, and would take every right from the members. */
  async function gradesLost(tx: Tx, items: readonly BatchItem<SyncJob>[]): Promise<ReadonlyMap<string, ItemProblem>> {
    const emptied = items.filter(({ item }) => item.grades.length === 0).map(({ id }) => id);
    const stored = emptied.length === 0 ? [] : await deps.jobs.list(tx);
    const lost = stored.filter(({ name, grades }) => emptied.includes(name) && grades.length > 0);
    return new Map(
      lost.map(({ name, grades: { length } }) => [
        name,
        {
          field: "grades",
          problem: `is empty, although the job has ${length} ${length === 1 ? "grade" : "grades"}; send the grades that are left, or report the job as deleted (jobs/delete) before it is sent without grades`,
        },
      ]),
    );
  }

  const table = deps.sync.table<SyncJob, JobColumns, JobLists, Change>({
    kind: "jobs",
    table: jobs,
    key: "name",
    sync: { action: syncJobs.id, schema: SyncJob, idOf: (job) => job.name, problemOf, problemsIn: gradesLost },
    deletion: { action: syncJobsDelete.id, schema: syncJobsDelete.input.body.properties.names.items },
    removal: { action: "jobs.remove", kind: "jobs" },
    storedAs: 1,
    recordOf: (job) => ({ columns: { name: job.name, label: job.label }, lists: { grades: gradesOf(job) } }),
    children: { grades: { table: jobsGrades, owner: "job" } },
    event: {
      changesOf: async (_tx, rows) => rows.map(({ columns: { name }, changed }) => ({ name, changed })),
      removalOf: ({ key }) => ({ name: key, changed: ["deleted_at"] }),
      emit: async (tx, changes, at) =>
        await deps.outbox.emit(tx, jobsChanged, { key: "jobs", version: at, payload: payloadOf(changes) }),
    },
  });
  return {
    routes: [
      bind(syncJobs, async (call, { body }) => await table.sync(call, body)),
      bind(syncJobsDelete, async (call, { body }) => await table.delete(call, body, body.names)),
    ],
    kinds: [table],
  };
}
