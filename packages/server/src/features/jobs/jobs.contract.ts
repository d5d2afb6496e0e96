import { Type, type Static } from "typebox";
import {
  access,
  changedParts,
  defineErrors,
  defineEvent,
  defineFileKind,
  defineOperation,
  definePermission,
  defineSyncKind,
  defineTopic,
  extend,
  Instant,
  Nullable,
  inWords,
} from "#core/contract/index.ts";
import { exampleAddress, FileAddress, filesErrors } from "#features/files/files.contract.ts";
import { IconName } from "#features/icons/icons.contract.ts";
import { batchExample, batchOf, batchResult, batchSource, deletedIds, gameKey } from "#features/sync/sync.contract.ts";

/** A job and grade as shown beside a citizen, with the present labels. */
export const JobBadge = Type.Object({
  name: Type.String(),
  label: Type.String(),
  grade: Type.Integer(),
  gradeLabel: Type.String(),
  /** `#rrggbb`, where the job chose one. */
  colour: Type.Optional(Type.String()),
  /** `<set>:<icon>`, where the job chose one. */
  icon: Type.Optional(Type.String()),
});
export type JobBadge = Static<typeof JobBadge>;

export const JobInfo = Type.Object({
  name: Type.String(),
  label: Type.String(),
  grades: Type.Array(Type.Object({ grade: Type.Integer(), label: Type.String() })),
  colour: Type.Optional(Type.String()),
  icon: Type.Optional(Type.String()),
});
export type JobInfo = Static<typeof JobInfo>;

/** All live jobs of the game, with their grades in rising order. */
export const listJobs = defineOperation({
  id: "jobs.list",
  method: "GET",
  path: "/api/jobs",
  summary: "List jobs and their grades",
  access: access.character(),
  rate: "read",
  input: {},
  output: Type.Object({ jobs: Type.Array(extend(JobInfo, { logo: Type.Optional(FileAddress) })) }),
  example: {
    output: { jobs: [{ name: "police", label: "Police", grades: [{ grade: 0, label: "Cadet" }] }] },
  },
});

export const jobsErrors = defineErrors("jobs", {
  jobUnknown: { status: 404, params: ["job"] },
  otherJob: { status: 403, params: ["job"] },
  messageNotAllowed: { status: 403 },
  stale: { status: 409 },
});

export const jobsPermissions = {
  /** Colour, icon, radio frequency and links. */
  properties: definePermission("jobs.properties"),
  /** The message of the day. */
  message: definePermission("jobs.message"),
};

export const messageLimit = 1024;
export const linkLimits = { title: 40, address: 300 } as const;
/** Links of a job. */
export const mostLinks = 20;

export const JobLink = Type.Object({
  title: Type.String({ minLength: 1, maxLength: linkLimits.title }),
  address: Type.String({
    minLength: 8,
    maxLength: linkLimits.address,
    pattern: "^https?://[^\\s]+$",
    ...inWords("must be an address that begins with https:// or http://"),
  }),
});
export type JobLink = Static<typeof JobLink>;

/** Look and notices of a job, set by its members. */
export const JobProperties = Type.Object({
  /** `#rrggbb`; null uses a colour that is computed from the job's name. */
  colour: Nullable(Type.String({ pattern: "^#[0-9a-f]{6}$", ...inWords("must be a colour, such as #2563eb") })),
  /** Beside the job's name; null shows a dot of its colour. Left out, it stays as it is. */
  icon: Type.Optional(Nullable(IconName)),
  radioFrequency: Type.String({ maxLength: 24 }),
  /** Message of the day, for the members. */
  message: Type.String({ maxLength: messageLimit }),
  /** On the overview of the job, in this order. Left out, they stay as they are. */
  links: Type.Optional(Type.Array(JobLink, { maxItems: mostLinks })),
});
export type JobProperties = Static<typeof JobProperties>;

const StoredProperties = Type.Object({
  job: Type.String(),
  label: Type.String(),
  logo: Nullable(FileAddress),
  /** 0 while nothing was set. */
  version: Type.Integer({ minimum: 0 }),
  properties: JobProperties,
  message: Nullable(Type.Object({ by: Type.String(), at: Instant })),
});

const jobParams = Type.Object({ job: Type.String({ minLength: 1, maxLength: 50 }) });
const exampleProperties = {
  colour: "#2563eb",
  icon: "tabler:shield",
  radioFrequency: "100.1",
  message: "Briefing at 20:00.",
  links: [{ title: "Handbook", address: "https://handbook.example.org/police" }],
};
const exampleStored = {
  job: "police",
  label: "Police",
  logo: null,
  version: 2,
  properties: exampleProperties,
  message: { by: "Mara Lind", at: 1_790_000_000_000 },
};

