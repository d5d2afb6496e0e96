import { afterAll, beforeAll, describe } from "vitest";
import type { DatabaseKind } from "#core/ports/index.ts";
import { dsnText, startApp, type TestApp, type TestAppOptions } from "./app.ts";
import { openTestDatabase, testedKinds } from "./database.ts";
import { createWorld, type World } from "./world.ts";

export interface AppUnderTest {
  readonly kind: DatabaseKind;
  readonly app: TestApp;
  readonly world: World;
  /** Number of rows of every table except the named ones and those written in the background, to assert that nothing was written. */
  counts(except?: readonly string[]): Promise<Record<string, number>>;
}

/** Tables that schedules and reactions to earlier tests write at any time. */
const writtenBeside = ["job_runs", "leases", "notifications", "outbox_inbox"];

/**
 * Runs `suite` on the real app with each database. App, database and world are shared by the suite: tests
 * create their own jobs, roles and people, with unique names.
 */
export function describeApps(
  title: string,
  suite: (get: () => AppUnderTest) => void,
  env: Record<string, string> = {},
  options: Pick<TestAppOptions, "rates" | "roles"> = {},
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
      current = { kind, app, world: createWorld(app), counts };
    });
    afterAll(async () => {
      await app?.close();
      await database?.empty();
      await database?.close();
    });

    async function counts(except: readonly string[] = []): Promise<Record<string, number>> {
      return await database.db.exclusive("test.counts", async ({ connection }) => {
        const listing =
          kind === "sqlite"
            ? "select name from sqlite_master where type = 'table' and name not like 'sqlite!_%' escape '!'"
            : "select table_name as name from information_schema.tables where table_schema = database()";
        const { rows } = await connection.execute(listing, []);
        const found: Record<string, number> = {};
        for (const { name } of rows as { name: string }[]) {
          if (except.includes(name) || writtenBeside.includes(name)) continue;
          const { rows: counted } = await connection.execute(`select count(*) as n from ${name}`, []);
          found[name] = Number(counted[0]?.["n"]);
        }
        return found;
      });
    }

    suite(() => current);
  });
}
