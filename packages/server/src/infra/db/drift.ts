import type { Table } from "#core/db/table.ts";
import type { SqlDatabase } from "./database.ts";
import { schemaAdapterOf } from "./migrations/steps.ts";
import { indexesOf, type ColumnShape, type SchemaAdapter, type TableShape } from "./schema.ts";

/** Tables of the migration runner. */
const ownTables = new Set(["schema_migrations", "schema_steps", "schema_lock", "schema_restore"]);

function describe(shape: ColumnShape): string {
  const parts = [shape.type, shape.nullable ? "null" : "not null"];
  if (shape.collation !== null) parts.push(`collate ${shape.collation}`);
  if (shape.generated) parts.push("generated");
  if (shape.default !== null) parts.push(`default ${shape.default}`);
  return parts.join(" ");
}

function columnDrift(table: Table, found: TableShape, schema: SchemaAdapter): string[] {
  const lines: string[] = [];
  for (const [name, column] of Object.entries(table.columns)) {
    const there = found.columns.get(name);
    const wanted = describe(schema.columnShape(column));
    if (!there) lines.push(`${table.name}.${name}: missing (${wanted})`);
    else if (describe(there) !== wanted) lines.push(`${table.name}.${name}: is ${describe(there)}, declared ${wanted}`);
  }
  for (const name of found.columns.keys()) {
    if (!(name in table.columns)) lines.push(`${table.name}.${name}: not declared`);
  }
  return lines;
}

function indexDrift(table: Table, found: TableShape): string[] {
  const lines: string[] = [];
  const text = (index: { unique: boolean; columns: readonly string[] }) =>
    `${index.unique ? "unique " : ""}(${index.columns.join(", ")})`;
  if (found.primary.join() !== table.options.primary.join()) {
    lines.push(`${table.name}: primary key is (${found.primary.join(", ")}), declared (${table.options.primary.join(", ")})`);
  }
  const declared = indexesOf(table);
  for (const [name, index] of declared) {
    const there = found.indexes.get(name);
    if (!there) lines.push(`${table.name}: index ${name} ${text(index)} is missing`);
    else if (text(there) !== text(index)) lines.push(`${table.name}: index ${name} is ${text(there)}, declared ${text(index)}`);
  }
  for (const name of found.indexes.keys()) if (!declared.has(name)) lines.push(`${table.name}: index ${name} is not declared`);
  return lines;
}

/** One line for each difference between the database and the declared tables; empty when they agree. */
export async function schemaDrift(db: SqlDatabase, tables: readonly Table[]): Promise<string[]> {
  return await db.exclusive("schema.drift", async ({ engine, connection }) => {
    const schema = schemaAdapterOf(engine);
    const found = await schema.inspect(connection);
    const lines: string[] = [];
    for (const table of tables) {
      const there = found.get(table.name);
      if (!there) lines.push(`${table.name}: missing`);
      else lines.push(...columnDrift(table, there, schema), ...indexDrift(table, there));
    }
    const names = new Set<string>(tables.map((table) => table.name));
    for (const name of found.keys())
      if (!names.has(name) && !ownTables.has(name)) lines.push(`${name}: not declared by any feature`);
    return lines;
  });
}

/** The column types in the database, by table and column; missing tables are left out. */
export async function columnTypes(
  db: SqlDatabase,
  tables: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
  return await db.exclusive("schema.columns", async ({ engine, connection }) => {
    const found = await schemaAdapterOf(engine).inspect(connection, tables);
    const typesOf = ({ columns }: TableShape) => new Map([...columns].map(([name, { type }]) => [name, type]));
    return new Map([...found].map(([name, shape]) => [name, typesOf(shape)]));
  });
}

export interface CollationProblem {
  readonly table: string;
  readonly column: string;
  readonly found: string;
  readonly wanted: string;
  /** The statement that repairs the column. */
  readonly repair: string;
}

/** Text columns whose collation differs from that of the DSN (or, for keys, from the binary one). */
export async function collationProblems(db: SqlDatabase, tables: readonly Table[]): Promise<CollationProblem[]> {
  return await db.exclusive("schema.collations", async ({ engine, connection }) => {
    const schema = schemaAdapterOf(engine);
    const found = await schema.inspect(
      connection,
      tables.map((table) => table.name),
    );
    const problems: CollationProblem[] = [];
    for (const table of tables) {
      for (const [name, column] of Object.entries(table.columns)) {
        const there = found.get(table.name)?.columns.get(name)?.collation ?? null;
        const wanted = schema.columnShape(column).collation;
        const repair = schema.modifyColumn(table.name, name, column);
        if (there === null || wanted === null || there === wanted || repair === null) continue;
        problems.push({ table: table.name, column: name, found: there, wanted, repair });
      }
    }
    return problems;
  });
}
