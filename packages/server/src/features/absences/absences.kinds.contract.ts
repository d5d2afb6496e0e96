import { Type, type Static } from "typebox";
import { access, defineOperation, extend, Nullable, Version } from "#core/contract/index.ts";
import {
  AbsenceKind,
  absencesErrors,
  absencesPermissions,
  exampleKind,
  exampleKindContent,
  id,
  KindContent,
  mostKinds,
} from "./absences.base.contract.ts";

const { kinds } = absencesPermissions;
const byId = Type.Object({ id });

/** What counts for all absences of a job. */
export const AbsenceRules = Type.Object({
  /** 0 while nobody changed them. */
  version: Type.Integer({ minimum: 0 }),
  /** Percent of the colleagues: with more absent at once, the form warns. Null for no warning. */
  share: Nullable(Type.Integer({ minimum: 1, maximum: 100 })),
});
export type AbsenceRules = Static<typeof AbsenceRules>;

export const usualShare = 30;

export const listKinds = defineOperation({
  id: "absences.listKinds",
  method: "GET",
  path: "/api/absences/kinds",
  summary: "Kinds of absence of your job, in their order, and its rules; without a kind of its own a job has the shipped one",
  access: access.character(),
  rate: "read",
  input: {},
  /** Deleted ones only for those who may restore them. */
  output: Type.Object({ items: Type.Array(AbsenceKind), rules: AbsenceRules }),
  example: { output: { items: [exampleKind], rules: { version: 0, share: usualShare } } },
});

export const createKind = defineOperation({
  id: "absences.createKind",
  method: "POST",
  path: "/api/absences/kinds",
  summary: "Create a kind of absence of your job",
  access: access.permission(kinds),
  rate: "write",
  input: { body: KindContent },
  output: AbsenceKind,
  errors: [absencesErrors.nameTaken, absencesErrors.kindsFull, absencesErrors.deletedFull],
  example: { body: exampleKindContent, output: exampleKind },
});

export const putKind = defineOperation({
  id: "absences.putKind",
  method: "PUT",
  path: "/api/absences/kinds/:id",
  summary: "Change a kind of absence",
  access: access.permission(kinds),
  rate: "write",
  input: { params: byId, body: extend(KindContent, { version: Version }) },
  output: AbsenceKind,
  errors: [absencesErrors.kindNotFound, absencesErrors.nameTaken, absencesErrors.stale],
  example: { params: { id: 3 }, body: { ...exampleKindContent, version: 1 }, output: exampleKind },
});

export const removeKind = defineOperation({
  id: "absences.removeKind",
  method: "DELETE",
  path: "/api/absences/kinds/:id",
  summary: "Delete a kind of absence; absences of it stay, and it can be restored",
  access: access.permission(kinds),
  rate: "write",
  input: { params: byId },
  output: null,
  errors: [absencesErrors.kindNotFound],
  example: { params: { id: 3 } },
});

export const restoreKind = defineOperation({
  id: "absences.restoreKind",
  method: "POST",
  path: "/api/absences/kinds/:id/restore",
  summary: "Restore a deleted kind of absence",
  access: access.permission(kinds),
  rate: "write",
  input: { params: byId },
  output: AbsenceKind,
  errors: [absencesErrors.kindNotFound, absencesErrors.nameTaken, absencesErrors.kindsFull],
  example: { params: { id: 3 }, output: exampleKind },
});

/** Kinds that are not named keep their order behind the others. */
export const orderKinds = defineOperation({
  id: "absences.orderKinds",
  method: "PUT",
  path: "/api/absences/kinds",
  summary: "Put the kinds of absence of your job into an order",
  access: access.permission(kinds),
  rate: "write",
  input: { body: Type.Object({ ids: Type.Array(id, { minItems: 1, maxItems: mostKinds }) }) },
  output: null,
  errors: [absencesErrors.kindNotFound],
  example: { body: { ids: [3, 1, 2] } },
});

export const putRules = defineOperation({
  id: "absences.putRules",
  method: "PUT",
  path: "/api/absences/rules",
  summary: "Change from which share of absent colleagues on the form warns",
  access: access.permission(kinds),
  rate: "write",
  input: { body: AbsenceRules },
  output: AbsenceRules,
  errors: [absencesErrors.stale],
  example: { body: { version: 0, share: 25 }, output: { version: 1, share: 25 } },
});
