import type { WorkerTaskDefinition } from "#core/contract/index.ts";
import { validatorOf } from "#core/validator.ts";

/** Throws `TypeError` unless the payload is as the definition says. */
export function checkPayload({ id, payload: schema }: WorkerTaskDefinition, payload: unknown): void {
  const validator = validatorOf(schema);
  if (validator.Check(payload)) return;
  const [first] = validator.Errors(payload);
  throw new TypeError(`the payload of ${id} is not valid: ${first?.instancePath || "it"} ${first?.message ?? ""}`);
}
