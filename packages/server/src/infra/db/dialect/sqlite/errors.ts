import { DatabaseFull, DatabaseUnavailable, DuplicateKey, SnapshotIsReadOnly, StatementFailed } from "#core/db/errors.ts";
import { Failure } from "../../failure.ts";
import type { WorkerError, WorkerSetup } from "./protocol.ts";

const remedies: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_FULL/, "the disk is full; free some space"],
  [/^SQLITE_IOERR/, "reading or writing the file failed; check the disk"],
  [/^SQLITE_CANTOPEN/, "the file cannot be opened; check that its folder exists and is writable"],
  [/^SQLITE_(CORRUPT|NOTADB)/, "the file is damaged or not a SQLite database; restore a backup"],
  [/^SQLITE_PERM|^SQLITE_AUTH/, "access to the file is refused; check its owner and mode"],
  [/^SQLITE_READONLY_(?!ROLLBACK)|^SQLITE_READONLY$/, "the file is not writable; check its owner and mode"],
];

/** The messages contain no values: SQLite's own messages name columns only. */
export function failureOf(error: WorkerError, setup: WorkerSetup): Failure {
  const { code, message } = error;
  if (code === "SQLITE_CONSTRAINT_UNIQUE") return new Failure("statement", new DuplicateKey(error.constraint ?? "PRIMARY"));
  if (code === "SQLITE_CONSTRAINT_PRIMARYKEY" || code === "SQLITE_CONSTRAINT_ROWID")
    return new Failure("statement", new DuplicateKey("PRIMARY"));
  if (code.startsWith("SQLITE_CONSTRAINT")) {
    const reason = code.endsWith("NOTNULL") ? "notNull" : code.endsWith("CHECK") ? "tooLong" : "other";
    return new Failure("statement", new StatementFailed(code, reason, message));
  }
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) {
    return new Failure("deadlock", new StatementFailed(code, "deadlock", "another process has locked the database file"));
  }
  if (code === "SQLITE_READONLY" && setup.role === "reader") {
    return new Failure("statement", new SnapshotIsReadOnly("a read snapshot refuses writes; use write"));
  }
  const remedy = remedies.find(([pattern]) => pattern.test(code));
  if (remedy) {
    const Kind = code.startsWith("SQLITE_FULL") ? DatabaseFull : DatabaseUnavailable;
    return new Failure("unreachable", new Kind(`database.dsn: ${setup.file}: ${remedy[1]} (${code})`));
  }
  return new Failure("statement", new StatementFailed(code, "other", message));
}
