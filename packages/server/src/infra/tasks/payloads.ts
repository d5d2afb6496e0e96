import { Compile, type Validator } from "typebox/compile";
import type { WorkerTaskDefinition } from "#core/contract/index.ts";

const compiled = new WeakMap<WorkerTaskDefinition["payload"], Validator>();

/** Throws `TypeError` unless the payload is as the definition says. */
export function checkPayload({ id, payload: schema }: WorkerTaskDefinition, payload: unknown): void {
  const validator = compiled.get(schema) ?? Compile(schema);
  compiled.set(schema, validator);
  if (validator.Check(payload)) return;
  const [first] = validator.Errors(payload);
  throw new TypeError(`the payload of ${id} is not valid: ${first?.instancePath || "it"} ${first?.message ?? ""}`);
}
