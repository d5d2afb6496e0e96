export type FailureKind =
  /** The database rolled the transaction back in favour of another one. */
  | "deadlock"
  /** The connection broke. */
  | "lost"
  /** No connection could be opened, or the database cannot work at all (disk full, damaged file). */
  | "unreachable"
  /** The statement failed; the transaction can continue. */
  | "statement";

/** The kind of failure of a connection or statement, with the error of `core/db` for callers. */
export class Failure extends Error {
  override name = "Failure";
  readonly kind: FailureKind;
  readonly seen: Error;
  constructor(kind: FailureKind, seen: Error) {
    super(seen.message);
    this.kind = kind;
    this.seen = seen;
  }
}

export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure("statement", error instanceof Error ? error : new Error(String(error)));
}

/** The error for callers: the cause of a `Failure`, which itself is internal. */
export function publicError(error: unknown): unknown {
  return error instanceof Failure ? error.seen : error;
}

/**
 * Both databases accept the same values: null, finite numbers, strings, booleans (stored as 0 or 1) and
 * bytes. Throws `TypeError` for anything else, which they would store differently.
 */
export function bindable(value: unknown): null | number | string | Uint8Array {
  if (value === null || typeof value === "string" || value instanceof Uint8Array) return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "bigint" && value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER) return Number(value);
  const what = value === undefined ? "undefined" : value instanceof Date ? "a Date (store milliseconds)" : typeof value;
  throw new TypeError(`a statement cannot bind ${what}`);
}
