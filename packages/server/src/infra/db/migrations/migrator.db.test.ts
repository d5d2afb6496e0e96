import { expect, it } from "vitest";
import { queries } from "#core/db/queries.ts";
import { systemClock } from "#infra/clock.ts";
import { describeDatabases, type TestDatabase } from "#testkit/database.ts";
import { silentLog } from "#testkit/silence.ts";
import type { SqlDatabase } from "../database.ts";
import { loadMigrations, type MigrationFile } from "./files.ts";
import { col, defineTable, type Migration, type TableOf } from "./kit.ts";
import { createMigrator, type Migrator } from "./migrator.ts";

const things = defineTable(
  "trial_things",
  {
    id: col.id(),
    name: col.text(40),
    code: col.key(10),
    note: col.longText().orNull(),
    data: col.blob(16).orNull(),
  },
  { primary: ["id"], unique: { trial_things_code: ["code"] }, indexes: { trial_things_name: ["name"] } },
);
type Tables = { trial_things: TableOf<typeof things> & { rank: number; old: string } };

const file = (name: string, up: Migration): MigrationFile => ({ name, checksum: name, up });

/** A migrator with the migrations of this test in addition to the released ones. */
async function trial(db: SqlDatabase, files: readonly MigrationFile[], options: { lockWaitMs?: number } = {}): Promise<Migrator> {
  const shipped = await loadMigrations();
  return createMigrator({
    db,
    migrations: [...shipped, ...files],
    clock: systemClock,
    log: silentLog,
    ...options,
  });
}

async function cleanUp(db: SqlDatabase): Promise<void> {
  await db.exclusive("test.clean", async ({ connection }) => {
    await connection.execute("drop table if exists trial_things", []);
    await connection.execute("delete from schema_migrations where name like '29%'", []);
    await connection.execute("delete from schema_steps", []);
  });
}

const first = file("290001010000_trial_things", (steps) => steps.createTable(things));

describeDatabases("migrator", (get) => {
  const withClean = (work: (database: TestDatabase) => Promise<void>) => async () => {
    try {
      await work(get());
    } finally {
      await cleanUp(get().db);
    }
  };

  it(
    "applies pending migrations once, in order",
    withClean(async ({ db }) => {
      const seen: string[] = [];
      const second = file("290001020000_trial_rank", async (steps) => {
        seen.push("second");
        await steps.addColumn("trial_things", "rank", col.int().defaultsTo(3));
        await steps.addIndex("trial_things", "trial_things_rank", ["rank", "name"]);
      });
      const migrator = await trial(db, [second, first]);
      expect((await migrator.status()).pending).toEqual([first.name, second.name]);
      expect(await migrator.migrate()).toEqual([first.name, second.name]);
      expect(await migrator.migrate()).toEqual([]);
      expect(seen).toEqual(["second"]);
      await migrator.assertCurrent();
      await db.write("test", (tx) =>
        queries<Tables>(tx)
          .insertInto("trial_things")
          .values({ name: "a", code: "b" } as never)
          .execute(),
      );
      const row = await db.read("test", (tx) =>
        queries<Tables>(tx).selectFrom("trial_things").selectAll().executeTakeFirstOrThrow(),
      );
      expect(row).toMatchObject({ name: "a", code: "b", rank: 3, note: null, data: null });
    }),
  );

  it(
    "continues after a crash, without repeating data steps",
    withClean(async ({ db }) => {
      let crash = true;
      const ran: string[] = [];
      const step = file("290001020000_trial_crash", async (steps) => {
        await steps.createTable(things);
        await steps.runData("seed", async (tx) => {
          ran.push("seed");
          const count = await queries<Tables>(tx).selectFrom("trial_things").select("id").execute();
          await queries<Tables>(tx)
            .insertInto("trial_things")
            .values({ name: "n", code: `c${count.length}` } as never)
            .execute();
          return count.length < 2 ? "more" : undefined;
        });
        await steps.addColumn("trial_things", "rank", col.int().defaultsTo(0));
        if (crash) throw new Error("power failure");
        await steps.dropColumn("trial_things", "note");
        await steps.dropIndex("trial_things", "trial_things_name");
      });
      const migrator = await trial(db, [step]);
      await expect(migrator.migrate()).rejects.toThrow("290001020000_trial_crash failed: power failure");
      expect((await migrator.status()).pending).toEqual([step.name]);
      crash = false;
      expect(await migrator.migrate()).toEqual([step.name]);
      const rows = await db.read("test", (tx) =>
        queries<Tables>(tx).selectFrom("trial_things").select(["code", "rank"]).orderBy("code").execute(),
      );
      expect(rows).toEqual([
        { code: "c0", rank: 0 },
        { code: "c1", rank: 0 },
        { code: "c2", rank: 0 },
      ]);
      // SQLite rolled the first run back, MariaDB kept its steps.
      expect(ran.length).toBe(db.kind === "sqlite" ? 6 : 3);
    }),
  );

  it(
    "refuses a changed migration, a newer database and an outdated schema",
    withClean(async ({ db }) => {
      await (await trial(db, [first])).migrate();
      const changed = await trial(db, [{ ...first, checksum: "other" }]);
      await expect(changed.migrate()).rejects.toThrow("290001010000_trial_things was changed after it was applied");
      const older = await trial(db, []);
      await expect(older.migrate()).rejects.toThrow("newer Rollcall (unknown migration: 290001010000_trial_things)");
      await expect(older.assertCurrent()).rejects.toThrow("newer Rollcall");
      const newer = await trial(db, [
        first,
        file("290001020000_trial_a", async () => {}),
        file("290001030000_trial_b", async () => {}),
      ]);
      await expect(newer.assertCurrent()).rejects.toThrow(
        "the database schema is too old: 2 migrations pending (first: 290001020000_trial_a); run `rollcall migrate`",
      );
    }),
  );

  it.each([false, true])("lets one of two processes migrate (disableLocking: %s)", async (disableLocking) => {
    await withClean(async ({ open }) => {
      let runs = 0;
      const slow = file("290001020000_trial_slow", async (steps) => {
        runs += 1;
        await steps.createTable(things);
      });
      const [one, two] = [open({ disableLocking }), open({ disableLocking })];
      const results = await Promise.all([one, two].map(async (db) => (await trial(db, [slow])).migrate()));
      expect(results.flat()).toEqual([slow.name]);
      expect(runs).toBe(1);
    })();
  });

  it.each([false, true])("waits for another process no longer than configured (disableLocking: %s)", async (disableLocking) => {
    await withClean(async ({ open, db: { kind } }) => {
      const [one, two] = [open({ disableLocking }), open({ disableLocking, busyTimeoutMs: 50 })];
      const gate = Promise.withResolvers<void>();
      const started = Promise.withResolvers<void>();
      const slow = file("290001020000_trial_slow", async (steps) => {
        started.resolve();
        await gate.promise;
        await steps.createTable(things);
      });
      const running = (await trial(one, [slow])).migrate();
      await started.promise;
      const other = await trial(two, [slow], { lockWaitMs: 1 });
      await expect(other.migrate()).rejects.toThrow(kind === "sqlite" ? "locked" : "another process has been migrating");
      gate.resolve();
      expect(await running).toEqual([slow.name]);
    })();
  });

  it(
    "refuses a new column without a default that is not nullable",
    withClean(async ({ db }) => {
      const bad = file("290001020000_trial_bad", async (steps) => {
        await steps.createTable(things);
        await steps.addColumn("trial_things", "rank", col.int());
      });
      await expect((await trial(db, [bad])).migrate()).rejects.toThrow("trial_things.rank must be nullable or have a default");
    }),
  );
});
