import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { col, defineTable, type Table } from "#core/db/table.ts";
import { describeDatabases } from "#testkit/database.ts";
import { collationProblems, schemaDrift } from "./drift.ts";

const source = join(import.meta.dirname, "../..");

function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && "columns" in value && "options" in value && "name" in value;
}

/** The tables of every `*.schema.ts`. */
async function declaredTables(): Promise<Table[]> {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".schema.ts"));
  const modules = await Promise.all(files.map((file) => import(pathToFileURL(join(source, file)).href) as Promise<object>));
  return modules.flatMap((module) => Object.values(module).filter(isTable));
}

describeDatabases("schema drift", (get) => {
  it("is empty between the migrations and the declared tables", async () => {
    const tables = await declaredTables();
    expect(tables.map((table) => table.name)).toContain("outbox_events");
    expect(await schemaDrift(get().db, tables)).toEqual([]);
  });

  it("reports each difference", async () => {
    const { db } = get();
    const leases = defineTable(
      "leases",
      {
        name: col.key(90),
        owner: col.key(64),
        token: col.int().orNull(),
        expires_at: col.int().defaultsTo(0),
        extra: col.text(5),
      },
      { primary: ["name", "owner"], indexes: { leases_token: ["token"] } },
    );
    const lines = await schemaDrift(db, [leases, defineTable("absent", { id: col.id() }, { primary: ["id"] })]);
    const own = lines.filter((line) => line.startsWith("leases") || line.startsWith("absent"));
    expect(own.map((line) => line.replace(/ (is .*|\(.*)$/, ""))).toEqual([
      "leases.name:",
      "leases.token:",
      "leases.expires_at:",
      "leases.extra: missing",
      "leases.touched: not declared",
      "leases: primary key",
      "leases: index leases_token",
      "absent: missing",
    ]);
    expect(lines).toContain("timers: not declared by any feature");
  });

  it("returns the statement that repairs a collation", async () => {
    const { db, kind } = get();
    const table = defineTable(
      "drift_words",
      { id: col.id(), word: col.text(20), code: col.key(8).orNull() },
      { primary: ["id"] },
    );
    const run = (statement: string) => db.exclusive("test", ({ connection }) => connection.execute(statement, []));
    await run(
      kind === "sqlite"
        ? "create table drift_words (id integer primary key autoincrement, word varchar(20) not null, code character(8))"
        : "create table drift_words (id bigint auto_increment primary key, word varchar(20) collate utf8mb4_general_ci not null, code varchar(8) collate utf8mb4_bin) charset utf8mb4",
    );
    try {
      const problems = await collationProblems(db, [table]);
      if (kind === "sqlite") {
        expect(problems).toEqual([]);
        return;
      }
      expect(problems).toMatchObject([
        { table: "drift_words", column: "word", found: "utf8mb4_general_ci", wanted: "utf8mb4_unicode_ci" },
      ]);
      await run(problems[0]!.repair);
      expect(await collationProblems(db, [table])).toEqual([]);
    } finally {
      await run("drop table drift_words");
    }
  });
});
