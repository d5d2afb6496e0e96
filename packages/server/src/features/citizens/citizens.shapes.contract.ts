import { defineErrors, definePermission } from "#core/contract/index.ts";

/** Fields of a citizen that a role must name to see them; the others come with `citizens.list`. */
export const citizenFields = ["job", "phone", "licences", "visum", "playtime"] as const;
export type CitizenField = (typeof citizenFields)[number];

export const citizensPermissions = {
  list: definePermission("citizens.list", {
    fields: { type: "strings", values: citizenFields },
    /** Of the field `licences`, the types that are shown. */
    licenceTypes: { type: "data", source: "licences.types" },
  }),
  view: definePermission("citizens.view"),
  resync: definePermission("citizens.resync"),
  /** With `citizens.list`, whose fields decide about the columns. */
  export: definePermission("citizens.export"),
};

export const citizensErrors = defineErrors("citizens", {
  notFound: { status: 404 },
  otherCharacter: { status: 403 },
  fieldHidden: { status: 403, params: ["permission", "field", "job"] },
  noGameServer: { status: 409 },
});
