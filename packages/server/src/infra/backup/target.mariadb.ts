import type { Clock } from "#core/ports/index.ts";
import type { MariadbDsn } from "#core/dsn.ts";
import type { SqlDatabase } from "../db/database.ts";
import type { SqlConnection } from "../db/connection.ts";
import { schemaRestore } from "../db/migrations/bookkeeping.ts";
import { BackupRefused } from "./format.ts";
import { placeTables } from "./tables.ts";
import type { RestoreTarget } from "./target.ts";

export interface MariadbTargetOptions {
  readonly dsn: MariadbDsn;
  /** Opens the database with a single connection, which the caller closes. */
  readonly open: () => SqlDatabase;
  readonly clock: Clock;
  readonly replace: boolean;
}

const asidePrefix = "restore_old_";
const settleMs = 300;
const checks = 5;

async function tablesOf(connection: SqlConnection): Promise<string[]> {
  const { rows } = await connection.execute(
    "select table_name as name from information_schema.tables where table_schema = database() and table_type = 'BASE TABLE' order by table_name",
    [],
  );
  return rows.map((row) => String(row["name"]));
}

const quoted = (name: string) => `\`${name}\``;

async function drop(connection: SqlConnection, tables: readonly string[]): Promise<void> {
  if (tables.length > 0) await connection.execute(`drop table ${tables.map(quoted).join(", ")}`, []);
}

/** A single statement, because MariaDB executes it atomically, even in a crash. */
async function rename(connection: SqlConnection, tables: readonly string[], to: (name: string) => string): Promise<void> {
  if (tables.length === 0) return;
  await connection.execute(`rename table ${tables.map((name) => `${quoted(name)} to ${quoted(to(name))}`).join(", ")}`, []);
}

/**
 * Completes an interrupted restore: if its tables were incomplete, the old ones come back, else the old
 * ones are dropped. Does nothing without an interrupted restore.
 */
async function finishBegun(connection: SqlConnection): Promise<void> {
  const tables = await tablesOf(connection);
  if (!tables.includes(schemaRestore)) return;
  const { rows } = await connection.execute(`select phase, set_aside from ${schemaRestore}`, []);
  const aside = tables.filter((name) => name.startsWith(asidePrefix));
  const others = tables.filter((name) => !name.startsWith(asidePrefix) && name !== schemaRestore);
  const [begun] = rows;
  const neverMoved = begun === undefined || (Number(begun["set_aside"]) > 0 && aside.length === 0);
  if (begun?.["phase"] === "loaded") await drop(connection, aside);
  else if (!neverMoved) {
    await drop(connection, others);
    await rename(connection, aside, (name) => name.slice(asidePrefix.length));
  }
  await drop(connection, [schemaRestore]);
}

/** Other connections to the database: a running Rollcall never goes long without one. */
async function otherConnections(connection: SqlConnection): Promise<string[]> {
  const { rows } = await connection.execute(
    "select user as user_name, host as host_name from information_schema.processlist where db = database() and id <> connection_id()",
    [],
  );
  return rows.map((row) => `${String(row["user_name"])}@${String(row["host_name"])}`);
}

async function refuseWhileServed({ clock }: MariadbTargetOptions, connection: SqlConnection, name: string): Promise<void> {
  const seen = new Set<string>();
  // An idle server opens and closes connections, so a single check could miss it.
  for (let check = 0; check < checks; check++) {
    for (const one of await otherConnections(connection)) seen.add(one);
    await clock.sleep(settleMs);
  }
  const still = seen.size > 0 ? [...seen] : await otherConnections(connection);
  if (still.length === 0) return;
  throw new BackupRefused(
    `${still.length} other connection(s) use the database ${name} (${still.slice(0, 3).join(", ")}); stop every Rollcall process and close other clients first`,
  );
}

async function firstFilled(connection: SqlConnection, tables: readonly string[]): Promise<string | null> {
  for (const table of tables) {
    if (placeTables.has(table)) continue;
    const { rows } = await connection.execute(`select 1 as filled from ${quoted(table)} limit 1`, []);
    if (rows.length > 0) return table;
  }
  return null;
}

/**
 * Renames the existing tables, so that the backup is loaded into a database without tables. MariaDB cannot
 * roll schema changes back, so a row in `schema_restore` blocks other processes until it is done, and the
 * next restore completes an interrupted one. Throws `BackupRefused`.
 */
export async function mariadbTarget(options: MariadbTargetOptions): Promise<RestoreTarget> {
  const { dsn, open, replace } = options;

  async function session(name: string, work: (connection: SqlConnection) => Promise<void>): Promise<void> {
    const db = open();
    try {
      await db.ping();
      await db.exclusive(name, async ({ connection }) => await work(connection));
    } finally {
      await db.close();
    }
  }

  await session("restore.begin", async (connection) => {
    await refuseWhileServed(options, connection, dsn.database);
    await finishBegun(connection);
    const tables = await tablesOf(connection);
    const filled = await firstFilled(connection, tables);
    if (filled !== null && !replace)
      throw new BackupRefused(`${dsn.database} is not empty (${filled} has rows); --replace replaces it with the backup`);
    await connection.execute(`create table ${schemaRestore} (phase varchar(20) not null, set_aside int not null)`, []);
    await connection.execute(`insert into ${schemaRestore} (phase, set_aside) values ('loading', ?)`, [tables.length]);
    await rename(connection, tables, (name) => `${asidePrefix}${name}`);
  });
  return {
    dsn,
    commit: async () =>
      await session("restore.commit", async (connection) => {
        await connection.execute(`update ${schemaRestore} set phase = 'loaded'`, []);
        await finishBegun(connection);
      }),
    rollback: async () => await session("restore.rollback", finishBegun),
  };
}
