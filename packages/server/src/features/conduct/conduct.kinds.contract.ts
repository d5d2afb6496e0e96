import { Type, type Static } from "typebox";
import { access, defineOperation, extend, OneOf, Version } from "#core/contract/index.ts";
import {
  conductErrors,
  ConductKind,
  conductPermissions,
  exampleKind,
  exampleKindContent,
  id,
  KindContent,
} from "./conduct.base.contract.ts";

const { kinds, view, write } = conductPermissions;
const byId = Type.Object({ id });

export const mostKinds = 30;
export const mostThresholds = 5;

/** Everybody who sees all entries of the job, or of them only the nearest grade above the person. */
export const notified = ["viewers", "superiors"] as const;

export const Threshold = Type.Object({
  /** Negative ones. */
  points: Type.Integer({ minimum: 1, maximum: 9999 }),
  notify: OneOf(notified),
});
export type Threshold = Static<typeof Threshold>;

export const ConductRules = Type.Object({
  /** 0 while nobody changed them. */
  version: Type.Integer({ minimum: 0 }),
  thresholds: Type.Array(Threshold, { maxItems: mostThresholds }),
});
export type ConductRules = Static<typeof ConductRules>;

export const exampleRules: ConductRules = { version: 1, thresholds: [{ points: 10, notify: "superiors" }] };

export const listKinds = defineOperation({
  id: "conduct.listKinds",
  method: "GET",
  path: "/api/conduct/kinds",
  summary: "Kinds of conduct entries of your job, in their order, and its thresholds",
  access: access.permission(view, write, kinds),
  rate: "read",
  input: {},
  /** Deleted ones only for those who may restore them. */
  output: Type.Object({ items: Type.Array(ConductKind), rules: ConductRules }),
  example: { output: { items: [exampleKind], rules: exampleRules } },
});

export const createKind = defineOperation({
  id: "conduct.createKind",
  method: "POST",
  path: "/api/conduct/kinds",
  summary: "Create a kind of conduct entries of your job",
  access: access.permission(kinds),
  rate: "write",
  input: { body: KindContent },
  output: ConductKind,
  errors: [conductErrors.nameTaken, conductErrors.kindsFull, conductErrors.deletedFull],
  example: { body: exampleKindContent, output: exampleKind },
});

export const putKind = defineOperation({
  id: "conduct.putKind",
  method: "PUT",
  path: "/api/conduct/kinds/:id",
  summary: "Change a kind of conduct entries; what was released keeps its points",
  access: access.permission(kinds),
  rate: "write",
  input: { params: byId, body: extend(KindContent, { version: Version }) },
  output: ConductKind,
  errors: [conductErrors.kindNotFound, conductErrors.nameTaken, conductErrors.stale],
  example: { params: { id: 4 }, body: { ...exampleKindContent, version: 1 }, output: exampleKind },
});

export const removeKind = defineOperation({
  id: "conduct.removeKind",
  method: "DELETE",
  path: "/api/conduct/kinds/:id",
  summary: "Delete a kind of conduct entries; entries of it stay, and it can be restored",
  access: access.permission(kinds),
  rate: "write",
  input: { params: byId },
  output: null,
  errors: [conductErrors.kindNotFound],
  example: { params: { id: 4 } },
});

export const restoreKind = defineOperation({
  id: "conduct.restoreKind",
  method: "POST",
  path: "/api/conduct/kinds/:id/restore",
  summary: "Restore a deleted kind of conduct entries",
  access: access.permission(kinds),
  rate: "write",
  input: { params: byId },
  output: ConductKind,
  errors: [conductErrors.kindNotFound, conductErrors.nameTaken, conductErrors.kindsFull],
  example: { params: { id: 4 }, output: exampleKind },
});

/** Kinds that are not named keep their order behind the others. */
export const orderKinds = defineOperation({
  id: "conduct.orderKinds",
  method: "PUT",
  path: "/api/conduct/kinds",
  summary: "Put the kinds of conduct entries of your job into an order",
  access: access.permission(kinds),
  rate: "write",
  input: { body: Type.Object({ ids: Type.Array(id, { minItems: 1, maxItems: mostKinds }) }) },
  output: null,
  errors: [conductErrors.kindNotFound],
  example: { body: { ids: [4, 1, 2] } },
});

export const putRules = defineOperation({
  id: "conduct.putRules",
  method: "PUT",
  path: "/api/conduct/rules",
  summary: "Change at how many points somebody is notified about a person",
  access: access.permission(kinds),
  rate: "write",
  input: { body: ConductRules },
  output: ConductRules,
  errors: [conductErrors.stale],
  example: { body: { ...exampleRules, version: 0 }, output: exampleRules },
});
