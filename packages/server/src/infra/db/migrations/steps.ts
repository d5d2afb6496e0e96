import { queries } from "#core/db/queries.ts";
import type { TableOf } from "#core/db/table.ts";
import type { Engine } from "../connection.ts";
import type { SqlSession } from "../database.ts";
import { mariadbSchema } from "../dialect/mariadb/schema.ts";
import { sqliteSchema } from "../dialect/sqlite/schema.ts";
import type { SchemaAdapter, TableShape } from "../schema.ts";
import type { schemaSteps } from "./bookkeeping.ts";
import type { Steps } from "./kit.ts";

export function schemaAdapterOf(engine: Engine): SchemaAdapter {
  return engine.collation === null ? sqliteSchema : mariadbSchema(engine.collation);
}

/** The steps of the migration `name` in this session; on SQLite they run inside the caller's transaction. */
export function createSteps(session: SqlSession, name: string): Steps {
  const { connection, engine } = session;
  const schema = schemaAdapterOf(engine);
  const transactional = engine.kind === "sqlite";

  const tableNow = async (table: string): Promise<TableShape | undefined> =>
    (await schema.inspect(connection, [table])).get(table);
  const existing = async (table: string): Promise<TableShape> => {
    const found = await tableNow(table);
    if (!found) throw new Error(`migration ${name}: there is no table ${table}`);
    return found;
  };
  const run = async (statement: string) => void (await connection.execute(statement, []));

  const dataOnce = async (step: string, work: (tx: never) => Promise<void | "more">): Promise<"more" | "done"> => {
    if (!transactional) await connection.begin("write");
    const unit = session.unit(`${name}.${step}`);
    try {
      const own = queries<{ schema_steps: TableOf<typeof schemaSteps> }>(unit.tx);
      const done = await own
        .selectFrom("schema_steps")
        .select("step")
        .where("migration", "=", name)
        .where("step", "=", step)
        .executeTakeFirst();
      let answer: "more" | "done" = "done";
      if (!done) {
        answer = (await work(unit.tx as never)) === "more" ? "more" : "done";
        if (answer === "done") await own.insertInto("schema_steps").values({ migration: name, step }).execute();
      }
      if (!transactional) await connection.commit();
      return answer;
    } catch (error) {
      if (!transactional) await connection.rollback().catch(() => undefined);
      throw error;
    } finally {
      unit.end();
    }
  };

  return {
    async createTable(table) {
      if (await tableNow(table.name)) return;
      for (const statement of schema.createTable(table)) await run(statement);
    },
    async dropTable(table) {
      if (await tableNow(table)) await run(schema.dropTable(table));
    },
    async addColumn(table, column, definition) {
      if (!definition.nullable && (definition.default === undefined || definition.default === null)) {
        throw new Error(`migration ${name}: the new column ${table}.${column} must be nullable or have a default`);
      }
      if (!(await existing(table)).columns.has(column)) await run(schema.addColumn(table, column, definition));
    },
    async dropColumn(table, column) {
      if ((await existing(table)).columns.has(column)) await run(schema.dropColumn(table, column));
    },
    async addIndex(table, index, columns, options) {
      if (!(await existing(table)).indexes.has(index)) {
        await run(schema.createIndex(table, index, { unique: options?.unique === true, columns }));
      }
    },
    async dropIndex(table, index) {
      if ((await tableNow(table))?.indexes.has(index)) await run(schema.dropIndex(table, index));
    },
    async runData(step, work) {
      while ((await dataOnce(step, work)) === "more");
    },
  };
}
