import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sql } from "kysely";
import { DatabaseUnavailable } from "#core/db/errors.ts";
import { queries } from "#core/db/queries.ts";
import { systemClock } from "#infra/clock.ts";
import { testDatabaseOptions } from "#testkit/database.ts";
import { createDatabase, type SqlDatabase } from "../../database.ts";
import { SqliteConnection } from "./connection.ts";
import { readerChoice } from "./readers.ts";
import { SqliteThread } from "./thread.ts";

function fakeThread() {
  return {
    running: false,
    waiting: 0,
    behindMs: 0,
    behind() {
      return this.behindMs;
    },
    start() {
      this.running = true;
    },
  } as { running: boolean; waiting: number; behindMs: number } & SqliteThread;
}

describe("SQLite", () => {
  let folder: string;
  const opened: SqlDatabase[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "rollcall-sqlite-"));
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((db) => db.close()));
    rmSync(folder, { recursive: true });
  });
  const open = (file: string, more: object = {}) => {
    const db = createDatabase(testDatabaseOptions({ kind: "sqlite", file, zone: "UTC" }, more));
    opened.push(db);
    return db;
  };

  it("creates the folder and opens the file durably", async () => {
    const db = open(join(folder, "a/b/rollcall.db"), { test: {} });
    await db.ping();
    const pragmas = await db.exclusive("test.pragmas", async ({ connection }) => {
      const pragmaOf = async (name: string) => Object.values((await connection.execute(`pragma ${name}`, [])).rows[0]!)[0];
      return [await pragmaOf("journal_mode"), await pragmaOf("synchronous"), await pragmaOf("foreign_keys")];
    });
    expect(pragmas).toEqual(["wal", 2, 1]);
  });

  it("reports in one line why a file cannot be used", async () => {
    const notOne = join(folder, "text.db");
    writeFileSync(notOne, "this is no database ".repeat(100));
    const folderFile = join(folder, "folder.db");
    mkdirSync(folderFile);
    const blocked = join(notOne, "below/rollcall.db");
    for (const [file, text] of [
      [notOne, "damaged or not a SQLite database"],
      [folderFile, "cannot be opened"],
      [blocked, "cannot create the folder"],
    ] as const) {
      const error = await open(file)
        .ping()
        .catch((it: Error) => it);
      expect(error).toBeInstanceOf(DatabaseUnavailable);
      expect((error as Error).message).toMatch(/^database\.dsn: [^\n]+$/);
      expect((error as Error).message).toContain(text);
    }
  });

  it("lets two processes write the same file", async () => {
    const file = join(folder, "shared.db");
    const [one, two] = [open(file), open(file)];
    await one.exclusive("test.create", ({ connection }) => connection.execute("create table numbers (n integer)", []));
    const insert = (db: SqlDatabase) => db.write("test.insert", (tx) => sql`insert into numbers values (1)`.execute(queries(tx)));
    await Promise.all(Array.from({ length: 20 }, (_, at) => insert(at % 2 ? one : two)));
    const { rows } = await two.read("test.count", (tx) =>
      sql<{ n: number }>`select count(*) as n from numbers`.execute(queries(tx)),
    );
    expect(rows).toEqual([{ n: 20 }]);
  });

  it("reads while a unit of work writes", async () => {
    const db = open(join(folder, "both.db"));
    await db.exclusive("test.create", ({ connection }) => connection.execute("create table numbers (n integer)", []));
    const [wrote, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const count = () =>
      db.read(
        "test.count",
        async (tx) => (await sql<{ n: number }>`select count(*) as n from numbers`.execute(queries(tx))).rows[0]!.n,
      );
    const writing = db.write("test.long", async (tx) => {
      await sql`insert into numbers values (1)`.execute(queries(tx));
      wrote.resolve();
      await finish.promise;
    });
    await wrote.promise;
    expect(await count()).toBe(0);
    finish.resolve();
    await writing;
    expect(await count()).toBe(1);
  });

  it("starts another reader thread when statements wait for the first, and uses both", async () => {
    const [busy, spare] = [fakeThread(), fakeThread()];
    const pick = readerChoice([busy, spare]);
    expect(pick()).toBe(busy);
    busy.running = true;
    Object.assign(busy, { waiting: 3, behindMs: 49 });
    expect(pick()).toBe(busy);
    await turn();
    expect(spare.running).toBe(false);
    busy.behindMs = 50;
    expect(pick()).toBe(busy);
    await turn();
    expect(spare.running).toBe(true);
    expect(pick()).toBe(spare);
    spare.waiting = 3;
    expect(pick()).toBe(busy);
  });

  it("starts none when the main thread was too busy to process the answers", async () => {
    const [late, spare] = [fakeThread(), fakeThread()];
    Object.assign(late, { running: true, waiting: 1, behindMs: 500 });
    readerChoice([late, spare])();
    late.behindMs = 0;
    await turn();
    expect(spare.running).toBe(false);
  });

  it("reads in another thread while one is busy, with connections that keep their snapshot", async () => {
    const file = join(folder, "lanes.db");
    const setup = { file, role: "reader", busyTimeoutMs: 100, durable: false } as const;
    await open(file).exclusive("test.create", ({ connection }) => connection.execute("create table numbers (n integer)", []));
    const threads = [new SqliteThread("one", setup, systemClock), new SqliteThread("two", setup, systemClock)];
    let turnOf = 0;
    const connection = await SqliteConnection.open(() => threads[turnOf]!);
    const count = async () => (await connection.execute("select count(*) as n from numbers", [])).rows[0]!["n"];
    for (turnOf of [0, 1, 0]) {
      await connection.begin("read");
      expect(await count()).toBe(0);
      await connection.rollback();
    }
    turnOf = 1;
    await connection.begin("read");
    threads[0]!.crash();
    expect(await count()).toBe(0);
    expect(connection.usable).toBe(true);
    const gone = new Promise<void>((resolve) => connection.onLost(resolve));
    threads[1]!.crash();
    await gone;
    expect(connection.usable).toBe(false);
    await connection.rollback();
    await connection.close();
    await Promise.all(threads.map((thread) => thread.stop()));
  });

  it("fails pending requests when a thread dies, and starts another", async () => {
    const setup = { file: join(folder, "thread.db"), role: "writer", busyTimeoutMs: 100, durable: false } as const;
    const thread = new SqliteThread("test", setup, systemClock);
    let lost = 0;
    thread.onLost(() => (lost += 1));
    await thread.request({ op: "open", connection: 1 });
    // It ends: a thread that has begun a statement can only be stopped after it.
    const long = "with recursive n(i) as (select 1 union all select i + 1 from n limit 1000000) select count(*) from n";
    const running = thread.request({ op: "run", connection: 1, begin: false, sql: long, params: [] });
    thread.crash();
    await expect(running).rejects.toMatchObject({ kind: "lost" });
    expect(lost).toBe(1);
    await thread.request({ op: "open", connection: 2 });
    expect((await thread.request({ op: "run", connection: 2, begin: false, sql: "select 1 as one", params: [] })).rows).toEqual([
      { one: 1 },
    ]);
    await thread.stop();
  });
});
