import type { PreferenceDefinition } from "#core/contract/index.ts";
import { describeProblem } from "#core/schema-problem.ts";
import { validatorOf } from "#core/validator.ts";
import { preferenceLimits } from "./preferences.contract.ts";

/** The field of a value that does not fit, and why; null when the value fits. */
export function problemOf({ schema }: PreferenceDefinition, value: unknown): { field: string; problem: string } | null {
  const validator = validatorOf(schema);
  return validator.Check(value) ? null : describeProblem(validator.Errors(value), schema);
}

interface Stored {
  readonly v: number;
  readonly value: unknown;
}

export function storedText({ version }: PreferenceDefinition, value: unknown): string {
  return JSON.stringify({ v: version, value } satisfies Stored);
}

/**
 * A stored value as this version reads it. One that it cannot read, because an older or newer version of Rollcall
 * stored it, is read as the default and stays stored until the person sets another.
 */
export function readStored(definition: PreferenceDefinition, text: string): unknown {
  const { v, value } = JSON.parse(text) as Stored;
  const { version, fromPrevious } = definition;
  const present = v === version - 1 && fromPrevious ? fromPrevious(value) : value;
  const readable = v === version || v === version - 1;
  return readable && problemOf(definition, present) === null ? present : definition.default;
}

const bytesOf = (text: string) => new TextEncoder().encode(text).byteLength;

/** Whether one value, or all of an account together, would be larger than what is kept. */
export function tooMuch(text: string, others: readonly string[]): "one" | "all" | null {
  const size = bytesOf(text);
  if (size > preferenceLimits.one) return "one";
  return others.reduce((sum, other) => sum + bytesOf(other), size) > preferenceLimits.all ? "all" : null;
}
