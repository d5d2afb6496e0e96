import { MariadbConnection } from "../../packages/server/src/infra/db/dialect/mariadb/connection.ts";
import { SqliteConnection } from "../../packages/server/src/infra/db/dialect/sqlite/connection.ts";

/** A statement with its values, which the program itself never logs. */
export interface SentStatement {
  readonly sql: string;
  readonly params: readonly unknown[];
}

/** Observes every statement that the composed program sends, until the returned function is called. */
export function recordStatements(observe: (statement: SentStatement) => void): () => void {
  const ends = [MariadbConnection.prototype, SqliteConnection.prototype].map((prototype) => {
    const { execute } = prototype;
    prototype.execute = function (this: never, sql: string, params: readonly unknown[]) {
      observe({ sql, params });
      return execute.call(this, sql, params);
    };
    return () => void (prototype.execute = execute);
  });
  return () => ends.forEach((end) => end());
}
