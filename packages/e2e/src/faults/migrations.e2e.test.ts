import { afterEach, describe, expect, test } from "vitest";
import { hasMariadb } from "@rollcall/testkit/backing.ts";
import { run } from "@rollcall/testkit/program.ts";
import { hasNatsServer } from "@rollcall/testkit/servers.ts";
import { MigrationPlaces, schemaOf } from "./migrations.scenario.ts";

describe.skipIf(!hasMariadb || !hasNatsServer())("migrations on MariaDB", () => {
  const places = new MigrationPlaces();
  afterEach(async () => await places.end());

  test("two programs that start at the same moment on an empty database both get ready", async () => {
    const broker = await places.nats();
    const database = places.empty();
    const both = [await places.place(database, broker), await places.place(database, broker)];
    await Promise.all(both.map(async (at) => await places.served(at)));
    for (const { adminUrl } of both) expect((await fetch(`${adminUrl}/readyz`)).status).toBe(200);
    expect(schemaOf(database)).toEqual(await places.cleanSchema(broker));
  });

  test("a database of a newer program is refused in one line, and not changed", async () => {
    const broker = await places.nats();
    const database = places.empty();
    const at = await places.place(database, broker);
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
