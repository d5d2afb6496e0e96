import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sql } from "kysely";
import { DatabaseUnavailable } from "#core/db/errors.ts";
import { queries } from "#core/db/queries.ts";
import { testDatabaseOptions } from "#testkit/database.ts";
import { createDatabase, type SqlDatabase } from "../../database.ts";
import { SqliteThread } from "./thread.ts";

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

  it("makes the folder and opens the file durably", async () => {
    const db = open(join(folder, "a/b/rollcall.db"), { test: {} });
    await db.ping();
    const pragmas = await db.exclusive("test.pragmas", async ({ connection }) => {
      const ask = async (name: string) => Object.values((await connection.execute(`pragma ${name}`, [])).rows[0]!)[0];
      return [await ask("journal_mode"), await ask("synchronous"), await ask("foreign_keys")];
    });
    expect(pragmas).toEqual(["wal", 2, 1]);
  });

  it("says in one line why a file cannot be used", async () => {
    const notOne = join(folder, "text.db");
    writeFileSync(notOne, "this is no database ".repeat(100));
    const folderFile = join(folder, "folder.db");
    mkdirSync(folderFile);
    const blocked = join(notOne, "below/rollcall.db");
    for (const [file, text] of [
      [notOne, "damaged or no SQLite database"],
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

  it("lets two programs write the same file", async () => {
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

  it("fails what was running when a thread dies, and starts another", async () => {
    const thread = new SqliteThread("test", {
      file: join(folder, "thread.db"),
      role: "writer",
      busyTimeoutMs: 100,
      durable: false,
    });
    let lost = 0;
    thread.onLost(() => (lost += 1));
    await thread.request({ op: "open", connection: 1 });
    const endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n";
    const running = thread.request({ op: "run", connection: 1, sql: endless, params: [] });
    thread.crash();
    await expect(running).rejects.toMatchObject({ kind: "lost" });
    expect(lost).toBe(1);
    await thread.request({ op: "open", connection: 2 });
    expect((await thread.request({ op: "run", connection: 2, sql: "select 1 as one", params: [] })).rows).toEqual([{ one: 1 }]);
    await thread.stop();
  });
});
