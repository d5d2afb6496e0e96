import { makeDatabase, type OwnDatabase } from "@rollcall/testkit/backing.ts";
import { run } from "@rollcall/testkit/program.ts";
import { ownNats } from "@rollcall/testkit/servers.ts";
import type { Scope } from "@rollcall/testkit/settings.ts";

/** Columns and keys of every table, and the applied migrations. */
export function schemaOf({ name, query }: OwnDatabase): string[] {
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

/** What the tests of migrations share: a broker, and an empty database that several programs open. */
export async function createMigrationPlace(scope: Scope) {
  const nats = await ownNats();
  scope.defer(async () => await nats.remove());
  await nats.start();
  const emptyDatabase = (): OwnDatabase => {
    const database = makeDatabase();
    scope.defer(() => database.drop());
    return database;
  };
  const instance = async ({ dsn }: OwnDatabase) =>
    await scope.instance({ "database.dsn": dsn, "nats.url": `nats://127.0.0.1:${nats.port}` });
  return {
    emptyDatabase,
    instance,
    async cleanSchema(): Promise<string[]> {
      const database = emptyDatabase();
      const { code, stderr } = await run(["migrate"], await instance(database));
      if (code !== 0) throw new Error(stderr);
      return schemaOf(database);
    },
  };
}
