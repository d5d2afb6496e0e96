import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasMariadb } from "@rollcall/testkit/backing.ts";
import { run } from "@rollcall/testkit/program.ts";
import { hasNatsServer } from "@rollcall/testkit/servers.ts";
import { createScope, type Scope } from "@rollcall/testkit/settings.ts";
import { createMigrationPlace, schemaOf } from "./migrations.scenario.ts";

describe.skipIf(!hasMariadb || !hasNatsServer())("migrations on MariaDB", () => {
  let scope: Scope;
  let place: Awaited<ReturnType<typeof createMigrationPlace>>;
  beforeEach(async () => {
    scope = createScope();
    place = await createMigrationPlace(scope);
  });
  afterEach(async () => await scope.end());

  test("two programs that start at the same moment on an empty database both get ready", async () => {
    const database = place.emptyDatabase();
    const both = [await place.instance(database), await place.instance(database)];
    await Promise.all(both.map(async (at) => await scope.serve(at)));
    for (const { adminUrl } of both) expect((await fetch(`${adminUrl}/readyz`)).status).toBe(200);
    expect(schemaOf(database)).toEqual(await place.cleanSchema());
  });

  test("a database of a newer program is refused in one line, and not changed", async () => {
    const database = place.emptyDatabase();
    const at = await place.instance(database);
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
