import { afterAll, beforeAll, describe } from "vitest";
import type { DatabaseKind } from "#core/ports/index.ts";
import { dsnText, startApp, type TestApp, type TestAppOptions } from "./app.ts";
import { openTestDatabase, testedKinds } from "./database.ts";
import { createWorld, type World } from "./world.ts";
import { type WriteWatch, watchWrites } from "./writes.ts";

export interface AppUnderTest {
  readonly kind: DatabaseKind;
  readonly app: TestApp;
  readonly world: World;
  /** Observes what this app writes from now on, to assert that nothing was written. Tables in `except` do not count. Resets earlier observations. */
  writes(except?: readonly string[]): WriteWatch;
  /** Number of rows of a table. */
  count(table: string): Promise<number>;
}

/**
 * Runs `suite` on the real app with each database. App, database and world are shared by the suite: tests
 * create their own jobs, roles and people, with unique names.
 */
export function describeApps(
  title: string,
  suite: (get: () => AppUnderTest) => void,
  env: Record<string, string> = {},
  options: Pick<TestAppOptions, "features" | "passwordHashes" | "rates" | "roles"> = {},
): void {
  describe.each(["sqlite", "mariadb"] as const)(`${title} (%s)`, (kind) => {
    if (!testedKinds.includes(kind)) {
      describe.skip("without a server", () => suite(() => undefined as never));
      return;
    }
    let database: Awaited<ReturnType<typeof openTestDatabase>>;
    let app: TestApp;
    let current: AppUnderTest;
    beforeAll(async () => {
      database = await openTestDatabase(kind);
      app = await startApp({ dsn: dsnText(database.dsn), env, ...options });
      // From the start: of a transaction that began before a test, the first statements tell what it belongs to.
      const watch = watchWrites(app.process.container.db);
      const writes = (except: readonly string[] = []): WriteWatch => {
        watch.reset();
        return { tables: () => watch.tables().filter((table) => !except.includes(table)), reset: watch.reset };
      };
      current = { kind, app, world: createWorld(app), writes, count };
    });
    afterAll(async () => {
      await app?.close();
      await database?.empty();
      await database?.close();
    });

    async function count(table: string): Promise<number> {
      return await database.db.exclusive("test.count", async ({ connection }) => {
        const { rows } = await connection.execute(`select count(*) as n from ${table}`, []);
        return Number(rows[0]?.["n"]);
      });
    }

    suite(() => current);
  });
}
