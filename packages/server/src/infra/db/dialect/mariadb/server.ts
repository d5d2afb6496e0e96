import { DatabaseUnsupported } from "#core/db/errors.ts";
import { Failure } from "../../failure.ts";

export interface ServerFacts {
  readonly version: string;
  /** Isolation level of units of work. */
  readonly writeIsolation: "READ COMMITTED" | "REPEATABLE READ";
}

const versionPattern = /^(\d+)\.(\d+)\.(\d+)/;

/** Refuses a server without the required features (skip locked, CHECK, window functions). */
export function checkServer(version: string, address: string): void {
  const numbers = versionPattern.exec(version)?.slice(1).map(Number);
  const make = /mariadb/i.test(version) ? "MariaDB" : "MySQL";
  const [major, minor] = numbers ?? [0, 0];
  const enough = make === "MariaDB" ? major! > 10 || (major === 10 && minor! >= 6) : major! >= 8;
  if (enough) return;
  const text = `database.dsn: ${address} is ${make} ${version}; Rollcall requires MariaDB 10.6 or MySQL 8.0, or later`;
  throw new Failure("unreachable", new DatabaseUnsupported(text));
}

/**
 * READ COMMITTED: each statement of a unit of work sees what is committed, and gaps are not locked.
 * A server that logs statements instead of rows refuses writes at that level.
 */
export function factsOf(variables: ReadonlyMap<string, string>): ServerFacts {
  const logsStatements = variables.get("log_bin") === "ON" && variables.get("binlog_format")?.toUpperCase() === "STATEMENT";
  return {
    version: variables.get("version") ?? "unknown",
    writeIsolation: logsStatements ? "REPEATABLE READ" : "READ COMMITTED",
  };
}

/** Returns `Variable_name` and `Value`; servers without a variable omit it. */
export const serverFactsQuery = "show global variables where variable_name in ('version', 'log_bin', 'binlog_format')";
