import { AppError } from "#core/errors.ts";
import { doorErrors } from "#core/contract/door.ts";
import type { ErrorDefinition } from "#core/contract/errors.ts";
import { DatabaseUnavailable } from "#core/db/errors.ts";
import { BrokerUnavailable } from "#core/ports/broker.ts";
import { StorageUnavailable } from "#core/ports/storage.ts";

/** An RFC 9457 problem document with our code, its text key and parameters. */
export interface Problem {
  readonly type: "about:blank";
  readonly title: string;
  readonly status: number;
  readonly code: string;
  /** Key of the sentence in the feature's texts. */
  readonly key: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly traceId: string;
  /** Only in debug mode. */
  readonly detail?: string;
  readonly stack?: string;
  /** Shape of the statement that failed, without values. */
  readonly statement?: string;
  readonly [extra: string]: unknown;
}

export type Sentences = (code: string, params: Readonly<Record<string, string | number>>) => string;

interface FastifyLikeError {
  readonly code?: unknown;
  readonly statusCode?: unknown;
}

const byFastifyCode: Record<string, ErrorDefinition> = {
  FST_ERR_CTP_BODY_TOO_LARGE: doorErrors.bodyTooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: doorErrors.unsupportedMediaType,
  FST_ERR_CTP_EMPTY_JSON_BODY: doorErrors.malformedBody,
  FST_ERR_CTP_INVALID_JSON_BODY: doorErrors.malformedBody,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: doorErrors.malformedBody,
};

/** Turns anything thrown into the error that callers may see; unknown ones become `system.internal`. */
export function toAppError(thrown: unknown, bodyLimit: number): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof DatabaseUnavailable) {
    return new AppError(doorErrors.unavailable, { params: { part: "database" }, cause: thrown });
  }
  if (thrown instanceof BrokerUnavailable) {
    return new AppError(doorErrors.unavailable, { params: { part: "broker" }, cause: thrown });
  }
  if (thrown instanceof StorageUnavailable) {
    return new AppError(doorErrors.unavailable, { params: { part: "storage" }, cause: thrown });
  }
  const { code, statusCode } = (thrown ?? {}) as FastifyLikeError;
  const known = typeof code === "string" ? byFastifyCode[code] : undefined;
  if (known) {
    const params: Record<string, string | number> = known === doorErrors.bodyTooLarge ? { limit: bodyLimit } : {};
    return new AppError(known, { params, cause: thrown });
  }
  // The caller went away before the end of its body: not our failure, and nobody hears the answer.
  if (code === "ECONNRESET" && statusCode === 400) return new AppError(doorErrors.malformedBody, { cause: thrown });
  if (thrown instanceof SyntaxError && statusCode === 400) return new AppError(doorErrors.malformedBody, { cause: thrown });
  return new AppError(doorErrors.internal, { cause: thrown });
}

export function toProblem(error: AppError, options: { traceId: string; debug: boolean; sentences: Sentences }): Problem {
  const { code, status } = error.definition;
  const [feature, name] = code.split(".", 2);
  const cause: Error & { readonly statement?: unknown } = error.cause instanceof Error ? error.cause : error;
  const statement = typeof cause.statement === "string" ? { statement: cause.statement } : {};
  return {
    type: "about:blank",
    title: options.sentences(code, error.params),
    status,
    code,
    key: `${feature}.errors.${name}`,
    params: error.params,
    traceId: options.traceId,
    ...error.extra,
    ...(options.debug ? { detail: error.detail ?? cause.message, stack: cause.stack ?? "", ...statement } : {}),
  };
}
