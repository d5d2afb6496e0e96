import { Type, type Static } from "typebox";
import { access, defineOperation, extend, Nullable, OneOf, Version } from "#core/contract/index.ts";
import { IconName } from "#features/icons/icons.contract.ts";
import { Colour, id, unitsErrors, unitsPermissions } from "./units.base.contract.ts";
import { baseKinds } from "./units.machine.ts";

const { manage } = unitsPermissions;
const byId = Type.Object({ id });

export const mostStatuses = 20;

const shownAs = {
  name: Type.String({ minLength: 1, maxLength: 24 }),
  colour: Colour,
  icon: Nullable(IconName),
};

export const StatusLook = Type.Object(shownAs);
export const StatusContent = Type.Object({ ...shownAs, base: OneOf(baseKinds) });
export type StatusContent = Static<typeof StatusContent>;

export const CustomStatus = extend(StatusContent, { id, version: Version, deleted: Type.Boolean() });
export type CustomStatus = Static<typeof CustomStatus>;

const minutes = Nullable(Type.Integer({ minimum: 1, maximum: 120 }));

/** What counts for all units of a job. */
export const UnitRules = Type.Object({
  /** 0 while nobody changed them. */
  version: Type.Integer({ minimum: 0 }),
  /** A unit that has its minimum crew again is available again. */
  returns: Type.Boolean(),
  /** Members of the job join and leave units by themselves; otherwise those who assign people do it. */
  selfJoin: Type.Boolean(),
  /** A crew that has been busy or on a break for so long gets a reminder, every 15 minutes; null for none. */
  longMinutes: minutes,
  /** Who is on duty without a unit for so long gets a reminder, and again each time; null for none. */
  aloneMinutes: minutes,
});
export type UnitRules = Static<typeof UnitRules>;

export const usualRules: UnitRules = { version: 0, returns: true, selfJoin: true, longMinutes: 12, aloneMinutes: 3 };

export const exampleStatusContent: StatusContent = { name: "At court", base: "busy", colour: "#7c3aed", icon: null };
const exampleStatus: CustomStatus = { ...exampleStatusContent, id: 3, version: 1, deleted: false };
const { base: _, ...exampleLook } = exampleStatusContent;

export const listStatuses = defineOperation({
  id: "units.listStatuses",
  method: "GET",
  path: "/api/units/statuses",
  summary: "Custom statuses of your job, in their order, and its rules for units",
  access: access.character(),
  rate: "read",
  input: {},
  /** Deleted ones only for those who may restore them. */
  output: Type.Object({ items: Type.Array(CustomStatus), rules: UnitRules }),
  example: { output: { items: [exampleStatus], rules: usualRules } },
});

export const createStatus = defineOperation({
  id: "units.createStatus",
  method: "POST",
  path: "/api/units/statuses",
  summary: "Create a custom status of your job, which behaves as its base kind",
  access: access.permission(manage),
  rate: "write",
  input: { body: StatusContent },
  output: CustomStatus,
  errors: [unitsErrors.statusTaken, unitsErrors.statusesFull, unitsErrors.statusesDeletedFull],
  example: { body: exampleStatusContent, output: exampleStatus },
});

/** Its base kind stays: units may be in it. */
export const putStatus = defineOperation({
  id: "units.putStatus",
  method: "PUT",
  path: "/api/units/statuses/:id",
  summary: "Change name, colour and icon of a custom status",
  access: access.permission(manage),
  rate: "write",
  input: { params: byId, body: extend(StatusLook, { version: Version }) },
  output: CustomStatus,
  errors: [unitsErrors.statusNotFound, unitsErrors.statusTaken, unitsErrors.stale],
  example: { params: { id: 3 }, body: { ...exampleLook, version: 1 }, output: exampleStatus },
});

export const removeStatus = defineOperation({
  id: "units.removeStatus",
  method: "DELETE",
  path: "/api/units/statuses/:id",
  summary: "Delete a custom status; units that have it keep its base kind, and it can be restored",
  access: access.permission(manage),
  rate: "write",
  input: { params: byId },
  output: null,
  errors: [unitsErrors.statusNotFound],
  example: { params: { id: 3 } },
});

export const restoreStatus = defineOperation({
  id: "units.restoreStatus",
  method: "POST",
  path: "/api/units/statuses/:id/restore",
  summary: "Restore a deleted custom status",
  access: access.permission(manage),
  rate: "write",
  input: { params: byId },
  output: CustomStatus,
  errors: [unitsErrors.statusNotFound, unitsErrors.statusTaken, unitsErrors.statusesFull],
  example: { params: { id: 3 }, output: exampleStatus },
});

export const orderStatuses = defineOperation({
  id: "units.orderStatuses",
  method: "PUT",
  path: "/api/units/statuses",
  summary: "Put the custom statuses of your job into an order",
  access: access.permission(manage),
  rate: "write",
  input: { body: Type.Object({ ids: Type.Array(id, { minItems: 1, maxItems: mostStatuses }) }) },
  output: null,
  errors: [unitsErrors.statusNotFound],
  example: { body: { ids: [3, 1, 2] } },
});

export const putRules = defineOperation({
  id: "units.putRules",
  method: "PUT",
  path: "/api/units/rules",
  summary: "Change what counts for all units of your job",
  access: access.permission(manage),
  rate: "write",
  input: { body: UnitRules },
  output: UnitRules,
  errors: [unitsErrors.stale],
  example: { body: usualRules, output: { ...usualRules, version: 1 } },
});
