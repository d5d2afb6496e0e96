import { Type, type Static } from "typebox";
import { access, Day, defineOperation, Instant, Nullable, OneOf, PageOf, pageQuery } from "#core/contract/index.ts";
import { activityKinds, citizenId, colleaguesErrors, colleaguesPermissions } from "./colleagues.base.contract.ts";

const text = Type.Optional(Nullable(Type.String()));

/** What was, or is now; of a note nothing is kept but that it changed. */
export const ActivitySide = Type.Object({
  grade: Type.Optional(Type.Integer()),
  gradeLabel: Type.Optional(Type.String()),
  prefix: text,
  suffix: text,
  label: Type.Optional(Type.String()),
  until: text,
  /** Of an absence, without its kind and reason: who reads them is decided where absences are. */
  firstDay: Type.Optional(Day),
  lastDay: Type.Optional(Day),
});
export type ActivitySide = Static<typeof ActivitySide>;

export const Activity = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  at: Instant,
  kind: OneOf(activityKinds),
  citizen: Type.Object({ id: citizenId, name: Nullable(Type.String()) }),
  /** Null for the game; without a name for somebody who was removed for good. */
  actor: Nullable(Type.Object({ id: Nullable(citizenId), name: Nullable(Type.String()) })),
  reason: Nullable(Type.String()),
  before: ActivitySide,
  after: ActivitySide,
});
export type Activity = Static<typeof Activity>;

/** The newest first, also of people who have left. */
export const listActivity = defineOperation({
  id: "colleagues.listActivity",
  method: "GET",
  path: "/api/colleagues/activity",
  summary: "What happened to the people of your job, or to one of them",
  access: access.permission(colleaguesPermissions.activity),
  rate: "read",
  input: {
    query: Type.Object({
      ...pageQuery,
      citizenId: Type.Optional(citizenId),
      kind: Type.Optional(OneOf(activityKinds)),
    }),
  },
  output: PageOf(Activity),
  errors: [colleaguesErrors.fieldHidden],
  example: {
    query: { citizenId: 12 },
    output: {
      items: [
        {
          id: 9,
          at: 1_790_000_000_000,
          kind: "promoted",
          citizen: { id: 12, name: "Mara Lind" },
          actor: null,
          reason: null,
          before: { grade: 1, gradeLabel: "Cadet" },
          after: { grade: 2, gradeLabel: "Officer" },
        },
      ],
      next: null,
      total: 1,
      totalCapped: false,
    },
  },
});
