import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { col, defineTable } from "#core/db/table.ts";
import type { SqlDatabase } from "#infra/db/database.ts";
import { createDatabase } from "#infra/db/database.ts";
import { loadMigrations } from "#infra/db/migrations/files.ts";
import { schemaAdapterOf } from "#infra/db/migrations/steps.ts";
import { systemClock } from "#infra/clock.ts";
import { describeDatabases, testDatabaseOptions } from "#testkit/database.ts";
import { silentLog } from "#testkit/silence.ts";
import { features } from "#app/features.ts";
import { everyObject, memoryStorage } from "./storage.testkit.ts";
import { BackupRefused } from "./format.ts";
import { loadBackup } from "./load.ts";
import { readBackup } from "./read.ts";
import { writeBackup, type WrittenBackup } from "./write.ts";

const kept = { name: "rollcall_1", note: "ünïcödé 'quoted' \"x\" \\ ? \n\t 🚓", big: Number.MAX_SAFE_INTEGER };

describeDatabases("a backup", (get) => {
  const open: { close(): Promise<void> }[] = [];
  const folders: string[] = [];
  afterEach(async () => {
    for (const one of open.splice(0)) await one.close();
    for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
  });

  function folder(): string {
    const made = mkdtempSync(path.join(tmpdir(), "rollcall-backup-"));
    folders.push(made);
    return made;
  }

  const tables = features.flatMap((feature) => feature.tables);

  async function written(storage = memoryStorage({}), more = {}): Promise<{ file: string; result: WrittenBackup }> {
    const file = path.join(folder(), "backup.tar.gz");
    const result = await writeBackup(file, {
      db: get().open({ test: {} }),
      tables,
      storage,
      own: everyObject,
      clock: systemClock,
      ids: get().ids,
      program: "0.0.1",
      keyId: "k1",
      progress: () => undefined,
      ...more,
    });
    return { file, result };
  }

  function empty(): SqlDatabase {
    const db = createDatabase(testDatabaseOptions({ kind: "sqlite", file: path.join(folder(), "target.db"), zone: "UTC" }));
    open.push(db);
    return db;
  }

  const load = async (file: string, db: SqlDatabase, storage = memoryStorage({})) =>
    await loadBackup(file, {
      db,
      storage,
      own: everyObject,
      migrations: await loadMigrations(),
      clock: systemClock,
      log: silentLog,
      progress: () => undefined,
    });

  const insert = async (db: SqlDatabase, statement: string, values: readonly unknown[]) =>
    await db.exclusive("test.insert", async ({ connection }) => await connection.execute(statement, values));

  it("contains every table of the database, or reports what was left out", async () => {
    const { result } = await written();
    expect(result.leftOut).toEqual([]);
    expect(result.header.tables.map(({ name }) => name)).toContain("citizens");
    const short = await written(memoryStorage({}), { tables: tables.filter(({ name }) => name !== "notices") });
    expect(short.result.leftOut).toEqual(["notices"]);
  });

  it("preserves values, assigned numbers, and files", async () => {
    const { db } = get();
    const event = [kept.name, "x", 1, "k", 1, kept.note, kept.big];
    const statement =
      "insert into outbox_events (event_id, type, schema_version, agg_key, version, payload, created_at) values (?, ?, ?, ?, ?, ?, ?)";
    await insert(db, statement, event);
    await insert(db, statement, ["rollcall_2", ...event.slice(1)]);
    await insert(db, "delete from outbox_events where event_id = ?", ["rollcall_2"]);
    await insert(db, "insert into search_words (word, kind, field, text, weight) values (?, 'k', 'f', 't', ?)", [-7, 0.1 + 0.2]);
    const long = `avatars/${"a/".repeat(60)}${"n".repeat(80)}.webp`;
    const contents = { "logos/police.webp": "logo", [long]: "x".repeat(2_000_000), "empty/file": "" };
    const { file, result } = await written(memoryStorage(contents));
    expect(result.manifest.files).toMatchObject({ count: 3, bytes: 2_000_004 });
    expect(statSync(file).mode & 0o077).toBe(0);

    const [target, storage] = [empty(), memoryStorage({})];
    await load(file, target, storage);
    expect(storage.contents()).toEqual(contents);
    const rows = await target.exclusive("test.read", async ({ connection }) => ({
      event: (await connection.execute("select event_id, payload, created_at from outbox_events", [])).rows,
      word: (await connection.execute("select word, weight from search_words", [])).rows,
    }));
    expect(rows).toEqual({
      event: [{ event_id: kept.name, payload: kept.note, created_at: kept.big }],
      word: [{ word: -7, weight: 0.1 + 0.2 }],
    });
    const [was] = (await insert(get().db, "select max(id) as id from outbox_events", [])).rows;
    await insert(target, statement, ["rollcall_3", ...event.slice(1)]);
    const [next] = (await insert(target, "select max(id) as id from outbox_events", [])).rows;
    expect(Number(next?.["id"])).toBe(Number(was?.["id"]) + 2);
  });

  it("of an earlier version is migrated to this one", async () => {
    const { file, result } = await written();
    const last = result.header.migrations.at(-1)!;
    const db = empty();
    const { migrated } = await loadBackup(file, {
      db,
      storage: null,
      own: everyObject,
      migrations: [
        ...(await loadMigrations()),
        {
          name: "209901010000_people_later",
          checksum: "later",
          up: async (steps) => await steps.createTable(defineTable("people_later", { id: col.id() }, { primary: ["id"] })),
        },
      ],
      clock: systemClock,
      log: silentLog,
      progress: () => undefined,
    });
    expect(migrated).toEqual(["209901010000_people_later"]);
    const there = await db.exclusive("test", async ({ engine, connection }) => await schemaAdapterOf(engine).inspect(connection));
    expect(there.has("people_later")).toBe(true);
    await expect(
      loadBackup(file, {
        db: empty(),
        storage: null,
        own: everyObject,
        migrations: (await loadMigrations()).filter(({ name }) => name !== last.name),
        clock: systemClock,
        log: silentLog,
        progress: () => undefined,
      }),
    ).rejects.toThrow(/made by Rollcall 0\.0\.1, which has the migration .*install that version/);
  });

  it("is refused when it is cut off or not an archive", async () => {
    const { file } = await written(memoryStorage({ "a/b": "x".repeat(100_000) }));
    const whole = readFileSync(file);
    for (const [length, message] of [
      [whole.byteLength - 20, /cut off|damaged/],
      [200, /cut off|damaged/],
      [0, /cut off|damaged|not a backup/],
    ] as const) {
      writeFileSync(file, whole.subarray(0, length));
      await expect(readBackup(file), String(length)).rejects.toThrow(message);
    }
    writeFileSync(file, "hello");
    await expect(readBackup(file)).rejects.toThrow(BackupRefused);
    await expect(readBackup(`${file}.none`)).rejects.toThrow(/cannot read .*ENOENT/);
  });

  const simple = () => ({
    db: get().open({ test: {} }),
    tables,
    storage: null,
    own: everyObject,
    clock: systemClock,
    ids: get().ids,
    program: "0",
    keyId: null,
    progress: () => undefined,
  });

  it("is not written where a folder is", async () => {
    const there = folder();
    await expect(writeBackup(there, simple())).rejects.toThrow(
      new BackupRefused(`${there} is a folder; name the archive in it, for example ${path.join(there, "backup.tar.gz")}`),
    );
    expect(readdirSync(there)).toEqual([]);
  });

  it("is whole when another one is written under the same name at once", async () => {
    const file = path.join(folder(), "backup.tar.gz");
    const storage = (name: string) => memoryStorage({ [`a/${name}`]: name.repeat(300_000) });
    const write = async (name: string) => await writeBackup(file, { ...simple(), storage: storage(name) });
    const both = await Promise.all([write("x"), write("y")]);
    const { manifest } = await readBackup(file);
    expect(both.map((one) => one.manifest)).toContainEqual(manifest);
    expect(readdirSync(path.dirname(file))).toEqual(["backup.tar.gz"]);
  });

  it("removes what a killed one left there, and not what one still writes", async () => {
    const file = path.join(folder(), "backup.tar.gz");
    for (const name of ["killed", "young"]) writeFileSync(`${file}.${name}.part`, "");
    const dayAgo = systemClock.now() / 1000 - 90_000;
    utimesSync(`${file}.killed.part`, dayAgo, dayAgo);
    await writeBackup(file, simple());
    expect(readdirSync(path.dirname(file))).toEqual(["backup.tar.gz", "backup.tar.gz.young.part"]);
  });

  it("leaves nothing behind if it cannot be written", async () => {
    const storage = memoryStorage({ "a/b": "x" });
    const failing = { ...storage, open: async () => await Promise.reject(new Error("the store is gone")) };
    const file = path.join(folder(), "backup.tar.gz");
    await expect(writeBackup(file, { ...simple(), storage: failing })).rejects.toThrow("the store is gone");
    expect(readdirSync(path.dirname(file))).toEqual([]);
  });
});
