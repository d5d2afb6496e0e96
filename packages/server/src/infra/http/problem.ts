import { AppError } from "#core/errors.ts";
import { guardErrors } from "#core/contract/guard.ts";
import type { ErrorDefinition } from "#core/contract/errors.ts";
import { DatabaseFull, DatabaseUnavailable } from "#core/db/errors.ts";
import { BrokerUnavailable } from "#core/ports/broker.ts";
import { StorageFull, StorageUnavailable } from "#core/ports/storage.ts";

/** An RFC 9457 problem document with the error code, its text key and parameters. */
export interface Problem {
  readonly type: "about:blank";
  readonly title: string;
  readonly status: number;
  readonly code: string;
  /** Key of the message in the feature's texts. */
  readonly key: string;
  readonly params: Readonly<Record<string, string | number>>;
  readonly traceId: string;
  /** Only in debug mode. */
  readonly detail?: string;
  readonly stack?: string;
  /** Shape of the failed statement, without values. */
  readonly statement?: string;
  readonly [extra: string]: unknown;
}

export type ErrorTexts = (code: string, params: Readonly<Record<string, string | number>>) => string;

interface FastifyLikeError {
  readonly code?: unknown;
  readonly statusCode?: unknown;
}

const byFastifyCode: Record<string, ErrorDefinition> = {
  FST_ERR_CTP_BODY_TOO_LARGE: guardErrors.bodyTooLarge,
  FST_ERR_CTP_INVALID_MEDIA_TYPE: guardErrors.unsupportedMediaType,
  FST_ERR_CTP_EMPTY_JSON_BODY: guardErrors.malformedBody,
  FST_ERR_CTP_INVALID_JSON_BODY: guardErrors.malformedBody,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: guardErrors.malformedBody,
};

/** Converts anything thrown into an error for the caller; unknown errors become `system.internal`. */
export function toAppError(thrown: unknown, bodyLimit: number): AppError {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof DatabaseFull) return new AppError(guardErrors.diskFull, { params: { part: "database" }, cause: thrown });
  if (thrown instanceof StorageFull) return new AppError(guardErrors.diskFull, { params: { part: "storage" }, cause: thrown });
  if (thrown instanceof DatabaseUnavailable) {
    return new AppError(guardErrors.unavailable, { params: { part: "database" }, cause: thrown });
  }
  if (thrown instanceof BrokerUnavailable) {
    return new AppError(guardErrors.unavailable, { params: { part: "broker" }, cause: thrown });
  }
  if (thrown instanceof StorageUnavailable) {
    return new AppError(guardErrors.unavailable, { params: { part: "storage" }, cause: thrown });
  }
  const { code, statusCode } = (thrown ?? {}) as FastifyLikeError;
  const known = typeof code === "string" ? byFastifyCode[code] : undefined;
  if (known) {
    const params: Record<string, string | number> = known === guardErrors.bodyTooLarge ? { limit: bodyLimit } : {};
    return new AppError(known, { params, cause: thrown });
  }
  // The client disconnected before the end of its body: not a failure of the server.
  if (code === "ECONNRESET" && statusCode === 400) return new AppError(guardErrors.malformedBody, { cause: thrown });
  if (thrown instanceof SyntaxError && statusCode === 400) return new AppError(guardErrors.malformedBody, { cause: thrown });
  return new AppError(guardErrors.internal, { cause: thrown });
}

export function toProblem(error: AppError, options: { traceId: string; debug: boolean; errorTexts: ErrorTexts }): Problem {
  const { code, status } = error.definition;
  const [feature, name] = code.split(".", 2);
  const cause: Error & { readonly statement?: unknown } = error.cause instanceof Error ? error.cause : error;
  const statement = typeof cause.statement === "string" ? { statement: cause.statement } : {};
  return {
    type: "about:blank",
    title: options.errorTexts(code, error.params),
    status,
    code,
    key: `${feature}.errors.${name}`,
    params: error.params,
    traceId: options.traceId,
    ...error.extra,
    ...(options.debug ? { detail: error.detail ?? cause.message, stack: cause.stack ?? "", ...statement } : {}),
  };
}
