import type { FormContract } from "#core/forms/contract.ts";

/** Grants and limits are chosen, not typed: the server checks them. */
export const anything: FormContract = { at: "", schema: { type: "object", properties: { grants: {}, limited: {}, limits: {} } } };

/** The name of a permission's field: the dot of its id would separate two fields. */
export const fieldOf = (permission: string): string => permission.replace(".", "/");

/** Values by permission as fields of a form. */
export function intoFields(byPermission: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(byPermission).map(([id, value]) => [fieldOf(id), value]));
}

export function fromFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [[field.replace("/", "."), value]])),
  );
}
