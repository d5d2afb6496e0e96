import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { hasMariadb } from "@rollcall/testkit/backing.ts";
import { runProgram } from "@rollcall/testkit/program.ts";
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

  test("the program starts after it was killed repeatedly during its first migration", async () => {
    const expected = await place.cleanSchema();
    const total = expected.filter((line) => /^\d{12}_\w+\|[\da-f]{64}$/.test(line)).length;
    expect(total).toBeGreaterThan(8);
    const database = place.emptyDatabase();
    const at = await place.instance(database);
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
    await scope.serve(at);
    process.stdout.write(
      `faults: killed 3 times while migrating: serves ${Math.round(performance.now() - started)} ms after the last start\n`,
    );
    expect(schemaOf(database)).toEqual(expected);
  });
});
