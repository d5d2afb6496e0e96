import type { TObject, TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { AppError } from "#core/errors.ts";
import { guardErrors } from "#core/contract/guard.ts";
import { nearestName } from "#core/nearest.ts";
import { describeProblem } from "#core/schema-problem.ts";
import { unstorable } from "#core/storable.ts";

/**
 * Validates one part of a request. The schema is compiled at first use: compiling all operations at
 * start would take seconds.
 */
export interface Check {
  (value: unknown): unknown;
}

export function createCheck(schema: TSchema, part: "params" | "query" | "body", itemwise = false): Check {
  const checked = itemwise ? openItems(schema) : schema;
  const refuse = ({ field, problem }: { readonly field: string; readonly problem: string }) =>
    new AppError(guardErrors.invalidInput, {
      params: { field: part === "body" ? field || "body" : `${part}.${field || "body"}`, problem },
    });
  let validator: Validator | undefined;
  const wholeNumbers = wholeNumbersOf(checked);
  return (value) => {
    validator ??= Compile(checked);
    const given = value ?? (part === "body" ? undefined : {});
    const converted = part === "body" ? given : withoutRounding(given, (value) => validator!.Convert(value), wholeNumbers);
    const filled = validator.Default(converted);
    if (!validator.Check(filled)) throw refuse(describeProblem(validator.Errors(filled), checked));
    const text = unstorable(itemwise ? { ...(filled as object), items: [] } : filled);
    if (text !== null) throw refuse(text);
    return filled;
  };
}

const wholeNumbersOf = (schema: TSchema): string[] =>
  Object.entries((schema as Partial<TObject>).properties ?? {})
    .filter(([, property]) => (property as { type?: unknown }).type === "integer")
    .map(([name]) => name);

/** Conversion, which changes the object, makes 7 of `7.5` and 1000 of `1e3`. What is not written in digits stays, to be refused. */
function withoutRounding(given: unknown, convert: (given: unknown) => unknown, names: readonly string[]): unknown {
  const texts = { ...(given as Readonly<Record<string, unknown>>) };
  const isWhole = (text: string) => /^-?\d+$/.test(text) && Number.isSafeInteger(Number(text));
  const odd = names.filter((name) => typeof texts[name] === "string" && !isWhole(texts[name]));
  const converted = convert(given);
  if (odd.length === 0) return converted;
  return { ...(converted as object), ...Object.fromEntries(odd.map((name) => [name, texts[name]])) };
}

/** The longest name that an answer repeats. */
const mostNameLength = 64;

/**
 * Refuses fields of a query that the schema does not declare. The Sync API is called by programs of others, where a
 * misspelled field that is ignored looks like one that works. Pages are not checked: during an upgrade those of the
 * newer program call processes of the older one.
 */
export function createNameCheck(query: TObject | undefined): (given: unknown) => void {
  const known = Object.keys(query?.properties ?? {});
  return (given) => {
    const unknown = Object.keys(given ?? {}).find((name) => !known.includes(name));
    if (unknown === undefined) return;
    const name = Array.from(unknown).slice(0, mostNameLength).join("");
    const nearest = nearestName(name, known);
    const instead = known.length === 0 ? "this call accepts no query" : `this call accepts ${known.join(", ")}`;
    const problem = `is not known; ${nearest === null ? instead : `write ${nearest}`}`;
    throw new AppError(guardErrors.invalidInput, { params: { field: `query.${name}`, problem } });
  };
}

/** The body schema of an itemwise operation with unchecked items: the handler validates them. */
function openItems(body: TSchema): TSchema {
  const schema = body as unknown as { properties: Record<string, { items?: unknown }> };
  const items = schema.properties["items"];
  if (!items) throw new Error("an itemwise operation requires body.items");
  return { ...schema, properties: { ...schema.properties, items: { ...items, items: {} } } };
}
