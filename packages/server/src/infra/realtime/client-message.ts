import { type ClientMessage, clientMessages } from "#core/contract/index.ts";
import { Compile, type Validator } from "typebox/compile";

const validators = new Map<string, Validator>();

/** The parsed message, or a description of the problem. */
export function parseClientMessage(text: string): ClientMessage | string {
  let message: unknown;
  try {
    message = JSON.parse(text);
  } catch {
    return "not JSON";
  }
  const type = (message as { type?: unknown } | null)?.type;
  if (typeof type !== "string" || !Object.hasOwn(clientMessages, type)) return "unknown type";
  const schema = clientMessages[type as keyof typeof clientMessages];
  let validator = validators.get(type);
  if (!validator) validators.set(type, (validator = Compile(schema)));
  if (validator.Check(message)) return message as ClientMessage;
  const [error] = validator.Errors(message);
  return `${type}${error?.instancePath ?? ""} ${error?.message ?? "is not valid"}`;
}
