import { Type, type Static } from "typebox";
import { access, defineEvent, defineOperation } from "#core/contract/index.ts";
import { batchOf, batchResult, batchExample, gameKey } from "#features/sync/sync.contract.ts";

/** A job and grade as shown beside a person, with the labels of the day. */
export const JobBadge = Type.Object({
  name: Type.String(),
  label: Type.String(),
  grade: Type.Integer(),
  gradeLabel: Type.String(),
});
export type JobBadge = Static<typeof JobBadge>;

export const JobInfo = Type.Object({
  name: Type.String(),
  label: Type.String(),
  grades: Type.Array(Type.Object({ grade: Type.Integer(), label: Type.String() })),
});
export type JobInfo = Static<typeof JobInfo>;

/** All jobs that the game server knows, with their grades in rising order. */
export const listJobs = defineOperation({
  id: "jobs.list",
  method: "GET",
  path: "/api/jobs",
  summary: "List jobs and their grades",
  access: access.character(),
  rate: "read",
  input: {},
  output: Type.Object({ jobs: Type.Array(JobInfo) }),
  example: {
    output: { jobs: [{ name: "police", label: "Police", grades: [{ grade: 0, label: "Cadet" }] }] },
  },
});

/** A job as the game server sends it; `grades` is the whole list, missing ones are removed. */
export const SyncJob = Type.Object({
  name: gameKey(50),
  label: Type.String({ maxLength: 100 }),
  grades: Type.Array(
    Type.Object({
      grade: Type.Integer({ minimum: 0, maximum: 1000 }),
      label: Type.String({ maxLength: 100 }),
    }),
    { maxItems: 100 },
  ),
});
export type SyncJob = Static<typeof SyncJob>;

export const syncJobs = defineOperation({
  id: "jobs.sync",
  method: "POST",
  path: "/api/sync/v1/jobs",
  summary: "Send jobs with their grades",
  access: access.sync(),
  rate: "sync",
  input: { body: batchOf(SyncJob) },
  output: batchResult,
  itemwise: true,
  bodyLimit: 4 * 1024 * 1024,
  example: batchExample({
    name: "police",
    label: "Police",
    grades: [{ grade: 0, label: "Cadet" }],
  }),
});

export const jobsChanged = defineEvent({
  id: "jobs.changed",
  version: 1,
  payload: Type.Object({ names: Type.Array(Type.String()) }),
});

export const jobsContract = { operations: [listJobs, syncJobs], events: [jobsChanged] };
