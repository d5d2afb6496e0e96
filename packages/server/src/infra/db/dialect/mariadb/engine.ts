import { MysqlAdapter, MysqlQueryCompiler } from "kysely";
import { DatabaseUnavailable } from "#core/db/errors.ts";
import type { MariadbDsn } from "#core/dsn.ts";
import type { Clock } from "#core/ports/clock.ts";
import { watchOpen, type Engine, type OpenListener, type SqlConnection } from "../../connection.ts";
import { Failure } from "../../failure.ts";
import { ConnectionPool, type PoolLimits } from "../../pool.ts";
import { mariadbDialect } from "./dialect.ts";

export interface MariadbEngineOptions {
  readonly dsn: MariadbDsn;
  readonly limits: PoolLimits;
  readonly fixedNow: (() => number) | null;
  readonly disableLocking: boolean;
  readonly clock: Clock;
  readonly onOpen: OpenListener;
}

export function mariadbEngine(options: MariadbEngineOptions): Engine {
  const { dsn, clock } = options;
  const closed = new AbortController();
  const open = () =>
    watchOpen<SqlConnection>(async () => {
      if (!/^[A-Za-z0-9_]+$/.test(dsn.collation)) {
        throw new Failure(
          "unreachable",
          new DatabaseUnavailable(`database.dsn: ${dsn.collation} is not a collation; use utf8mb4_unicode_ci`),
        );
      }
      // Loaded here, because a process on SQLite does not need the driver.
      const { MariadbConnection } = await import("./connection.ts");
      return await MariadbConnection.open(dsn, clock, closed.signal);
    }, options.onOpen);
  const pool = new ConnectionPool<SqlConnection>("database", open, options.limits, clock);
  return {
    kind: "mariadb",
    dialect: mariadbDialect(!options.disableLocking, options.fixedNow),
    adapter: new MysqlAdapter(),
    compiler: new MysqlQueryCompiler(),
    readers: pool,
    writers: pool,
    collation: dsn.collation,
    disableLocking: options.disableLocking,
    close() {
      closed.abort(new DatabaseUnavailable("the database was closed"));
      return pool.close();
    },
  };
}
