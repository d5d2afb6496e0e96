import fc from "fast-check";
import { CompiledQuery, type SelectQueryBuilder, sql } from "kysely";
import { describe, expect, test } from "vitest";
import { type Column, bulkInsert, type OrderedList, queries, readOrdered, selectsAfter } from "#core/db/index.ts";
import type { OrderOf, Page } from "#core/contract/index.ts";
import { positionOf, readPage } from "#core/paging.ts";
import type { Tx } from "#core/ports/index.ts";
import { describeDatabases, type TestDatabase } from "#testkit/database.ts";
import { features } from "./features.ts";

const lists = features.flatMap(({ lists: own = [] }) => own);
const ordersOf = ({ orders }: OrderedList) => orders.names.flatMap((name): OrderOf<string>[] => [name, `-${name}`]);
const cases = lists.flatMap((list) => ordersOf(list).map((order) => [`${list.table.name} by ${order}`, list, order] as const));

type Row = { id: number; order_key: string | number | null };
type Select = SelectQueryBuilder<Record<string, Row>, string, Row>;

/** Equal, nearly equal and odd texts, in several scripts. */
const texts = [
  "",
  "a",
  "A",
  "a ",
  "ä",
  "a\u0308",
  "Zoë",
  "zoe",
  "Straße",
  "strasse",
  "日本",
  "Ωmega",
  "👩‍🚒",
  "%_",
  "a\u0000b",
  "10",
  "9",
];
const numbers = [0, 1, 2, 2, 3, 10, 1_790_000_000_000];
const cell = fc.record({ text: fc.constantFrom(...texts), number: fc.constantFrom(...numbers), none: fc.nat(3) });
type Cell = { text: string; number: number; none: number };

let made = 0;

/** A row with the drawn values in the columns of its orders; the others have what their types need. */
function rowOf({ table, keys, live }: OrderedList, { text, number, none }: Cell, gone: boolean): Record<string, unknown> {
  made += 1;
  const sorted = new Set(Object.values(keys).map(({ column }) => column));
  const unique = new Set(Object.values(table.options.unique ?? {}).flat());
  const valueOf = (name: string, { type, length, nullable }: Column) => {
    const isText = type === "text" || type === "key" || type === "longText";
    if (name === live) return gone ? 1 : null;
    if (unique.has(name)) return isText ? `${text}${made}` : made;
    if (nullable && (none === 0 || !sorted.has(name))) return null;
    if (type === "flag") return 0;
    return isText ? text.slice(0, length ?? 10) : number;
  };
  return Object.fromEntries(
    Object.entries(table.columns)
      .filter(([, { generated }]) => !generated)
      .map(([name, column]) => [name, valueOf(name, column)]),
  );
}

async function insert({ db }: TestDatabase, list: OrderedList, drawn: readonly { cell: Cell; gone: boolean }[]): Promise<void> {
  const rows = drawn.map((one) => rowOf(list, one.cell, one.gone));
  await db.write("test.insert", async (tx) => await bulkInsert(tx, list.table, rows as never));
}

function selectOf(tx: Tx, { table, live }: OrderedList): Select {
  const select = queries<Record<string, Row>>(tx).selectFrom(table.name).selectAll() as unknown as Select;
  return live === null ? select : select.where(sql<boolean>`${sql.ref(live)} is null`);
}

/** All ids in an order, sorted by the database in one statement that uses no index of the order. */
async function sortedIds({ db }: TestDatabase, list: OrderedList, order: OrderOf<string>): Promise<number[]> {
  const { key, descending } = positionOf(list, { order });
  const direction = sql.raw(descending ? "desc" : "asc");
  const column = sql.ref(`all_rows.${key.column}`);
  return await db.read("test.sorted", async (tx) => {
    const all = selectOf(tx, list).limit(1_000_000).as("all_rows");
    const statement = sql<{
      id: number;
    }>`select all_rows.id from ${all} order by ${column} ${direction}, all_rows.id ${direction}`;
    return (await statement.execute(queries(tx))).rows.map(({ id }) => id);
  });
}

async function page({ db }: TestDatabase, list: OrderedList, order: OrderOf<string>, cursor: string | null, limit: number) {
  return await db.read("test.page", async (tx): Promise<Page<Row>> => {
    const query = { order, limit, ...(cursor === null ? {} : { cursor }) };
    return await readPage(list, query, {
      rows: async (position, most) => await readOrdered(tx, selectOf(tx, list), { position, limit: most, narrowed: false }),
      count: async (cap) => (await selectOf(tx, list).limit(cap).execute()).length,
    });
  });
}

