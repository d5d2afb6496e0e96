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

export async function createDatabase(purpose: string): Promise<BenchDatabase> {
  const name = `rollcall_bench_${purpose}_${process.pid}`;
  const admin = await adminConnection(server);
  await admin.query(`drop database if exists ${name}; create database ${name} character set utf8mb4 collate utf8mb4_unicode_ci`);
  await admin.end();
  const connect = async () => {
    const connection = await adminConnection(server);
    await connection.query(`use ${name}; set names utf8mb4 collate utf8mb4_unicode_ci`);
    return connection;
  };
  return {
    name,
    dsn: `${server.user}:${server.password}@tcp(${server.host}:${server.port})/${name}?collation=utf8mb4_unicode_ci&parseTime=True&loc=Europe%2FBerlin`,
    connect,
    async drop() {
      const last = await adminConnection(server);
      await last.query(`drop database if exists ${name}`);
      await last.end();
    },
  };
}
