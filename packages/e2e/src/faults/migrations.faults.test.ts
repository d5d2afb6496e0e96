import { afterEach, describe, expect, test } from "vitest";
import { hasMariadb } from "@rollcall/testkit/backing.ts";
import { runProgram } from "@rollcall/testkit/program.ts";
import { hasNatsServer } from "@rollcall/testkit/servers.ts";
import { MigrationPlaces, schemaOf } from "./migrations.scenario.ts";

describe.skipIf(!hasMariadb || !hasNatsServer())("migrations on MariaDB", () => {
  const places = new MigrationPlaces();
  afterEach(async () => await places.end());

  test("the program starts after it was killed repeatedly during its first migration", async () => {
    const broker = await places.nats();
    const expected = await places.cleanSchema(broker);
    const total = expected.filter((line) => /^\d{12}_\w+\|[\da-f]{64}$/.test(line)).length;
    expect(total).toBeGreaterThan(8);
    const database = places.empty();
    const at = await places.place(database, broker);
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
    await places.served(at);
    process.stdout.write(
      `faults: killed 3 times while migrating: serves ${Math.round(performance.now() - started)} ms after the last start\n`,
    );
    expect(schemaOf(database)).toEqual(expected);
  });
});
