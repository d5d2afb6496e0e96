import { Type, type Static } from "typebox";
import { Day, defineErrors, definePermission, inWords, lineOf, Nullable, Version } from "#core/contract/index.ts";
import { IconName } from "#features/icons/icons.contract.ts";

/** What a role must name to see it of a colleague. */
export const colleagueFields = ["note", "labels"] as const;
export type ColleagueField = (typeof colleagueFields)[number];

/** What a role must name to change it. */
export const changedFields = ["note", "labels", "name"] as const;
export type ChangedField = (typeof changedFields)[number];

export const activityKinds = [
  "hired",
  "promoted",
  "demoted",
  "left",
  "labelGiven",
  "labelTaken",
  "note",
  "name",
  "absence",
  "remark",
] as const;
export type ActivityKind = (typeof activityKinds)[number];

export const colleaguesPermissions = {
  list: definePermission("colleagues.list"),
  view: definePermission("colleagues.view", {
    fields: { type: "strings", values: colleagueFields },
    whose: { type: "rank" },
  }),
  edit: definePermission("colleagues.edit", {
    fields: { type: "strings", values: changedFields },
    whose: { type: "rank" },
  }),
  labels: definePermission("colleagues.labels"),
  activity: definePermission("colleagues.activity", {
    kinds: { type: "strings", values: activityKinds },
    whose: { type: "rank" },
  }),
  /** As requests to the game server, with grades below the own one alone, as all three. */
  hire: definePermission("colleagues.hire"),
  promote: definePermission("colleagues.promote", { whose: { type: "rank" } }),
  dismiss: definePermission("colleagues.dismiss", { whose: { type: "rank" } }),
  statistics: definePermission("colleagues.statistics"),
  /** With `colleagues.list`, and `colleagues.view` about the labels. */
  export: definePermission("colleagues.export"),
};

export const colleaguesErrors = defineErrors("colleagues", {
  notFound: { status: 404 },
  labelNotFound: { status: 404 },
  fieldHidden: { status: 403, params: ["permission", "field", "job"] },
  absencesHidden: { status: 403, params: ["permission", "job"] },
  notYours: { status: 403, params: ["permission", "name", "job"] },
  moveOfSelf: { status: 403 },
  moveOfHigher: { status: 403, params: ["name"] },
  worksAlready: { status: 409, params: ["name"] },
  otherGrade: { status: 409, params: ["name"] },
  tooManyLabels: { status: 409, params: ["name", "most"] },
  nameTaken: { status: 409, params: ["name"] },
  labelsFull: { status: 409, params: ["most"] },
  deletedFull: { status: 409, params: ["most"] },
  dayOver: { status: 409, params: ["day"] },
  citizenUnknown: { status: 404 },
  jobUnknown: { status: 404, params: ["job"] },
  moveHidden: { status: 403, params: ["permission", "job"] },
  gradeTooHigh: { status: 403, params: ["job"] },
  gradeUnknown: { status: 409 },
  movesOff: { status: 409 },
  noGameServer: { status: 409 },
  moveOpen: { status: 409, params: ["name"] },
  tooManyMoves: { status: 409, params: ["most"] },
  stale: { status: 409 },
});

/** Limits of what people write; columns and pages have the same. */
export const colleaguesLimits = { note: 512, affix: 12, reason: 255, label: 48 } as const;

export const affix = Type.String({ maxLength: colleaguesLimits.affix });

/** As people and the game write it: also without characters that turn or break the names around it. */
export const writtenAffix = Type.String({
  maxLength: colleaguesLimits.affix,
  pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]*$",
  ...inWords("must have no control characters, such as tabs and line breaks; leave them out"),
});

/** Most labels of one person, and of one job. */
export const mostLabels = 10;
export const mostLabelsOfJob = 100;

/** Most people of one call that gives or takes labels. */
export const mostPeople = 50;

export const citizenId = Type.Integer({ minimum: 1 });
export const reason = Type.String({
  minLength: 1,
  maxLength: colleaguesLimits.reason,
  pattern: "\\S",
  ...inWords("must say why, in more than blanks"),
});

export const LabelContent = Type.Object({
  name: lineOf(colleaguesLimits.label),
  colour: Type.String({ pattern: "^#[0-9a-f]{6}$", "x-problem": "must be a colour, such as #2563eb" }),
  icon: Nullable(IconName),
});
export type LabelContent = Static<typeof LabelContent>;

/** A label as a colleague has it. */
export const GivenLabel = Type.Object({
  ...LabelContent.properties,
  id: Type.Integer({ minimum: 1 }),
  /** Its last day, in the zone of `loc`; null for one without an end. */
  until: Nullable(Day),
});
export type GivenLabel = Static<typeof GivenLabel>;

export const ColleagueLabel = Type.Object({
  ...LabelContent.properties,
  id: Type.Integer({ minimum: 1 }),
  version: Version,
  /** How many have it, of those whose labels the viewer sees; null if these are none. */
  people: Nullable(Type.Integer({ minimum: 0 })),
  deleted: Type.Boolean(),
});
export type ColleagueLabel = Static<typeof ColleagueLabel>;

export const exampleContent = { name: "Field training", colour: "#2563eb", icon: "tabler:school" };
export const exampleGiven: GivenLabel = { ...exampleContent, id: 3, until: "2026-12-31" };
export const exampleLabel: ColleagueLabel = { ...exampleContent, id: 3, version: 1, people: 4, deleted: false };
