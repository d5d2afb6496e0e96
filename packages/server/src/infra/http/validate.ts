import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { AppError } from "#core/errors.ts";
import { doorErrors } from "#core/contract/door.ts";
import { describeProblem } from "#core/schema-problem.ts";
import { unstorable } from "#core/storable.ts";

/**
 * Checks one part of a request. Compiled at first use: four hundred operations compiled at start
 * would cost seconds.
 */
export interface Check {
  (value: unknown): unknown;
}

export function createCheck(schema: TSchema, part: "params" | "query" | "body", itemwise = false): Check {
  const asked = itemwise ? openItems(schema) : schema;
  const refuse = ({ field, problem }: { readonly field: string; readonly problem: string }) =>
    new AppError(doorErrors.invalidInput, {
      params: { field: part === "body" ? field || "body" : `${part}.${field || "body"}`, problem },
    });
  let validator: Validator | undefined;
  return (value) => {
    validator ??= Compile(asked);
    const given = value ?? (part === "body" ? undefined : {});
    const converted = part === "body" ? given : validator.Convert(given);
    const filled = validator.Default(converted);
    if (!validator.Check(filled)) throw refuse(describeProblem(validator.Errors(filled)));
    const text = unstorable(itemwise ? { ...(filled as object), items: [] } : filled);
    if (text !== null) throw refuse(text);
    return filled;
  };
}

/** The body schema of an itemwise operation with its items left open: the handler checks them. */
function openItems(body: TSchema): TSchema {
  const schema = body as unknown as { properties: Record<string, { items?: unknown }> };
  const items = schema.properties["items"];
  if (!items) throw new Error("an itemwise operation needs body.items");
  return { ...schema, properties: { ...schema.properties, items: { ...items, items: {} } } };
}
