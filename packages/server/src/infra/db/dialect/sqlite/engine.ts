import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { SqliteAdapter, SqliteQueryCompiler } from "kysely";
import { DatabaseUnavailable } from "#core/db/errors.ts";
import type { SqliteDsn } from "#core/dsn.ts";
import type { Clock } from "#core/ports/clock.ts";
import { Failure } from "../../failure.ts";
import { ConnectionPool, type PoolLimits } from "../../pool.ts";
import { watchOpen, type Engine, type OpenListener, type SqlConnection } from "../../connection.ts";
import { SqliteConnection } from "./connection.ts";
import { sqliteDialect } from "./dialect.ts";
import { readerChoice } from "./readers.ts";
import { SqliteThread } from "./thread.ts";

export interface SqliteEngineOptions {
  readonly dsn: SqliteDsn;
  readonly limits: PoolLimits;
  readonly readerThreads: number;
  readonly durable: boolean;
  readonly busyTimeoutMs: number;
  readonly fixedNow: (() => number) | null;
  readonly disableLocking: boolean;
  readonly clock: Clock;
  readonly onOpen: OpenListener;
}

function createFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const text = `database.dsn: cannot create the folder ${folder} (${code}); choose another path or create it`;
    throw new Failure("unreachable", new DatabaseUnavailable(text));
  }
}

/**
 * One writer connection in a thread of its own, and readers in a few threads. The pool options of the
 * configuration limit the readers; the writer is additional and stays open.
 */
export function sqliteEngine(options: SqliteEngineOptions): Engine {
  const { dsn, limits, clock } = options;
  const setup = { file: dsn.file, busyTimeoutMs: options.busyTimeoutMs, durable: options.durable };
  const writer = new SqliteThread("sqlite-writer", { ...setup, role: "writer" }, clock);
  const readerThreads = Array.from(
    { length: options.readerThreads },
    (_, at) => new SqliteThread(`sqlite-reader-${at + 1}`, { ...setup, role: "reader" }, clock),
  );
  const pickReader = readerChoice(readerThreads);

  let created = false;
  const firstOpened = Promise.withResolvers<void>();
  const openWriter = () =>
    watchOpen<SqlConnection>(async () => {
      createFolder(dirname(dsn.file));
      const connection = await SqliteConnection.open(() => writer);
      created = true;
      firstOpened.resolve();
      return connection;
    }, options.onOpen);
  const writers = new ConnectionPool<SqlConnection>(
    "writer",
    openWriter,
    { maxOpen: 1, maxIdle: 1, maxIdleTimeMs: 0, maxLifetimeMs: 0, waitLimitMs: limits.waitLimitMs },
    clock,
  );
  const openReader = async (): Promise<SqlConnection> => {
    if (!created) {
      // The writer creates the file and switches it to WAL, and may be busy right afterwards.
      const visit = writers.acquire().then((connection) => writers.release(connection));
      visit.catch(() => undefined);
      await Promise.race([firstOpened.promise, visit]);
    }
    return await watchOpen(() => SqliteConnection.open(pickReader), options.onOpen);
  };
  const readers = new ConnectionPool<SqlConnection>("reader", openReader, limits, clock);

  return {
    kind: "sqlite",
    dialect: sqliteDialect(options.fixedNow),
    adapter: new SqliteAdapter(),
    compiler: new SqliteQueryCompiler(),
    readers,
    writers,
    collation: null,
    disableLocking: options.disableLocking,
    async close() {
      await readers.close();
      await writers.close();
      await Promise.all([writer, ...readerThreads].map((thread) => thread.stop()));
    },
  };
}
