import { Type, type Static } from "typebox";
import { access, defineOperation, extend, Instant, Nullable, Version } from "#core/contract/index.ts";
import {
  accessErrors,
  Affected,
  exampleLabels,
  JobLimits,
  LimitValues,
  ofJob,
  ofLimitsRevision,
  RowLabels,
} from "./access.shapes.contract.ts";

const LimitsDetails = Type.Object({
  job: Type.String(),
  label: Type.String(),
  /** 0 until limits are set for the first time. */
  version: Type.Integer({ minimum: 0 }),
  /** Null: this job may hand out everything. */
  limits: Nullable(JobLimits),
  labels: RowLabels,
});
const exampleLimits = {
  job: "taxi",
  label: "City Cab",
  version: 2,
  limits: { "citizens.list": { fields: ["phone"] } },
  labels: exampleLabels,
};

export const listLimits = defineOperation({
  id: "access.listLimits",
  method: "GET",
  path: "/api/access/limits",
  summary: "Jobs with what they may hand out",
  access: access.jobAdmin(),
  rate: "read",
  input: {},
  output: Type.Object({
    jobs: Type.Array(Type.Object({ job: Type.String(), label: Type.String(), permissions: Nullable(Type.Integer()) })),
  }),
  example: { output: { jobs: [{ job: "taxi", label: "City Cab", permissions: 1 }] } },
});

export const getLimits = defineOperation({
  id: "access.getLimits",
  method: "GET",
  path: "/api/access/limits/:job",
  summary: "What a job may hand out",
  access: access.jobAdmin(),
  rate: "read",
  input: { params: ofJob },
  output: LimitsDetails,
  errors: [accessErrors.jobUnknown],
  example: { params: { job: "taxi" }, output: exampleLimits },
});

const limitsContent = [
  accessErrors.permissionUnknown,
  accessErrors.attributeUnknown,
  accessErrors.attributeValueInvalid,
  accessErrors.attributeRowUnknown,
];

const SavedLimits = extend(LimitsDetails, Affected);
const exampleSaved = { ...exampleLimits, affected: 4 };

/** Limits do not change roles: what a role grants beyond them holds again once they are raised. */
export const putLimits = defineOperation({
  id: "access.putLimits",
  method: "PUT",
  path: "/api/access/limits/:job",
  summary: "Set what a job may hand out, or lift its limits",
  access: access.jobAdmin(),
  rate: "write",
  bodyLimit: 512 * 1024,
  input: {
    params: ofJob,
    body: Type.Object({ version: Type.Integer({ minimum: 0 }), limits: Nullable(JobLimits) }),
  },
  output: SavedLimits,
  errors: [accessErrors.jobUnknown, ...limitsContent, accessErrors.stale],
  example: { params: { job: "taxi" }, body: { version: 2, limits: exampleLimits.limits }, output: exampleSaved },
});

export const LimitsRevision = Type.Object({
  version: Version,
  at: Instant,
  by: Type.String(),
  /** Whether the job had limits. */
  limited: Type.Object({ before: Type.Boolean(), after: Type.Boolean() }),
  /** Maxima by permission; null where the job may not hand it out. Without limits it may hand out everything. */
  changes: Type.Array(Type.Object({ permission: Type.String(), before: Nullable(LimitValues), after: Nullable(LimitValues) })),
});
export type LimitsRevision = Static<typeof LimitsRevision>;

export const limitsHistory = defineOperation({
  id: "access.limitsHistory",
  method: "GET",
  path: "/api/access/limits/:job/history",
  summary: "The last hundred changes of a job's limits, newest first",
  access: access.jobAdmin(),
  rate: "read",
  input: { params: ofJob },
  output: Type.Object({ revisions: Type.Array(LimitsRevision), labels: RowLabels }),
  errors: [accessErrors.jobUnknown],
  example: {
    params: { job: "taxi" },
    output: {
      revisions: [
        {
          version: 2,
          at: 1_790_000_000_000,
          by: "mara",
          limited: { before: true, after: true },
          changes: [{ permission: "citizens.list", before: null, after: { fields: ["phone"] } }],
        },
      ],
      labels: exampleLabels,
    },
  },
});

/** Undoes one change by a new one. If a later change touched the same limit, that one has to be undone first. */
export const undoLimits = defineOperation({
  id: "access.undoLimits",
  method: "POST",
  path: "/api/access/limits/:job/history/:version/undo",
  summary: "Undo one change of a job's limits",
  access: access.jobAdmin(),
  rate: "write",
  input: { params: ofLimitsRevision },
  output: SavedLimits,
  errors: [
    accessErrors.jobUnknown,
    ...limitsContent,
    accessErrors.revisionUnknown,
    accessErrors.limitChangedSince,
    accessErrors.limitsChangedSince,
  ],
  example: { params: { job: "taxi", version: 2 }, output: exampleSaved },
});
