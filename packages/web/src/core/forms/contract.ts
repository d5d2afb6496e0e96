/** A JSON Schema, as far as forms read it. */
export interface FormSchema {
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly required?: readonly string[];
  readonly items?: FormSchema;
  readonly enum?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly pattern?: string;
}

/** What an operation takes: `virtual:form/...` gives one. */
export interface FormContract {
  /** Path of `schema` in the body of the operation, with dots; empty for the whole body. */
  readonly at: string;
  readonly schema: FormSchema;
}

/** The values of a form: those of its contract. */
export type Values = Readonly<Record<string, unknown>>;

/** What an input field takes from its contract. */
export interface Limits {
  readonly required: boolean;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
}

export const hasType = ({ type }: FormSchema, name: string): boolean => [type ?? []].flat().includes(name);

/** The schema of a field, by its path with dots; null when the contract has none. */
export function schemaAt(schema: FormSchema, path: string): FormSchema | null {
  let found: FormSchema | undefined = schema;
  for (const key of path === "" ? [] : path.split("."))
    found = found?.properties?.[key] ?? (/^\d+$/.test(key) ? found?.items : undefined);
  return found ?? null;
}

/** Throws for a path that the contract does not have: the field would never be checked. */
export function limitsOf({ schema }: FormContract, path: string): Limits {
  const field = schemaAt(schema, path);
  const cut = path.lastIndexOf(".");
  const parent = schemaAt(schema, path.slice(0, Math.max(cut, 0)));
  if (!field || !parent) throw new Error(`the contract of this form has no field ${path}`);
  const { maxLength, minimum, maximum, maxItems, minLength = 0, minItems = 0 } = field;
  const named = parent.required?.includes(path.slice(cut + 1)) ?? false;
  const empty = hasType(field, "string") ? minLength === 0 : hasType(field, "array") ? minItems === 0 : hasType(field, "boolean");
  return {
    required: named && !empty && !hasType(field, "null"),
    ...(maxLength === undefined ? {} : { maxLength }),
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(maxItems === undefined ? {} : { maxItems }),
  };
}

/**
 * The values as they are sent: text without space around it, except of the fields `asTyped` (passwords), and nothing
 * in place of an emptied number or of an emptied text that may be left out.
 */
export function cleaned<V extends Values>(schema: FormSchema, values: V, asTyped: readonly string[] = []): V {
  return clean(schema, values, "", new Set(asTyped)) as V;
}

function clean(schema: FormSchema, value: unknown, path: string, asTyped: ReadonlySet<string>): unknown {
  if (typeof value === "string") return hasType(schema, "string") && !asTyped.has(path) ? value.trim() : value;
  if (Array.isArray(value)) return value.map((one) => clean(schema.items ?? {}, one, `${path}.*`, asTyped));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([key, one]) => {
    const field = schema.properties?.[key] ?? {};
    const next = clean(field, one, path === "" ? key : `${path}.${key}`, asTyped);
    const isLeftOut =
      next === "" && !hasType(field, "string") ? field.type !== undefined : next === "" && isOptional(schema, key);
    return isLeftOut ? [] : [[key, next] as const];
  });
  return Object.fromEntries(entries);
}

/** An emptied text is left out where the operation would refuse an empty one and does not need it. */
function isOptional(schema: FormSchema, key: string): boolean {
  const { minLength = 0, pattern } = schema.properties?.[key] ?? {};
  return !(schema.required?.includes(key) ?? false) && (minLength > 0 || pattern !== undefined);
}

export function valueAt(values: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((found, key) => (found as Values | null | undefined)?.[key], values);
}

/** A copy with one value replaced. */
export function withValue<V extends Values>(values: V, path: string, value: unknown): V {
  const [key = "", ...rest] = path.split(".");
  const inner = values[key] as Values | undefined;
  return { ...values, [key]: rest.length === 0 ? value : withValue(inner ?? {}, rest.join("."), value) };
}

/** By content; the order of keys does not matter, and what is undefined counts as left out. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const keys = Object.keys(value).toSorted();
  return Object.fromEntries(keys.map((key) => [key, sorted((value as Values)[key])]));
}
