import path from "node:path";
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it } from "vitest";
import { freePort } from "@rollcall/testkit/ports.ts";
import { type Instance, run } from "@rollcall/testkit/program.ts";
import { hasMariadb, ownDatabase } from "@rollcall/testkit/servers.ts";
import { createScope, type Scope } from "@rollcall/testkit/settings.ts";

let scope: Scope = createScope();
afterEach(async () => {
  await scope.end();
  scope = createScope();
});

const mariadb = await hasMariadb();
const option = "database.custom.columns.user.visum";

interface Opened {
  readonly instance: Instance;
  alter(statement: string): Promise<void>;
}

const databases: Record<string, (column: string) => Promise<Opened>> = {
  async sqlite(column) {
    const instance = await scope.instance({ [option]: column });
    return {
      instance,
      async alter(statement) {
        const database = new DatabaseSync(path.join(instance.folder, "data", "rollcall.db"));
        database.exec(statement);
        database.close();
      },
    };
  },
  async mariadb(column) {
    const database = await ownDatabase();
    scope.defer(async () => await database.drop());
    const instance = await scope.instance({ [option]: column, "database.dsn": database.dsn() });
    return {
      instance,
      alter: async (statement) => void (await database.rows(statement.replace("table ", `table ${database.name}.`))),
    };
  },
};

/** The lines about the option, without its position. */
const about = (text: string) => text.split("\n").filter((line) => line.includes(option));

describe.each(Object.entries(databases))("database.custom.columns in %s", (kind, open) => {
  const test = it.skipIf(kind === "mariadb" && !mariadb);

  test("is checked in the database by config check, and reported in one line by every command", async () => {
    const { instance, alter } = await open("my_visum");
    const early = await run(["config", "check"], instance);
    expect([early.code, about(early.stdout)]).toEqual([0, [expect.stringMatching(/^warning .* could not be checked: /)]]);
    expect(existsSync(path.join(instance.folder, "data", "rollcall.db"))).toBe(false);
    expect((await run(["migrate"], instance)).code).toBe(0);

    const refused = await run(["config", "check"], instance);
    expect([refused.code, refused.stdout.startsWith("config.yaml:"), about(refused.stdout)]).toEqual([
      78,
      true,
      [expect.stringContaining('there is no column "my_visum" in citizens')],
    ]);
    const json = JSON.parse((await run(["config", "check", "--json"], instance)).stdout);
    expect([json.ok, json.problems]).toMatchObject([false, [{ option }]]);
    for (const args of [["role", "list"], ["backup", "backup.tar.gz"], ["serve"]]) {
      const { code, stderr, stdout } = await run(args, instance);
      const lines = `${stdout}${stderr}`.split("\n").filter((one) => one.includes("my_visum"));
      expect([args, code, lines.length, stderr.includes("    at ")]).toEqual([args, 1, 1, false]);
    }
    expect((await run(["doctor"], instance)).stdout).toMatch(/^PROBLEM .*there is no column "my_visum" in citizens/m);

    await alter("alter table citizens add column my_visum bigint null");
    const good = await run(["config", "check"], instance);
    expect([good.code, about(good.stdout)]).toEqual([0, []]);
    const made = await run(["backup", "backup.tar.gz"], instance);
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining("warning: citizens.my_visum is none of Rollcall's")]);
    await scope.serve(instance);
  });

  test("refuses internal columns of Rollcall before the database is queried", async () => {
    const { instance } = await open("sync_hash");
    const checked = await run(["config", "check"], instance);
    expect([checked.code, about(checked.stdout)]).toEqual([78, [expect.stringContaining("internal bookkeeping")]]);
    const listed = await run(["role", "list"], instance);
    expect([listed.code, listed.stderr.trim().split("\n")]).toEqual([
      1,
      [
        expect.stringMatching(
          /^rollcall: database\.custom\.columns\.user\.visum: sync_hash of citizens is internal bookkeeping of Rollcall/,
        ),
      ],
    ]);
  });
});

it("config check says so when the database cannot be reached", async () => {
  const dsn = `root:hidden-word@tcp(127.0.0.1:${await freePort()})/city?loc=UTC`;
  const instance = await scope.instance({ [option]: "my_visum", "database.dsn": dsn });
  const { code, stdout } = await run(["config", "check"], instance);
  expect([code, about(stdout)]).toEqual([0, [expect.stringMatching(/could not be checked: .*refuses connections/)]]);
  expect(stdout).not.toContain("hidden-word");
});
