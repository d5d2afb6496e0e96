import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { describeProblem, type SchemaError } from "#core/schema-problem.ts";
import { unstorable } from "#core/storable.ts";
import type { BatchItem } from "./sync.api.ts";
import { syncErrors, type BatchResult } from "./sync.contract.ts";

type Rejected = BatchResult["rejected"][number];

const compiled = new WeakMap<TSchema, Validator>();

function validatorOf(schema: TSchema): Validator {
  const known = compiled.get(schema) ?? Compile(schema);
  compiled.set(schema, known);
  return known;
}

function messageOf(errors: readonly SchemaError[]): string {
  const { field, problem } = describeProblem(errors);
  return `${field || "item"} ${problem}`;
}

function guessId(idOf: (item: never) => string, item: unknown): string | null {
  try {
    const id: unknown = idOf(item as never);
    return typeof id === "string" ? id.slice(0, 64) : null;
  } catch {
    return null;
  }
}

/** Sorts a batch into valid items and rejected ones; an id that comes twice is rejected the second time. */
export function sortItems<Item>(
  schema: TSchema,
  items: readonly unknown[],
  idOf: (item: Item) => string,
): { valid: BatchItem<Item>[]; rejected: Rejected[] } {
  const validator = validatorOf(schema);
  const seen = new Set<string>();
  const valid: BatchItem<Item>[] = [];
  const rejected: Rejected[] = [];
  items.forEach((item, index) => {
    if (!validator.Check(item)) {
      const message = messageOf(validator.Errors(item));
      rejected.push({ index, id: guessId(idOf, item), code: syncErrors.itemInvalid.code, message });
      return;
    }
    const text = unstorable(item);
    if (text !== null) {
      const message = `${text.field || "item"} ${text.problem}`;
      rejected.push({ index, id: guessId(idOf, item), code: syncErrors.itemInvalid.code, message });
      return;
    }
    const id = idOf(item as Item);
    if (seen.has(id)) {
      rejected.push({
        index,
        id,
        code: syncErrors.duplicateInBatch.code,
        message: `${id} is in this batch twice; send it once`,
      });
      return;
    }
    seen.add(id);
    valid.push({ index, id, item: item as Item });
  });
  return { valid, rejected };
}