/** Of the viewer's own job; of any job while job admin is on. */
export const getProperties = defineOperation({
  id: "jobs.getProperties",
  method: "GET",
  path: "/api/jobs/:job/properties",
  summary: "Colour, icon, radio frequency, links and message of the day of a job",
  access: access.character(),
  rate: "read",
  input: { params: jobParams },
  output: StoredProperties,
  errors: [jobsErrors.jobUnknown, jobsErrors.otherJob],
  example: { params: { job: "police" }, output: exampleStored },
});

/** The message needs a permission of its own; the other fields need the permission for the properties. */
export const putProperties = defineOperation({
  id: "jobs.putProperties",
  method: "PUT",
  path: "/api/jobs/:job/properties",
  summary: "Change the properties of a job",
  access: access.permission(jobsPermissions.properties, jobsPermissions.message),
  rate: "write",
  input: { params: jobParams, body: Type.Object({ version: Type.Integer({ minimum: 0 }), properties: JobProperties }) },
  output: StoredProperties,
  errors: [jobsErrors.jobUnknown, jobsErrors.otherJob, jobsErrors.messageNotAllowed, jobsErrors.stale],
  example: {
    params: { job: "police" },
    body: { version: 1, properties: exampleProperties },
    output: exampleStored,
  },
});

export const logoKind = defineFileKind("jobs.logo", { owner: "the name of the job" });

/** Takes the id of an uploaded file, or null to remove the logo. */
export const putLogo = defineOperation({
  id: "jobs.putLogo",
  method: "PUT",
  path: "/api/jobs/:job/logo",
  summary: "Set or remove the logo of a job",
  access: access.permission(jobsPermissions.properties),
  rate: "write",
  input: { params: jobParams, body: Type.Object({ file: Nullable(Type.Integer({ minimum: 1 })) }) },
  output: Type.Object({ logo: Nullable(FileAddress) }),
  errors: [jobsErrors.jobUnknown, jobsErrors.otherJob, filesErrors.notFound],
  example: { params: { job: "police" }, body: { file: 31 }, output: { logo: exampleAddress } },
});

/** A job as the game server sends it. */
export const SyncJob = Type.Object({
  name: gameKey(50),
  label: Type.String({ maxLength: 100 }),
  grades: Type.Array(
    Type.Object({
      grade: Type.Integer({ minimum: 0, maximum: 1000 }),
      label: Type.String({ maxLength: 100 }),
    }),
    {
      maxItems: 100,
      description:
        "The whole list, each grade once: missing grades are removed. An empty list is rejected for a job that has grades; report the job as deleted first",
    },
  ),
});
export type SyncJob = Static<typeof SyncJob>;

export const syncJobs = defineOperation({
  id: "jobs.sync",
  method: "POST",
  path: "/api/sync/v1/jobs",
  summary: "Send jobs with their grades",
  access: access.sync(),
  idempotent: "key",
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

/**
 * Marks jobs as deleted. Citizens and roles keep them, and their labels are shown until the rows are purged;
 * a job that is sent again is restored with its properties.
 */
export const syncJobsDelete = defineOperation({
  id: "jobs.syncDelete",
  method: "POST",
  path: "/api/sync/v1/jobs/delete",
  summary: "Report deleted jobs",
  access: access.sync(),
  idempotent: "key",
  rate: "sync",
  input: { body: Type.Object({ source: batchSource, names: deletedIds(gameKey(50)) }) },
  output: batchResult,
  example: { body: { names: ["police"] }, output: { accepted: 1, unchanged: 0, rejected: [] } },
});

export const jobParts = ["name", "label", "grades", "deleted_at", "properties", "logo"] as const;
export type JobPart = (typeof jobParts)[number];

export const jobsChanged = defineEvent({
  id: "jobs.changed",
  version: 2,
  parts: jobParts,
  /** `changed` is what changed of any of them. */
  payload: Type.Object({ names: Type.Array(Type.String()), changed: changedParts(jobParts) }),
});

/** Notifies open pages of the members that their job's properties changed. */
export const jobTopic = defineTopic({
  name: "jobs/:job",
  kind: "event",
  access: access.character(),
  message: Type.Object({ job: Type.String() }),
  invalidates: { answers: [getProperties] },
  example: { job: "police" },
});

/** Jobs that were renamed or deleted, or that look different: colour, icon or logo. */
export const jobsTopic = defineTopic({
  name: "jobs",
  kind: "event",
  access: access.character(),
  message: Type.Object({ names: Type.Array(Type.String()) }),
  invalidates: { answers: [listJobs] },
  example: { names: ["police"] },
});

export const jobsContract = {
  operations: [listJobs, getProperties, putProperties, putLogo, syncJobs, syncJobsDelete],
  events: [jobsChanged],
  topics: [jobTopic, jobsTopic],
  permissions: Object.values(jobsPermissions),
  actions: ["jobs.remove"],
  sync: [defineSyncKind({ kind: "jobs", manifest: true, key: "name", operations: [syncJobs, syncJobsDelete] })],
  objects: ["job", "jobs"],
  errors: jobsErrors,
};
