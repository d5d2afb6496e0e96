import { CompiledQuery } from "kysely";
import { defineOrders } from "#core/contract/index.ts";
import {
  bulkInsert,
  col,
  defineOrderedList,
  defineTable,
  ListStatements,
  type NewRow,
  queries,
  type VisibleRead,
} from "#core/db/index.ts";
import type { DatabaseKind, Tx } from "#core/ports/index.ts";
import type { SqlDatabase } from "#infra/db/database.ts";
import { schemaAdapterOf } from "#infra/db/migrations/steps.ts";
import { grantsOf } from "./accesslists.policy.ts";
import type { Entry, Rules } from "./accesslists.policy.ts";
import { accesslistsGrants } from "./accesslists.schema.ts";

/** A kind of object with orders and filters, for tests and the benchmark. */
export const sampleKind = "samples";
export const sampleLevels = ["view", "comment", "edit"] as const;

export const samples = defineTable(
  "accesslists_samples",
  {
    id: col.id(),
    name: col.text(50),
    number: col.int().orNull(),
    category: col.key(20),
    state: col.int(),
    body: col.longText(),
    changed_at: col.int(),
    deleted_at: col.int().orNull(),
  },
  {
    primary: ["id"],
    indexes: {
      accesslists_samples_names: ["deleted_at", "name", "id"],
      accesslists_samples_numbers: ["deleted_at", "number", "id"],
      accesslists_samples_changes: ["deleted_at", "changed_at", "id"],
      accesslists_samples_category_names: ["deleted_at", "category", "name", "id"],
      accesslists_samples_category_numbers: ["deleted_at", "category", "number", "id"],
      accesslists_samples_category_changes: ["deleted_at", "category", "changed_at", "id"],
      accesslists_samples_state_names: ["deleted_at", "state", "name", "id"],
      accesslists_samples_state_numbers: ["deleted_at", "state", "number", "id"],
      accesslists_samples_state_changes: ["deleted_at", "state", "changed_at", "id"],
    },
  },
);

export const sampleOrders = defineOrders(["name", "number", "changedAt"], { default: "-changedAt" });

export const samplesList = defineOrderedList(samples, sampleOrders, {
  live: "deleted_at",
  by: { name: "name", number: "number", changedAt: "changed_at" },
  filters: { category: "category", state: "state" },
});

export type Sample = NewRow<typeof samples> & { readonly id: number };

/** Creates the table of the samples, empty; `drop` removes it. */
export async function createSamples(db: SqlDatabase): Promise<void> {
  await dropSamples(db);
  await db.exclusive("test.samples", async ({ connection, engine }) => {
    for (const statement of schemaAdapterOf(engine).createTable(samples)) await connection.execute(statement, []);
  });
}

export async function dropSamples(db: SqlDatabase): Promise<void> {
  await db.exclusive("test.samples", async ({ connection }) => {
    await connection.execute(`drop table if exists ${samples.name}`, []);
  });
}

export interface ListedSample {
  readonly row: Sample;
  readonly entries: readonly Entry[];
  readonly rules: Rules;
}

/** Inserts objects with what their lists grant. */
export async function insertSamples(tx: Tx, objects: readonly ListedSample[]): Promise<void> {
  const grants = objects.flatMap(({ row, entries, rules }) =>
    grantsOf(entries, rules, sampleLevels.length).map((grant) => ({
      object_kind: sampleKind,
      object_id: row.id,
      ...grant,
    })),
  );
  await bulkInsert(
    tx,
    samples,
    objects.map(({ row }) => row),
  );
  await bulkInsert(tx, accesslistsGrants, grants);
}

/** Lets the databases count what the tables hold, as they do by themselves in time. */
export async function analyzeSamples(db: SqlDatabase): Promise<void> {
  const text = db.kind === "sqlite" ? "analyze" : `analyze table ${samples.name}, ${accesslistsGrants.name}`;
  await db.exclusive("test.analyze", async ({ connection }) => await connection.execute(text, []));
}

/** The steps by which the statements of a page read all rows of a table. */
export async function fullScans(tx: Tx, kind: DatabaseKind, read: VisibleRead): Promise<string[]> {
  const { visible, position } = read;
  const statements = new ListStatements(tx, read);
  const all = visible
    ? [
        statements.sides(visible, position, 2001),
        statements.lookedUp(51, 2000),
        statements.sorted(visible, 51),
        statements.compared(visible, 51),
        statements.countReached(visible, position),
        statements.countLookedUp(position, 2000),
      ]
    : statements.everything(position, 51);
  const found: string[] = [];
  for (const statement of all) {
    const { sql: text, parameters } = statement.compile(queries(tx));
    const explain = `${kind === "sqlite" ? "explain query plan" : "explain"} ${text}`;
    const { rows } = await queries(tx).executeQuery<Record<string, unknown>>(CompiledQuery.raw(explain, [...parameters]));
    for (const row of rows) {
      const [step, scan] =
        kind === "sqlite"
          ? [String(row["detail"]), /^SCAN accesslists_\w+(?!.*USING (?:COVERING )?INDEX)/]
          : [`${row["table"]} ${row["type"]} ${row["key"]}`, /^accesslists_\w+ ALL/];
      if (scan.test(step)) found.push(`${step}: ${text}`);
    }
  }
  return found;
}
