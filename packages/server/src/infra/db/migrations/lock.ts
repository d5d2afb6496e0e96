import { createHash } from "node:crypto";
import { dialectOf, queries } from "#core/db/queries.ts";
import { leaveUnitOfWork } from "#core/db/unit-of-work.ts";
import type { TableOf } from "#core/db/table.ts";
import type { Clock } from "#core/ports/clock.ts";
import type { Tx } from "#core/ports/database.ts";
import { createIds } from "#infra/ids.ts";
import type { SqlDatabase, SqlSession } from "../database.ts";
import { schemaLock } from "./bookkeeping.ts";
import { MigrationRefused } from "./refused.ts";
import { createSteps } from "./steps.ts";

export interface LockOptions {
  readonly clock: Clock;
  readonly waitMs: number;
}

const rowName = "migrate";
const rowTtlMs = 600_000;
const rowRenewMs = 60_000;
const pollMs = 500;

interface Tables {
  schema_lock: TableOf<typeof schemaLock>;
}

function busy(waitMs: number): MigrationRefused {
  return new MigrationRefused(
    `another process has been migrating this database for ${waitMs / 1000} s; wait for it, or stop it, and try again`,
  );
}

/** MariaDB's own lock, which ends with the connection, so that a crash releases it. */
async function withServerLock<T>(session: SqlSession, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const { connection } = session;
  const { rows } = await connection.execute("select database() as name", []);
  const key = `rollcall_migrate_${createHash("sha256").update(String(rows[0]!.name)).digest("hex").slice(0, 32)}`;
  const got = await connection.execute("select get_lock(?, ?) as got", [key, Math.ceil(options.waitMs / 1000)]);
  if (Number(got.rows[0]!.got) !== 1) throw busy(options.waitMs);
  try {
    return await work();
  } finally {
    await connection.execute("select release_lock(?) as done", [key]).catch(() => undefined);
  }
}

async function acquireRow(db: SqlDatabase, tx: Tx, owner: string): Promise<boolean> {
  const now = await db.now(tx);
  const q = queries<Tables>(tx);
  const expires_at = now + rowTtlMs;
  await dialectOf(tx)
    .ignoreConflicts(q.insertInto("schema_lock").values({ name: rowName, owner, expires_at }))
    .execute();
  const result = await q
    .updateTable("schema_lock")
    .set({ owner, expires_at })
    .where("name", "=", rowName)
    .where((eb) => eb.or([eb("owner", "=", owner), eb("expires_at", "<=", now)]))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** A row, for backends without GET_LOCK: acquired by compare-and-set and renewed while the work runs. */
async function withRowLock<T>(db: SqlDatabase, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const { clock, waitMs } = options;
  const owner = createIds(clock).next();
  await db.exclusive("migrate.lock", (session) => createSteps(session, rowName).createTable(schemaLock));
  const take = () => db.write("migrate.lock", (tx) => acquireRow(db, tx, owner));
  const deadline = clock.monotonic() + waitMs;
  while (!(await take())) {
    if (clock.monotonic() >= deadline) throw busy(waitMs);
    await clock.sleep(pollMs);
  }
  let timer: { cancel(): void } | null = null;
  const renewLater = () => {
    timer = clock.setTimeout(() => void take().then(renewLater, renewLater), rowRenewMs);
  };
  leaveUnitOfWork(renewLater);
  try {
    return await work();
  } finally {
    (timer as { cancel(): void } | null)?.cancel();
    await db.write("migrate.unlock", async (tx) => {
      await queries<Tables>(tx).deleteFrom("schema_lock").where("name", "=", rowName).where("owner", "=", owner).execute();
    });
  }
}

/** Runs `work` in one session while no other process migrates. SQLite is locked by its write transaction. */
export async function withMigrationLock<T>(
  db: SqlDatabase,
  locking: boolean,
  options: LockOptions,
  work: (session: SqlSession) => Promise<T>,
): Promise<T> {
  if (db.kind === "sqlite") return await db.exclusive("migrate", work);
  if (locking) return await db.exclusive("migrate", (session) => withServerLock(session, options, () => work(session)));
  return await withRowLock(db, options, () => db.exclusive("migrate", work));
}
