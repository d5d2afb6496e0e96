import { afterEach, describe, expect, test } from "vitest";
import { hasMariadb, makeDatabase, type OwnDatabase } from "@rollcall/testkit/backing.ts";
import { makeInstance, type Instance, type Program, run, runProgram, serve } from "@rollcall/testkit/program.ts";
import { hasNatsServer, type OwnNats, ownNats } from "@rollcall/testkit/servers.ts";

/** Columns and keys of every table, and the applied migrations. */
function schemaOf({ name, query }: OwnDatabase): string[] {
  return [
    ...query(
      `select concat_ws('|', table_name, column_name, column_type, is_nullable, column_default, collation_name, extra) from information_schema.columns where table_schema = '${name}' order by 1`,
    ),
    ...query(
      `select concat_ws('|', table_name, index_name, non_unique, seq_in_index, column_name) from information_schema.statistics where table_schema = '${name}' order by 1`,
    ),
    ...query("select concat_ws('|', name, checksum) from schema_migrations order by name"),
    ...query("select concat_ws('|', migration, step) from schema_steps order by 1"),
  ];
}

describe.skipIf(!hasMariadb || !hasNatsServer())("migrations on MariaDB", () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  async function nats(): Promise<OwnNats> {
    const server = await ownNats();
    ends.push(async () => await server.remove());
    await server.start();
    return server;
  }

  function empty(): OwnDatabase {
    const database = makeDatabase();
    ends.push(() => database.drop());
    return database;
  }

  async function place(database: OwnDatabase, broker: OwnNats): Promise<Instance> {
    const made = await makeInstance({ dsn: database.dsn, nats: `nats://127.0.0.1:${broker.port}` });
    ends.push(() => made.remove());
    return made;
  }

  async function served(at: Instance): Promise<Program> {
    const program = await serve(at);
    ends.push(async () => await program.stop());
    return program;
  }

  async function cleanSchema(broker: OwnNats): Promise<string[]> {
    const database = empty();
    const { code, stderr } = await run(["migrate"], await place(database, broker));
    expect(code, stderr).toBe(0);
    return schemaOf(database);
  }

  test("the program starts after it was killed repeatedly during its first migration", async () => {
    const broker = await nats();
    const expected = await cleanSchema(broker);
    const total = expected.filter((line) => /^\d{12}_\w+\|[\da-f]{64}$/.test(line)).length;
    expect(total).toBeGreaterThan(8);
    const database = empty();
    const at = await place(database, broker);
    let least = 0;
    for (const more of [1, 2, 3]) {
      const program = runProgram(["serve"], { cwd: at.folder });
      await program.seen(new RegExp(`(?:migration applied[^]*){${more}}`));
      program.signal("SIGKILL");
      await program.exited;
      const applied = Number(database.query("select count(*) from schema_migrations")[0]);
      expect(applied).toBeGreaterThanOrEqual((least += more));
      expect(applied, "the kill must come before the end").toBeLessThan(total);
      least = applied;
    }
    const started = performance.now();
    await served(at);
    process.stdout.write(
      `faults: killed 3 times while migrating: serves ${Math.round(performance.now() - started)} ms after the last start\n`,
    );
    expect(schemaOf(database)).toEqual(expected);
  });

  test("two programs that start at the same moment on an empty database both get ready", async () => {
    const broker = await nats();
    const database = empty();
    const places = [await place(database, broker), await place(database, broker)];
    await Promise.all(places.map(async (at) => await served(at)));
    for (const { adminUrl } of places) expect((await fetch(`${adminUrl}/readyz`)).status).toBe(200);
    expect(schemaOf(database)).toEqual(await cleanSchema(broker));
  });

  test("a database of a newer program is refused in one line, and not changed", async () => {
    const broker = await nats();
    const database = empty();
    const at = await place(database, broker);
    expect((await run(["migrate"], at)).code).toBe(0);
    database.query(
      "insert into schema_migrations (name, checksum, applied_at, duration_ms) values ('299901010000_future_thing', repeat('a', 64), 0, 0)",
    );
    const before = schemaOf(database);
    const commands: readonly (readonly string[])[] = [["serve"], ["migrate"], ["account", "list"]];
    for (const args of commands) {
      const { code, stdout, stderr } = await run(args, at);
      expect(code, args.join(" ")).toBe(1);
      const lines = `${stdout}${stderr}`.split("\n").filter((line) => /newer Rollcall/.test(line));
      expect(lines, `${stdout}${stderr}`).toHaveLength(1);
      expect(lines[0]).toContain("299901010000_future_thing");
      expect(`${stdout}${stderr}`).not.toMatch(/\n\s+at /);
    }
    expect(schemaOf(database)).toEqual(before);
  });
});
