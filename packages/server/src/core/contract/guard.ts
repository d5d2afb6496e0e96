import { defineErrors } from "./errors.ts";

/** Errors of the request guard, which runs before any feature. Their messages are in `features/system`. */
export const guardErrors = defineErrors("system", {
  notFound: { status: 404 },
  invalidInput: { status: 400, params: ["field", "problem"] },
  malformedBody: { status: 400 },
  bodyTooLarge: { status: 413, params: ["limit"] },
  unsupportedMediaType: { status: 415 },
  originNotAllowed: { status: 403, params: ["origin"] },
  headerMissing: { status: 403, params: ["header"] },
  signInNeeded: { status: 401 },
  characterNeeded: { status: 401 },
  tokenInvalid: { status: 401 },
  tokenExpired: { status: 401 },
  permissionMissing: { status: 403, params: ["permission", "job"] },
  configAdminNeeded: { status: 403 },
  jobAdminNeeded: { status: 403 },
  syncTokenInvalid: { status: 401 },
  linkInvalid: { status: 401 },
  linkOpensOther: { status: 403 },
  rateLimited: { status: 429, params: ["seconds"] },
  conflict: { status: 409 },
  idempotencyKeyRunning: { status: 409, params: ["seconds"] },
  idempotencyKeyReused: { status: 422 },
  idempotencyAnswerTooLarge: { status: 409 },
  unavailable: { status: 503, params: ["part"] },
  internal: { status: 500 },
});
