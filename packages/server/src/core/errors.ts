import type { ErrorDefinition } from "./contract/errors.ts";

/**
 * An error that is shown to the caller: a declared code with the parameters of its message, and a
 * private detail for the log.
 */
export class AppError extends Error {
  override name = "AppError";
  readonly definition: ErrorDefinition;
  readonly params: Readonly<Record<string, string | number>>;
  readonly detail: string | undefined;
  /** Extra members of the problem document, for example the current state on a conflict. */
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(
    definition: ErrorDefinition,
    options: {
      params?: Record<string, string | number>;
      detail?: string;
      extra?: Record<string, unknown>;
      cause?: unknown;
    } = {},
  ) {
    super(definition.code, { cause: options.cause });
    this.definition = definition;
    this.params = options.params ?? {};
    this.detail = options.detail;
    this.extra = options.extra ?? {};
  }
}
