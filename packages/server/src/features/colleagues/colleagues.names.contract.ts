import { Type } from "typebox";
import { access, defineOperation, defineTopic, Nullable } from "#core/contract/index.ts";
import { affix, citizenId, colleaguesPermissions } from "./colleagues.base.contract.ts";

/** Of a job, in one answer; beyond that names stand alone. */
export const mostNames = 5000;

/** Only of people who have a prefix or a suffix: what other pages write around the names of colleagues. */
export const listNames = defineOperation({
  id: "colleagues.names",
  method: "GET",
  path: "/api/colleagues/names",
  summary: "Prefixes and suffixes of the people of your job",
  access: access.permission(colleaguesPermissions.list),
  rate: "read",
  input: {},
  output: Type.Object({
    items: Type.Array(Type.Object({ id: citizenId, prefix: Nullable(affix), suffix: Nullable(affix) }), { maxItems: mostNames }),
  }),
  example: { output: { items: [{ id: 12, prefix: null, suffix: "FTO" }] } },
});

/** Names of the own job may have changed. Duty, which changes often, is no part of it. */
export const namesTopic = defineTopic({
  name: "colleagueNames",
  kind: "event",
  access: access.character(),
  message: Type.Object({ job: Type.String() }),
  invalidates: { answers: [listNames] },
  example: { job: "police" },
});
