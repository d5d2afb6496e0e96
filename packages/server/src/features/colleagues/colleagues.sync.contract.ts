import { Type, type Static } from "typebox";
import { access, defineOperation, Instant, Nullable, OneOf } from "#core/contract/index.ts";
import { dutyStates } from "#features/duty/duty.contract.ts";
import { batchLimit, batchOf, batchResult, batchSource, gameKey } from "#features/sync/sync.contract.ts";
import { colleaguesErrors, colleaguesLimits, writtenAffix } from "./colleagues.base.contract.ts";

const identifier = gameKey(64, { description: "The character's ID, as in `users`" });
const job = gameKey(50, { description: "A job that the character has" });
const bodyLimit = 4 * 1024 * 1024;

/** What the game says of somebody in a job. What is left out stays as it is, null erases. */
export const SyncColleague = Type.Object({
  identifier,
  job,
  prefix: Type.Optional(Nullable(writtenAffix)),
  suffix: Type.Optional(Nullable(writtenAffix)),
  note: Type.Optional(Nullable(Type.String({ maxLength: colleaguesLimits.note }))),
});
export type SyncColleague = Static<typeof SyncColleague>;

export const syncColleagues = defineOperation({
  id: "colleagues.sync",
  method: "POST",
  path: "/api/sync/v1/colleagues",
  summary: "Change the prefix, suffix or note of people in their jobs",
  access: access.sync(),
  idempotent: "key",
  rate: "sync",
  input: { body: batchOf(SyncColleague) },
  output: batchResult,
  itemwise: true,
  bodyLimit,
  example: {
    body: { source: "city-1", items: [{ identifier: "char1:0a1b2c3d", job: "police", suffix: "FTO" }] },
    output: { accepted: 1, unchanged: 0, rejected: [] },
  },
});

/** What the game may say that happened; of the first four Rollcall has seen what changed, and the game says who did it. */
export const sentKinds = ["hired", "promoted", "demoted", "left", "remark"] as const;
export type SentKind = (typeof sentKinds)[number];

export const SyncActivity = Type.Object({
  key: gameKey(64, { description: "Names this activity of the source; repeating it changes nothing" }),
  identifier,
  job: gameKey(50, { description: "The job in which it happened" }),
  kind: OneOf(sentKinds, {
    description:
      "`hired`, `promoted`, `demoted`, `left`: who did what `users` says, and why; within 10 minutes of it, it is one activity. `remark`: anything else, which needs `text`",
  }),
  text: Type.Optional(Nullable(Type.String({ maxLength: colleaguesLimits.reason, description: "Why, or what a remark says" }))),
  by: Type.Optional(Nullable(gameKey(64, { description: "The character who did it, as in `users`" }))),
});
export type SyncActivity = Static<typeof SyncActivity>;

export const syncActivities = defineOperation({
  id: "colleagues.syncActivities",
  method: "POST",
  path: "/api/sync/v1/colleagues/activities",
  summary: "Report what happened to people in their jobs, by whom and why",
  access: access.sync(),
  idempotent: "key",
  rate: "sync",
  input: {
    body: Type.Object({ source: batchSource, items: Type.Array(SyncActivity, { minItems: 1, maxItems: batchLimit }) }),
  },
  output: batchResult,
  itemwise: true,
  bodyLimit,
  example: {
    body: {
      source: "city-1",
      items: [
        {
          key: "7c1f-9",
          identifier: "char1:0a1b2c3d",
          job: "police",
          kind: "remark",
          text: "Found the missing boat",
          by: "char1:9f8e7d6c",
        },
      ],
    },
    output: { accepted: 1, unchanged: 0, rejected: [] },
  },
});

export const StaffMember = Type.Object({
  identifier: Type.String(),
  name: Type.String(),
  prefix: Nullable(Type.String()),
  suffix: Nullable(Type.String()),
  grade: Type.Integer(),
  /** Null for those who were there before Rollcall looked. */
  since: Nullable(Instant),
  /** Names, in the order of the job. */
  labels: Type.Array(Type.String()),
  /** Null for somebody off duty in this job. */
  duty: Nullable(OneOf(dutyStates)),
});
export type StaffMember = Static<typeof StaffMember>;

export const syncStaff = defineOperation({
  id: "colleagues.syncStaff",
  method: "GET",
  path: "/api/sync/v1/colleagues",
  summary: "The people of a job, page by page",
  access: access.sync(),
  rate: "sync",
  input: {
    query: Type.Object({
      job: gameKey(50),
      cursor: Type.Optional(Type.String({ maxLength: 2048, description: "`next` of the page before" })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: batchLimit, default: 200 })),
    }),
  },
  output: Type.Object({ items: Type.Array(StaffMember), next: Nullable(Type.String()) }),
  errors: [colleaguesErrors.jobUnknown],
  example: {
    query: { job: "police" },
    output: {
      items: [
        {
          identifier: "char1:0a1b2c3d",
          name: "Mara Lind",
          prefix: null,
          suffix: "FTO",
          grade: 2,
          since: 1_790_000_000_000,
          labels: ["Field training"],
          duty: "on",
        },
      ],
      next: null,
    },
  },
});
