import type { Connection } from "mysql2/promise";
import { adminConnection, canReach, testServer } from "../../packages/server/src/testkit/mariadb.ts";

/** An empty MariaDB database for this run, on the server of the tests. */
export interface BenchDatabase {
  readonly name: string;
  /** The DSN as in the configuration. */
  readonly dsn: string;
  /** A plain connection of the driver. */
  connect(): Promise<Connection>;
  drop(): Promise<void>;
}

const server = testServer();

export async function hasMariadb(): Promise<boolean> {
  return await canReach(server);
}

function databaseNamed(name: string): BenchDatabase {
  return {
    name,
    dsn: `${server.user}:${server.password}@tcp(${server.host}:${server.port})/${name}?collation=utf8mb4_unicode_ci&parseTime=True&loc=Europe%2FBerlin`,
    async connect() {
      const connection = await adminConnection(server);
      await connection.query(`use ${name}; set names utf8mb4 collate utf8mb4_unicode_ci`);
      return connection;
    },
    async drop() {
      const last = await adminConnection(server);
      await last.query(`drop database if exists ${name}`);
      await last.end();
    },
  };
}

/** Runs `work` with a buffer pool that holds the whole database, as docs/operate/scaling.md asks for. */
export async function withBufferPool<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  const admin = await adminConnection(server);
  const size = async () => {
    const [rows] = await admin.query("select @@innodb_buffer_pool_size as bytes");
    return Number((rows as { bytes: number }[])[0]!.bytes);
  };
  try {
    const before = await size();
    await admin.query("set global innodb_buffer_pool_size = ?", [Math.max(before, bytes)]);
    if ((await size()) < bytes) throw new Error(`MariaDB keeps its buffer pool below ${bytes} bytes`);
    try {
      return await work();
    } finally {
      await admin.query("set global innodb_buffer_pool_size = ?", [before]);
    }
  } finally {
    await admin.end();
  }
}

/** Reads every index into the buffer pool, where a server that has run for a while has them. */
export async function readIntoPool({ name }: BenchDatabase): Promise<void> {
  const admin = await adminConnection(server);
  try {
    const [rows] = await admin.query(
      "select distinct table_name as t, index_name as i from information_schema.statistics where table_schema = ?",
      [name],
    );
    for (const { t, i } of rows as { t: string; i: string }[])
      await admin.query(`select count(*) from \`${name}\`.\`${t}\` force index (\`${i}\`)`);
  } finally {
    await admin.end();
  }
}

const create = (name: string) =>
  `drop database if exists ${name}; create database ${name} character set utf8mb4 collate utf8mb4_unicode_ci`;

export async function createDatabase(purpose: string): Promise<BenchDatabase> {
  const name = `rollcall_bench_${purpose}_${process.pid}`;
  const admin = await adminConnection(server);
  await admin.query(create(name));
  await admin.end();
  return databaseNamed(name);
}

/** A database that stays; others whose names begin like it are dropped when it is made. */
export async function keptDatabase(
  name: string,
  older: string,
  fill: (database: BenchDatabase) => Promise<void>,
): Promise<BenchDatabase> {
  const database = databaseNamed(name);
  const admin = await adminConnection(server);
  try {
    const [found] = await admin.query("select schema_name as name from information_schema.schemata where schema_name like ?", [
      `${older.replaceAll("_", "\\_")}%`,
    ]);
    const names = (found as { name: string }[]).map((row) => row.name);
    const done = `${name}_done`;
    if (names.includes(name) && names.includes(done)) return database;
    for (const other of names) await admin.query(`drop database ${other}`);
    await admin.query(create(name));
    await fill(database);
    await admin.query(create(done));
    return database;
  } finally {
    await admin.end();
  }
}
