import { makeDatabase, type OwnDatabase } from "@rollcall/testkit/backing.ts";
import { makeInstance, type Instance, type Program, run, serve } from "@rollcall/testkit/program.ts";
import { type OwnNats, ownNats } from "@rollcall/testkit/servers.ts";

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

/** What the tests of migrations start, and end together. */
export class MigrationPlaces {
  readonly #ends: (() => unknown)[] = [];

  async end(): Promise<void> {
    for (const end of this.#ends.splice(0).toReversed()) await end();
  }

  async nats(): Promise<OwnNats> {
    const server = await ownNats();
    this.#ends.push(async () => await server.remove());
    await server.start();
    return server;
  }

  empty(): OwnDatabase {
    const database = makeDatabase();
    this.#ends.push(() => database.drop());
    return database;
  }

  async place(database: OwnDatabase, broker: OwnNats): Promise<Instance> {
    const made = await makeInstance({ dsn: database.dsn, nats: `nats://127.0.0.1:${broker.port}` });
    this.#ends.push(() => made.remove());
    return made;
  }

  async served(at: Instance): Promise<Program> {
    const program = await serve(at);
    this.#ends.push(async () => await program.stop());
    return program;
  }

  async cleanSchema(broker: OwnNats): Promise<string[]> {
    const database = this.empty();
    const { code, stderr } = await run(["migrate"], await this.place(database, broker));
    if (code !== 0) throw new Error(stderr);
    return schemaOf(database);
  }
}
