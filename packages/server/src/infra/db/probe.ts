import { DatabaseUnavailable, PoolTimeout } from "#core/db/errors.ts";
import type { Clock } from "#core/ports/clock.ts";
import type { DatabaseState } from "#core/ports/database.ts";
import type { Engine, SqlConnection } from "./connection.ts";
import type { ConnectionPool } from "./pool.ts";

const limitMs = 5_000;

type KnownState = Pick<DatabaseState, "up" | "full">;

async function onConnection(
  pool: ConnectionPool<SqlConnection>,
  use: (connection: SqlConnection) => Promise<void>,
): Promise<void> {
  const connection = await pool.acquire();
  try {
    await use(connection);
  } finally {
    pool.release(connection);
  }
}

/** Whether anything can be stored again: writes a page of the file as it is. A transaction without changes writes nothing. */
async function writeUnchanged(connection: SqlConnection): Promise<void> {
  const { rows } = await connection.execute("pragma user_version", []);
  await connection.execute(`pragma user_version = ${Number(rows[0]?.["user_version"])}`, []);
  await connection.commit();
}

async function probeAll(engine: Engine, { up, full }: KnownState, reached: () => void): Promise<void> {
  await onConnection(engine.readers, async (connection) => {
    reached();
    await connection.execute("select 1", []);
  });
  if (engine.kind === "mariadb" || up) return;
  // A SQLite reader works without the disk: only a write transaction shows that it is available again.
  await onConnection(engine.writers, async (connection) => {
    await connection.begin("write");
    try {
      if (full === true) return await writeUnchanged(connection);
    } catch (error) {
      await connection.rollback().catch(() => undefined);
      throw error;
    }
    return await connection.rollback();
  });
}

/**
 * One round trip, at most 5 s. Rejects with `PoolTimeout` when every connection was busy that long,
 * else with `DatabaseUnavailable` or the failure of the connection.
 */
export async function probe(engine: Engine, clock: Clock, known: KnownState, address: string): Promise<void> {
  let reached = false;
  let limit: { cancel(): void } | undefined;
  const late = new Promise<never>((_, reject) => {
    limit = clock.setTimeout(() => {
      const { open, idle, waiting } = engine.readers.stats();
      const text = `database.dsn: ${address} did not answer within ${limitMs / 1000} s`;
      const busy = !reached && open - idle > waiting;
      reject(
        busy
          ? new PoolTimeout(`${text}: every connection is busy`)
          : new DatabaseUnavailable(`${text}; correct the address or check the server`),
      );
    }, limitMs);
  });
  try {
    await Promise.race([probeAll(engine, known, () => (reached = true)), late]);
  } finally {
    limit?.cancel();
  }
}
