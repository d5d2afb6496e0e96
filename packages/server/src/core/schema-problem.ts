import type { TSchema } from "typebox";

/** An error that a compiled schema reports for a value. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly message: string;
  readonly keyword: string;
  readonly params?: unknown;
}

/** The part of a schema at the path of an error, as `#/properties/items/items`. */
function partAt(schema: TSchema, path: string): unknown {
  const names = path.split("/").slice(1);
  return names.reduce<unknown>(
    (part, name) => (part as Record<string, unknown> | undefined)?.[name.replaceAll("~1", "/").replaceAll("~0", "~")],
    schema,
  );
}

/** What a pattern asks for, in the words of its schema: people cannot be expected to read a regular expression. */
function problemOfPattern(schema: TSchema, { schemaPath }: SchemaError): string {
  const words = (partAt(schema, schemaPath) as { readonly [name: string]: unknown } | undefined)?.["x-problem"];
  return typeof words === "string" ? words : "does not have the form that the description of the API names";
}

const types: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
};
const inTypes = (type: string | readonly string[]) =>
  [type]
    .flat()
    .map((one) => types[one] ?? one)
    .join(" or ");

const limited: Readonly<Record<string, (limit: number) => string>> = {
  minLength: (limit) => (limit === 1 ? "must not be empty" : `must have at least ${limit} characters`),
  maxLength: (limit) => `must have at most ${limit} characters`,
  minItems: (limit) => (limit === 1 ? "must have at least one item" : `must have at least ${limit} items`),
  maxItems: (limit) => `must have at most ${limit} items`,
  minimum: (limit) => `must be at least ${limit}`,
  maximum: (limit) => `must be at most ${limit}`,
};

/** What a keyword asks for, in plain words; null for one that needs no other words than those of the library. */
function problemOfKeyword({ keyword, params }: SchemaError): string | null {
  const { limit, type, allowedValues } = (params ?? {}) as {
    readonly limit?: number;
    readonly type?: string | readonly string[];
    readonly allowedValues?: readonly unknown[];
  };
  if (limit !== undefined && Object.hasOwn(limited, keyword)) return limited[keyword]!(limit);
  if (keyword === "type" && type !== undefined) return `must be ${inTypes(type)}`;
  if (keyword === "enum" && allowedValues !== undefined) return `must be one of ${allowedValues.map(String).join(", ")}`;
  return keyword === "boolean" ? "is not known" : null;
}

/** The path of the field with dots, empty for the whole value, and its first problem. */
export function describeProblem(errors: readonly SchemaError[], schema: TSchema): { field: string; problem: string } {
  const [first] = errors;
  if (!first) return { field: "", problem: "is not valid" };
  const path = first.instancePath.slice(1).replaceAll("/", ".");
  if (first.keyword === "required") {
    const { requiredProperties } = (first.params ?? {}) as { requiredProperties?: readonly string[] };
    return { field: [path, requiredProperties?.[0]].filter(Boolean).join("."), problem: "is missing" };
  }
  const problem = first.keyword === "pattern" ? problemOfPattern(schema, first) : problemOfKeyword(first);
  return { field: path, problem: problem ?? first.message };
}
