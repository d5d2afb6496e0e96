import type { Row } from "#core/db/table.ts";
import { bind, type Binding, type SyncKind } from "#core/feature.ts";
import type { Outbox } from "#core/ports/index.ts";
import type { SyncApi } from "#features/sync/sync.api.ts";
import { type JobPart, jobsChanged, SyncJob, syncJobs, syncJobsDelete } from "./jobs.contract.ts";
import { jobs, jobsGrades } from "./jobs.schema.ts";

type JobColumns = Pick<Row<typeof jobs>, "name" | "label">;
type JobLists = { readonly grades: Omit<Row<typeof jobsGrades>, "job">[] };

export interface JobsSyncDeps {
  readonly outbox: Outbox;
  readonly sync: SyncApi;
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

/** In rising order; of a number that is repeated, the last label is kept. */
function gradesOf(job: SyncJob): JobLists["grades"] {
  const byNumber = new Map(job.grades.map(({ grade, label }) => [grade, { grade, label }]));
  return [...byNumber.values()].sort((a, b) => a.grade - b.grade);
}

export function jobsSync(deps: JobsSyncDeps): { routes: Binding[]; kinds: SyncKind[] } {
  const table = deps.sync.table<SyncJob, JobColumns, JobLists, Change>({
    kind: "jobs",
    table: jobs,
    key: "name",
    sync: { action: syncJobs.id, schema: SyncJob, idOf: (job) => job.name },
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
