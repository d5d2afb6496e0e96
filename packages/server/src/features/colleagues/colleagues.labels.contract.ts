import { Type, type Static } from "typebox";
import { access, Day, defineOperation, extend, Instant, mostCounted, Nullable, Version } from "#core/contract/index.ts";
import {
  citizenId,
  ColleagueLabel,
  colleaguesErrors,
  colleaguesPermissions,
  exampleContent,
  exampleGiven,
  exampleLabel,
  GivenLabel,
  LabelContent,
  mostLabels,
  mostLabelsOfJob,
  mostPeople,
  reason,
} from "./colleagues.base.contract.ts";

const { view, labels } = colleaguesPermissions;
const byId = Type.Object({ id: Type.Integer({ minimum: 1 }) });

export const listLabels = defineOperation({
  id: "colleagues.listLabels",
  method: "GET",
  path: "/api/colleagues/labels",
  summary: "Labels of your job, in their order",
  access: access.permission(view, labels),
  rate: "read",
  input: {},
  /** Deleted ones only for those who may restore them. */
  output: Type.Object({ items: Type.Array(ColleagueLabel) }),
  example: { output: { items: [exampleLabel] } },
});

export const createLabel = defineOperation({
  id: "colleagues.createLabel",
  method: "POST",
  path: "/api/colleagues/labels",
  summary: "Create a label of your job",
  access: access.permission(labels),
  rate: "write",
  input: { body: LabelContent },
  output: ColleagueLabel,
  errors: [colleaguesErrors.nameTaken, colleaguesErrors.labelsFull, colleaguesErrors.deletedFull],
  example: { body: exampleContent, output: exampleLabel },
});

export const putLabel = defineOperation({
  id: "colleagues.putLabel",
  method: "PUT",
  path: "/api/colleagues/labels/:id",
  summary: "Change a label",
  access: access.permission(labels),
  rate: "write",
  input: { params: byId, body: extend(LabelContent, { version: Version }) },
  output: ColleagueLabel,
  errors: [colleaguesErrors.labelNotFound, colleaguesErrors.nameTaken, colleaguesErrors.stale],
  example: { params: { id: 3 }, body: { ...exampleContent, version: 1 }, output: exampleLabel },
});

export const removeLabel = defineOperation({
  id: "colleagues.removeLabel",
  method: "DELETE",
  path: "/api/colleagues/labels/:id",
  summary: "Delete a label; it can be restored for 60 days",
  access: access.permission(labels),
  rate: "write",
  input: { params: byId },
  output: null,
  errors: [colleaguesErrors.labelNotFound],
  example: { params: { id: 3 } },
});

export const restoreLabel = defineOperation({
  id: "colleagues.restoreLabel",
  method: "POST",
  path: "/api/colleagues/labels/:id/restore",
  summary: "Restore a deleted label, with the people who had it",
  access: access.permission(labels),
  rate: "write",
  input: { params: byId },
  output: ColleagueLabel,
  errors: [colleaguesErrors.labelNotFound, colleaguesErrors.nameTaken, colleaguesErrors.labelsFull],
  example: { params: { id: 3 }, output: exampleLabel },
});

/** Labels that are not named keep their order behind the others. */
export const orderLabels = defineOperation({
  id: "colleagues.orderLabels",
  method: "PUT",
  path: "/api/colleagues/labels",
  summary: "Put the labels of your job into an order",
  access: access.permission(labels),
  rate: "write",
  input: { body: Type.Object({ ids: Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1, maxItems: mostLabelsOfJob }) }) },
  output: null,
  errors: [colleaguesErrors.labelNotFound],
  example: { body: { ids: [3, 1, 2] } },
});

/** One label of one person: given until the end of a day, or taken. */
export const LabelChange = Type.Object({
  id: citizenId,
  label: Type.Integer({ minimum: 1 }),
  given: Type.Boolean(),
  until: Type.Optional(Nullable(Day)),
});
export type LabelChange = Static<typeof LabelChange>;

const exampleChange: LabelChange = { id: 12, label: 3, given: true, until: "2026-12-31" };

/** All or nothing. `undo` are the changes that lead back, without those that changed nothing. */
export const changeLabels = defineOperation({
  id: "colleagues.changeLabels",
  method: "POST",
  path: "/api/colleagues/labels/changes",
  summary: "Give labels to colleagues and take them, up to 50 people at once",
  access: access.permission(colleaguesPermissions.edit),
  rate: "write",
  input: {
    body: Type.Object({ reason, changes: Type.Array(LabelChange, { minItems: 1, maxItems: mostPeople * mostLabels }) }),
  },
  output: Type.Object({ undo: Type.Array(LabelChange) }),
  errors: [
    colleaguesErrors.notFound,
    colleaguesErrors.labelNotFound,
    colleaguesErrors.fieldHidden,
    colleaguesErrors.notYours,
    colleaguesErrors.tooManyLabels,
    colleaguesErrors.dayOver,
  ],
  example: {
    body: { reason: "Began the field training", changes: [exampleChange] },
    output: { undo: [{ id: 12, label: 3, given: false }] },
  },
});

export const expiringDays = 7;

/** The first ones to end. */
export const listExpiring = defineOperation({
  id: "colleagues.expiring",
  method: "GET",
  path: "/api/colleagues/labels/expiring",
  summary: "Labels of colleagues that end within seven days",
  access: access.permission(view),
  rate: "read",
  input: {},
  output: Type.Object({
    total: Type.Integer({ minimum: 0, maximum: mostCounted }),
    totalCapped: Type.Boolean(),
    items: Type.Array(Type.Object({ id: citizenId, name: Type.String(), label: GivenLabel, endsAt: Instant })),
  }),
  example: {
    output: {
      total: 1,
      totalCapped: false,
      items: [{ id: 12, name: "Mara Lind", label: exampleGiven, endsAt: 1_798_758_000_000 }],
    },
  },
});
