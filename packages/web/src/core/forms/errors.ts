import { Settings } from "typebox/system";
import { Errors } from "typebox/value";
import type { Problem } from "#core/problem.ts";
import { hasType, schemaAt, type FormContract, type FormSchema, type Values } from "./contract.ts";

/** Why a value does not fit: a key below `web.form.wrong`, and the limit that it names. */
export interface FieldError {
  readonly kind:
    | "needed"
    | "shorter"
    | "longer"
    | "lower"
    | "higher"
    | "wholeNumber"
    | "number"
    | "fewer"
    | "more"
    | "twice"
    | "notOffered"
    | "form"
    | "other";
  readonly count?: number;
}

// Beyond this number errors are left out silently; the library's default is 8.
Settings.Set({ maxErrors: 1000 });

interface Found {
  readonly keyword: string;
  readonly instancePath: string;
  readonly params: unknown;
}

/** The first error of each field, by its path with dots. */
export function errorsOf({ schema }: FormContract, values: Values): Record<string, FieldError> {
  const errors: Record<string, FieldError> = {};
  for (const { keyword, instancePath, params } of Errors(schema as never, values) as readonly Found[]) {
    const path = instancePath.slice(1).replaceAll("/", ".");
    // It repeats the errors of properties that are not declared.
    if (keyword === "boolean") continue;
    if (keyword === "required") {
      const { requiredProperties = [] } = params as { requiredProperties?: readonly string[] };
      for (const name of requiredProperties) errors[path === "" ? name : `${path}.${name}`] ??= { kind: "needed" };
    } else errors[path] ??= errorOf(keyword, params, schemaAt(schema, path) ?? {});
  }
  return errors;
}

const KINDS: Readonly<Record<string, FieldError["kind"]>> = {
  minLength: "shorter",
  maxLength: "longer",
  minimum: "lower",
  exclusiveMinimum: "lower",
  maximum: "higher",
  exclusiveMaximum: "higher",
  minItems: "fewer",
  maxItems: "more",
  uniqueItems: "twice",
  enum: "notOffered",
  pattern: "form",
  format: "form",
};

function errorOf(keyword: string, params: unknown, schema: FormSchema): FieldError {
  const { limit } = params as { limit?: number };
  if ((keyword === "minLength" || keyword === "minItems") && limit === 1) return { kind: "needed" };
  if (keyword === "type") {
    if (hasType(schema, "integer")) return { kind: "wholeNumber" };
    return { kind: hasType(schema, "number") ? "number" : "needed" };
  }
  const kind = KINDS[keyword] ?? "other";
  return limit === undefined ? { kind } : { kind, count: limit };
}

/** The field of the form that the server's refusal names; null when it names none of them. */
export function fieldOf({ at }: FormContract, problem: Problem, fields: readonly string[]): string | null {
  const named = problem.params["field"];
  if (typeof named !== "string") return null;
  const path = at !== "" && named.startsWith(`${at}.`) ? named.slice(at.length + 1) : named;
  const holds = (field: string) => path === field || path.startsWith(`${field}.`);
  return fields.find(holds) ?? null;
}
