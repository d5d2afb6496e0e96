import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import type { Connection } from "mysql2/promise";
import { loadMigrations } from "../../packages/server/src/infra/db/migrations/files.ts";
import { createMigrator } from "../../packages/server/src/infra/db/migrations/migrator.ts";
import { createDatabase } from "../../packages/server/src/infra/db/database.ts";
import { systemClock } from "../../packages/server/src/infra/clock.ts";
import { parseDsn } from "../../packages/server/src/config/dsn.ts";
import { noMetrics, silentLog } from "../../packages/server/src/testkit/silence.ts";
import { citizenRows, type TableRows, type Value, vehicleRows } from "./city.rows.ts";
import { keptDatabase, type BenchDatabase } from "./mariadb.ts";
import { makeUsers, makeVehicles } from "./people.ts";

export const seed = 33;
export const vehicleCount = 100_000;

const root = path.resolve(import.meta.dirname, "../..");
const folder = path.join(root, ".cache/bench");
const server = path.join(root, "packages/server/src");

/** What the rows depend on: a city of other sources is made again. */
function fingerprint(): string {
  const hash = createHash("sha256");
  const migrations = path.join(server, "infra/db/migrations");
  const sources = [
    ...readdirSync(migrations)
      .filter((name) => /^\d{12}_/.test(name))
      .map((name) => path.join(migrations, name)),
    ...["keys", "document", "normalise"].map((name) => path.join(server, `infra/search/${name}.ts`)),
    path.join(server, "core/contract/fold.ts"),
    path.join(server, "features/citizens/citizens.record.policy.ts"),
    path.join(server, "features/vehicles/vehicles.policy.ts"),
    path.join(import.meta.dirname, "people.ts"),
    path.join(import.meta.dirname, "city.rows.ts"),
  ];
  for (const file of sources) hash.update(readFileSync(file));
  return hash.digest("hex").slice(0, 12);
}

async function migrate(text: string): Promise<void> {
  const dsn = parseDsn(text, folder);
  if (!("value" in dsn)) throw new Error(`${text}: ${dsn.what}`);
  const pool = { maxOpenConns: 2, maxIdleConns: 2, connMaxIdleTimeMs: 0, connMaxLifetimeMs: 0 };
  const options = { disableLocking: false, log: silentLog, clock: systemClock, metrics: noMetrics, test: { volatile: true } };
  const db = createDatabase({ dsn: dsn.value, pool, ...options });
  const migrations = await loadMigrations();
  await createMigrator({ db, migrations, clock: systemClock, log: silentLog }).migrate();
  await db.close();
}

function* chunks(rows: Iterable<readonly Value[]>, size: number): Generator<(readonly Value[])[]> {
  let chunk: (readonly Value[])[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

function* rowsOf(people: number): Generator<TableRows> {
  yield* citizenRows(makeUsers(people, seed));
  yield* vehicleRows(makeVehicles(vehicleCount, seed));
}

/** The file of a city of so many people, which is kept; copy it. */
export async function sqliteCity(people: number, log: (line: string) => void): Promise<string> {
  const file = path.join(folder, `city-${people}-${fingerprint()}.db`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (name.startsWith(`city-${people}-`)) rmSync(path.join(folder, name));
  const draft = `${file}.draft`;
  const started = performance.now();
  await migrate(`sqlite:${draft}?loc=Europe%2FBerlin`);
  const db = new Database(draft);
  db.pragma("synchronous = OFF");
  db.pragma("cache_size = -400000");
  for (const { table, columns, rows } of rowsOf(people)) {
    const insert = db.prepare(`insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`);
    db.exec("begin");
    for (const row of rows) insert.run(...row);
    db.exec("commit");
    log(`${table} after ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
  db.exec("analyze");
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
  renameSync(draft, file);
  return file;
}

async function fill(connection: Connection, people: number, log: (line: string) => void): Promise<void> {
  const started = performance.now();
  await connection.query("set unique_checks = 0, foreign_key_checks = 0, sql_log_bin = 0");
  for (const { table, columns, rows } of rowsOf(people)) {
    await connection.query("start transaction");
    for (const chunk of chunks(rows, 4_000))
      await connection.query(`insert into ${table} (${columns.join(", ")}) values ?`, [chunk]);
    await connection.query("commit");
    log(`${table} after ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
}

/** The database of a city of so many people, which is kept on the server. */
export async function mariadbCity(people: number, log: (line: string) => void): Promise<BenchDatabase> {
  const name = `rollcall_city_${people}_${fingerprint()}`;
  return await keptDatabase(name, `rollcall_city_${people}_`, async (database) => {
    await migrate(database.dsn);
    const connection = await database.connect();
    await fill(connection, people, log);
    await connection.query(
      "analyze table search_words, search_postings, search_codes, search_variants, search_documents, citizens",
    );
    await connection.end();
  });
}
