import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DatabaseFull } from "#core/db/errors.ts";
import { queries } from "#core/db/queries.ts";
import { createMetrics } from "#infra/telemetry/metrics.ts";
import { createTestClock } from "#testkit/clock.ts";
import { recordingLog } from "#testkit/silence.ts";
import { createDatabase, type SqlDatabase } from "./database.ts";

const pool = { maxOpenConns: 4, maxIdleConns: 4, connMaxIdleTimeMs: 0, connMaxLifetimeMs: 0 };

let folder: string;
let db: SqlDatabase;
const clock = createTestClock();
const log = recordingLog();
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "rollcall-full-"));
  const dsn = { kind: "sqlite", file: path.join(folder, "a.db"), zone: "UTC" } as const;
  db = createDatabase({ dsn, pool, disableLocking: false, log, clock, metrics: createMetrics({ process: false }) });
  await db.ping();
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true, force: true });
});

/** As many pages as a full disk would have left. */
const limit = async (pages: number) =>
  await db.exclusive("test.limit", async ({ connection }) => {
    await connection.execute("create table if not exists texts (text text)", []);
    await connection.execute(`pragma max_page_count = ${pages}`, []);
  });
const fill = async () =>
  await db.write("test.fill", async (tx) => await sql`insert into texts values (${"x".repeat(50_000)})`.execute(queries(tx)));
const count = async () =>
  await db.read(
    "test.count",
    async (tx) => (await sql<{ n: number }>`select count(*) as n from texts`.execute(queries(tx))).rows[0]?.n,
  );

test("with a full disk reads go on, and the state says that nothing can be stored and why", async () => {
  await limit(1000);
  await fill();
  await limit(4);
  await expect(fill()).rejects.toThrow(DatabaseFull);
  expect(db.state()).toMatchObject({ up: false, full: true, reason: expect.stringContaining("the disk is full") });
  expect(await count()).toBe(1);
  expect(log.lines.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
    "nothing can be stored: the disk is full; retrying",
  ]);
  await limit(1000);
  await clock.advance(250);
  await expect.poll(() => db.state()).toMatchObject({ up: true, reason: null });
  await fill();
  expect(await count()).toBe(2);
});
