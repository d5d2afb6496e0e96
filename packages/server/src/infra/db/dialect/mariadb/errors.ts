import { DatabaseFull, DatabaseUnavailable, DuplicateKey, SnapshotIsReadOnly, StatementFailed } from "#core/db/errors.ts";
import { addressOf, type MariadbDsn } from "#core/dsn.ts";
import { Failure } from "../../failure.ts";

/** The used properties of a driver error; never its `sql`, which contains values. */
export interface DriverError {
  readonly code?: string;
  readonly errno?: number;
  readonly fatal?: boolean;
  readonly sqlMessage?: string;
  readonly message: string;
}

/** ER_LOCK_DEADLOCK, ER_LOCK_WAIT_TIMEOUT, ER_CHECKREAD: the transaction can be retried. */
const deadlocks = new Set([1213, 1205, 1020]);
/** ER_SERVER_SHUTDOWN, ER_CONNECTION_KILLED, client idle too long. */
const lost = new Set([1053, 1927, 4031]);
/** WSREP not ready, server read-only (two kinds), disk full, table storage full. */
const unusable = new Set([1047, 1290, 1836, 1021, 1114]);
/** Disk full, table storage full. */
const full = new Set([1021, 1114]);

/** A few server messages quote values; these are removed. */
function withoutValues(message: string): string {
  return message
    .replace(/near '[\s\S]*' at line/g, "near '…' at line")
    .replace(/((?:value|entry):? )'[\s\S]*?'( for (?:key|column)|$)/g, "$1'…'$2");
}

function statementFailure(error: DriverError): Failure {
  const code = error.code ?? "UNKNOWN";
  const text = error.sqlMessage ?? error.message;
  if (error.errno === 1062) {
    const key = /for key '([^']+)'\s*$/.exec(text)?.[1] ?? "PRIMARY";
    return new Failure("statement", new DuplicateKey(key.slice(key.lastIndexOf(".") + 1)));
  }
  if (error.errno === 1792) return new Failure("statement", new SnapshotIsReadOnly("a read snapshot refuses writes; use write"));
  const reason = error.errno === 1406 ? "tooLong" : error.errno === 1048 || error.errno === 1364 ? "notNull" : "other";
  return new Failure("statement", new StatementFailed(code, reason, `${code}: ${withoutValues(text)}`));
}

/** The failure of a statement on an open connection. */
export function failureOf(error: DriverError, dsn: MariadbDsn): Failure {
  const errno = error.errno ?? 0;
  if (deadlocks.has(errno)) {
    return new Failure(
      "deadlock",
      new StatementFailed(error.code ?? "ER_LOCK_DEADLOCK", "deadlock", "another transaction locked the same rows"),
    );
  }
  if (unusable.has(errno)) {
    const text = `${addressOf(dsn)} cannot work now: ${withoutValues(error.sqlMessage ?? error.message)}`;
    return new Failure(
      "unreachable",
      full.has(errno) ? new DatabaseFull(`${text}; free some space`) : new DatabaseUnavailable(text),
    );
  }
  if (error.fatal === true || lost.has(errno) || error.sqlMessage === undefined) {
    return new Failure(
      "lost",
      new DatabaseUnavailable(`the connection to ${addressOf(dsn)} broke (${error.code ?? error.message})`),
    );
  }
  return statementFailure(error);
}

const refused: Readonly<Record<string, (dsn: MariadbDsn) => string>> = {
  ER_ACCESS_DENIED_ERROR: (dsn) => `refuses user ${dsn.user}; correct user or password`,
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: (dsn) => `refuses user ${dsn.user}; correct user or password`,
  ER_DBACCESS_DENIED_ERROR: (dsn) => `gives user ${dsn.user} no access to database ${dsn.database}; grant it`,
  ER_BAD_DB_ERROR: (dsn) => `has no database ${dsn.database}; create it or correct the name`,
  ER_UNKNOWN_COLLATION: (dsn) => `does not know the collation ${dsn.collation}; use utf8mb4_unicode_ci`,
  ER_CON_COUNT_ERROR: () => "has too many connections; lower database.maxOpenConns or raise max_connections",
  HANDSHAKE_NO_SSL_SUPPORT: () => "offers no TLS; set tls=false or enable it on the server",
  ECONNREFUSED: () => "refuses connections; start the server or correct the address",
  ENOTFOUND: () => "cannot be resolved; correct the host name",
  EAI_AGAIN: () => "cannot be resolved at the moment; check the DNS server",
  ETIMEDOUT: () => "did not answer in time; check address, firewall and the timeout parameter",
  ENOENT: () => "is not a socket; start the server or correct the path",
};

/** The failure to open a connection. */
export function openFailureOf(error: DriverError, dsn: MariadbDsn): Failure {
  const reason = refused[error.code ?? ""]?.(dsn) ?? `cannot be used: ${withoutValues(error.sqlMessage ?? error.message)}`;
  return new Failure("unreachable", new DatabaseUnavailable(`database.dsn: ${addressOf(dsn)} ${reason}`));
}
