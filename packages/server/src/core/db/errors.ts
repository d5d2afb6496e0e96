/** A row violates a unique key. `constraint` is the index name, for example `accounts_username`; `PRIMARY` for the primary key. */
export class DuplicateKey extends Error {
  override name = "DuplicateKey";
  readonly constraint: string;
  constructor(constraint: string, cause?: unknown) {
    super(`duplicate key: ${constraint}`, { cause });
    this.constraint = constraint;
  }
}

/**
 * A statement that failed for another reason. The message contains no values of the
 * statement; `statement` is its shape (placeholders, no values), only when `mode` is debug.
 */
export class StatementFailed extends Error {
  override name = "StatementFailed";
  /** The database's own code, for example `ER_DATA_TOO_LONG` or `SQLITE_CONSTRAINT_CHECK`. */
  readonly code: string;
  readonly reason: "tooLong" | "notNull" | "deadlock" | "other";
  statement: string | null = null;
  constructor(code: string, reason: StatementFailed["reason"], message: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }
}

/**
 * Thrown by a unit of work that finds its own result outdated, because another one has written the same row
 * first: it is rolled back and repeated, as after a deadlock.
 */
export class Overtaken extends Error {
  override name = "Overtaken";
}

/** A write inside `read`. */
export class SnapshotIsReadOnly extends Error {
  override name = "SnapshotIsReadOnly";
}

/** The database cannot be reached, or the connection broke and the outcome is unknown. */
export class DatabaseUnavailable extends Error {
  override name = "DatabaseUnavailable";
}

/** Nothing can be written because the disk is full; reads may still work. */
export class DatabaseFull extends DatabaseUnavailable {
  override name = "DatabaseFull";
}

/** No connection of the pool became free within the wait limit. */
export class PoolTimeout extends DatabaseUnavailable {
  override name = "PoolTimeout";
}

/** The server is too old or of an unsupported kind; the message names the found and the required version. */
export class DatabaseUnsupported extends DatabaseUnavailable {
  override name = "DatabaseUnsupported";
}

/** A pool query or second unit of work inside a unit of work. */
export class NestedUnitOfWork extends Error {
  override name = "NestedUnitOfWork";
}