/** The steps of a plan that sort rows, or read a table from its beginning. */
async function faultsOf(tx: Tx, kind: string, { sql: text, parameters }: CompiledQuery, whole: boolean): Promise<string[]> {
  const explain = kind === "sqlite" ? "explain query plan" : "explain";
  const { rows } = await queries(tx).executeQuery<Record<string, string | null>>(
    CompiledQuery.raw(`${explain} ${text}`, [...parameters]),
  );
  const steps = rows.map((row) =>
    kind === "sqlite" ? String(row["detail"]) : `${row["type"]} ${row["key"]} ${row["Extra"] ?? ""}`,
  );
  const sorts = /temp b-tree|filesort|temporary/i;
  const scans = kind === "sqlite" ? /^SCAN (?!.*USING INDEX)/ : /^ALL/;
  const fromTheBeginning = kind === "sqlite" ? /^SCAN/ : /^index/;
  // Without a place the first rows of the index are the page.
  const found = steps.filter((step) => sorts.test(step) || scans.test(step) || (!whole && fromTheBeginning.test(step)));
  // SQLite names the columns that it looks up: the last one is the end of the range where the page begins.
  const range = kind !== "sqlite" || whole || steps.every((step) => /\([^)]*(?:[<>]\?|=\?)\)/.test(step));
  return range ? found : [...found, ...steps];
}

/** The rows that the tables' handlers read meanwhile; MariaDB only. */
async function rowsRead(tx: Tx, work: () => Promise<unknown>): Promise<number> {
  const read = async () => {
    const { rows } = await sql<{
      Value: string;
    }>`show session status where variable_name like 'Handler_read%' or variable_name = 'Handler_icp_attempts'`.execute(
      queries(tx),
    );
    return rows.reduce((sum, { Value }) => sum + Number(Value), 0);
  };
  const before = await read();
  await work();
  const after = await read();
  // What a look at the counters reads itself.
  return after - before - ((await read()) - after);
}

test("every list with orders is declared", () => {
  const offered = features.flatMap(({ contract }) =>
    (contract.operations ?? []).filter(({ input }) => input.query?.properties["order"]),
  );
  expect(lists.map(({ orders }) => orders.query.order)).toEqual(offered.map(({ input }) => input.query?.properties["order"]));
  expect(lists.length).toBeGreaterThan(4);
});

describeDatabases("lists in their orders", (get) => {
  test.each(cases)("%s: pages hold every row once, in the order of a full sort", async (_name, list, order) => {
    const database = get();
    const drawn = fc.record({ cell, gone: fc.nat(9).map((n) => n === 0) });
    const drawing = fc.record({
      rows: fc.array(drawn, { minLength: 1, maxLength: 30 }),
      added: fc.array(drawn, { maxLength: 6 }),
      limit: fc.integer({ min: 1, max: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(drawing, async ({ rows, added, limit }) => {
        await database.db.write(
          "test.empty",
          async (tx) => await sql`delete from ${sql.table(list.table.name)}`.execute(queries(tx)),
        );
        await insert(database, list, rows);
        const wanted = await sortedIds(database, list, order);
        const left = [...added];
        const found: number[] = [];
        for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
          const { items, next }: Page<Row> = await page(database, list, order, cursor, limit);
          expect(items.length).toBeLessThanOrEqual(limit);
          found.push(...items.map(({ id }) => id));
          const more = left.pop();
          if (more) await insert(database, list, [more]);
          cursor = next;
        }
        // What was added meanwhile may be shown or not, but never twice, and it moves nothing else.
        expect(new Set(found).size).toBe(found.length);
        expect(found.filter((id) => wanted.includes(id))).toEqual(wanted);
      }),
      { numRuns: 12, seed: 7 },
    );
  });

  describe("cost as much on any page as on the first one", () => {
    test.each(lists.map((list) => [list.table.name, list] as const))("%s", async (_name, list) => {
      const database = get();
      const { db, kind } = database;
      const rows = fc.sample(fc.record({ cell, gone: fc.nat(9).map((n) => n === 0) }), { numRuns: 1500, seed: 3 });
      await insert(database, list, rows);
      // Written again too: rows that other tests deleted are read for as long as any older transaction is open.
      if (kind === "mariadb")
        await db.exclusive(
          "test.analyze",
          async ({ connection }) => await connection.execute(`optimize table ${list.table.name}`, []),
        );
      const limit = 20;
      const faults: string[] = [];
      await db.read("test.plans", async (tx) => {
        for (const order of ordersOf(list)) {
          const first = positionOf(list, { order });
          const all = await readOrdered(tx, selectOf(tx, list), { position: first, limit: 2000, narrowed: false });
          const places = [
            null,
            all[700],
            all.find(({ order_key }) => order_key === null),
            all.findLast((row) => row.order_key === null),
          ];
          for (const place of places.filter((one) => one !== undefined)) {
            const position = { ...first, after: place && { key: place.order_key, id: place.id } };
            for (const select of selectsAfter(tx, selectOf(tx, list), { position, narrowed: false })) {
              const found = await faultsOf(tx, kind, select.limit(limit).compile(), place === null);
              faults.push(...found.map((fault) => `${order} after ${JSON.stringify(position.after)}: ${fault}`));
            }
            if (kind !== "mariadb") continue;
            const read = await rowsRead(
              tx,
              async () => await readOrdered(tx, selectOf(tx, list), { position, limit, narrowed: false }),
            );
            if (read > 3 * limit) faults.push(`${order} after ${JSON.stringify(position.after)}: ${read} rows read`);
          }
        }
      });
      expect(faults.join("\n")).toBe("");
    });
  });
});
