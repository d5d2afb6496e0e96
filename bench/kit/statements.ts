import { MariadbConnection } from "../../packages/server/src/infra/db/dialect/mariadb/connection.ts";
import { SqliteConnection } from "../../packages/server/src/infra/db/dialect/sqlite/connection.ts";

/** A statement with its values: the program itself never tells them to anyone. */
export interface SentStatement {
  readonly sql: string;
  readonly params: readonly unknown[];
}

/** Hears of every statement that the composed program sends; ends with the returned call. */
export function recordStatements(heard: (statement: SentStatement) => void): () => void {
  const ends = [MariadbConnection.prototype, SqliteConnection.prototype].map((prototype) => {
    const { execute } = prototype;
    prototype.execute = function (this: never, sql: string, params: readonly unknown[]) {
      heard({ sql, params });
      return execute.call(this, sql, params);
    };
    return () => void (prototype.execute = execute);
  });
  return () => ends.forEach((end) => end());
}
