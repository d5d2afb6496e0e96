import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";

const compiled = new WeakMap<TSchema, Validator>();

/** The validator of a schema, compiled on first use. */
export function validatorOf(schema: TSchema): Validator {
  const validator: Validator = compiled.get(schema) ?? Compile(schema);
  compiled.set(schema, validator);
  return validator;
}
