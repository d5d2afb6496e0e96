import mysql, { type Connection, type RowDataPacket } from "mysql2/promise";
import type { MariadbDsn } from "#core/dsn.ts";

/**
 * MariaDB for tests: `ROLLCALL_TEST_MARIADB_DSN` as `user:password@tcp(host:port)/`, by default root
 * without a password on 127.0.0.1:3306. The databases are `rollcall_test_<n>`.
 */
export interface TestServer {
  readonly user: string;
  readonly password: string;
  readonly host: string;
  readonly port: number;
}

const dsnPattern = /^([^:@]*)(?::(.*))?@tcp\(([^:)]+)(?::(\d+))?\)\//;

export function testServer(): TestServer {
  const dsn = process.env["ROLLCALL_TEST_MARIADB_DSN"];
  if (!dsn) return { user: "root", password: "", host: "127.0.0.1", port: 3306 };
  const found = dsnPattern.exec(dsn);
  if (!found) throw new Error("ROLLCALL_TEST_MARIADB_DSN: write user:password@tcp(host:port)/");
  return { user: found[1]!, password: found[2] ?? "", host: found[3]!, port: Number(found[4] ?? 3306) };
}

/** A connection that may send several statements at once. */
export function adminConnection(server: TestServer): Promise<Connection> {
  return mysql.createConnection({ ...server, connectTimeout: 3_000, multipleStatements: true });
}

export async function canReach(server: TestServer): Promise<boolean> {
  try {
    await (await adminConnection(server)).end();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith("E") && !(error as { sqlMessage?: string }).sqlMessage) return false;
    throw error;
  }
}

/** Largest number of concurrent databases of all test processes on the machine. */
const maxSlots = 64;

/** Reserves a database that no other test process uses, until `admin` is closed. */
export async function takeDatabase(server: TestServer, collation: string): Promise<{ admin: Connection; dsn: MariadbDsn }> {
  const admin = await adminConnection(server);
  for (let slot = 1; slot <= maxSlots; slot++) {
    const database = `rollcall_test_${slot}`;
    const [rows] = await admin.query<RowDataPacket[]>("select get_lock(?, 0) as got", [database]);
    if (rows[0]!["got"] !== 1) continue;
    await admin.query(`create database if not exists ${database} character set utf8mb4 collate ${collation}`);
    return { admin, dsn: testDsn(server, database, collation) };
  }
  await admin.end();
  throw new Error(`all ${maxSlots} test databases are in use`);
}

/** The zone of every test database. It is not UTC, so that a day taken in the wrong zone is noticed. */
export const testZone = "Europe/Berlin";

export function testDsn(server: TestServer, database: string, collation = "utf8mb4_unicode_ci"): MariadbDsn {
  return {
    kind: "mariadb",
    user: server.user,
    password: server.password,
    address: { host: server.host, port: server.port },
    database,
    collation,
    tls: "off",
    connectTimeoutMs: 5_000,
    readTimeoutMs: 0,
    writeTimeoutMs: 0,
    zone: testZone,
  };
}
