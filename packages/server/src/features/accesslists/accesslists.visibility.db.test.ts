import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OrderOf, type Page, readOrder } from "#core/contract/index.ts";
import { queries } from "#core/db/index.ts";
import { positionOf, readVisiblePage } from "#core/paging.ts";
import type { Tx } from "#core/ports/index.ts";
import { describeDatabases, type TestDatabase } from "#testkit/database.ts";
import { entryLists, referenceLevel, rules, subjects } from "./accesslists.testkit.ts";
import {
  analyzeSamples,
  createSamples,
  dropSamples,
  fullScans,
  insertSamples,
  type ListedSample,
  type Sample,
  sampleKind,
  sampleLevels,
  sampleOrders,
  samples,
  samplesList,
} from "./accesslists.lists.testkit.ts";
import { grantsOf, type Subject } from "./accesslists.policy.ts";
import { searchableBy, visibleTo } from "./accesslists.reads.ts";
import { deleteLists, writeList } from "./accesslists.repo.ts";

const worlds = process.env["ROLLCALL_TEST_FACTOR"] === undefined ? 120 : 10_000;
const top = sampleLevels.length;

type Order = OrderOf<(typeof sampleOrders.names)[number]>;

interface Asked {
  readonly who: Subject;
  readonly level: number;
  readonly order: Order;
  readonly filters: Readonly<Record<string, string | number>>;
  readonly changedUntil: number | null;
  readonly limit: number;
  readonly narrow: number | undefined;
}

const content = fc.record({
  name: fc.constantFrom("a", "A", "b", "Bc", "c"),
  number: fc.option(fc.integer({ min: 0, max: 3 }), { freq: 3, nil: null }),
  category: fc.constantFrom("fire", "theft"),
  state: fc.integer({ min: 0, max: 1 }),
  changed_at: fc.integer({ min: 1, max: 4 }),
  deleted_at: fc.integer({ min: 0, max: 7 }).map((n) => (n === 0 ? 9 : null)),
});
const object = fc.record({ content, entries: entryLists(top), rules });
const asked: fc.Arbitrary<Asked> = fc.record({
  who: subjects,
  level: fc.integer({ min: 1, max: top }),
  order: fc.constantFrom(...sampleOrders.names.flatMap((name): Order[] => [name, `-${name}`])),
  filters: fc.constantFrom<Asked["filters"]>({}, {}, { category: "fire" }, { state: 1 }, { state: 0, category: "theft" }),
  changedUntil: fc.option(fc.integer({ min: 2, max: 4 }), { freq: 2 }),
  limit: fc.integer({ min: 1, max: 5 }),
  // Small ones send small worlds through every way to read a page.
  narrow: fc.constantFrom(0, 1, 2, 4, 8, undefined),
});
/** What happens between two pages. */
const change = fc.record({ kind: fc.constantFrom("add", "remove", "list", "edit"), at: fc.nat(), to: object });
const world = fc.record({
  objects: fc.array(object, { minLength: 1, maxLength: 16 }),
  views: fc.array(asked, { minLength: 1, maxLength: 3 }),
  changes: fc.array(change, { maxLength: 8 }),
});

const sampleOf = (id: number, { content: drawn, ...list }: typeof object extends fc.Arbitrary<infer T> ? T : never) => ({
  row: { id, ...drawn, body: "" },
  ...list,
});

const columnOf = { name: "name", number: "number", changedAt: "changed_at" } as const;

function compare(order: Order, a: Sample, b: Sample): number {
  const { name, descending } = readOrder(order);
  const keyOf = (row: Sample) => row[columnOf[name]] ?? null;
  const [x, y] = [keyOf(a), keyOf(b)].map((key) => (typeof key === "string" ? key.toLowerCase() : (key ?? -1)));
  const found = x === y ? a.id - b.id : x! < y! ? -1 : 1;
  return descending ? -found : found;
}

/** The plainest list: every object is looked at. */
function wanted(objects: ReadonlyMap<number, ListedSample>, { who, level, order, filters, changedUntil }: Asked): Sample[] {
  return [...objects.values()]
    .filter(({ row }) => row.deleted_at === null && (changedUntil === null || row.changed_at <= changedUntil))
    .filter(({ row }) => Object.entries(filters).every(([name, value]) => row[name as "category" | "state"] === value))
    .filter(({ entries, rules: given }) => referenceLevel(entries, given, who, top) >= level)
    .map(({ row }) => row)
    .toSorted((a, b) => compare(order, a, b));
}

async function pageOf(tx: Tx, { who, level, order, filters, changedUntil, limit, narrow }: Asked, cursor: string | null) {
  const until = changedUntil === null ? undefined : sql<boolean>`accesslists_samples.changed_at <= ${changedUntil}`;
  const query = { order, limit, ...(cursor === null ? {} : { cursor }) };
  return await readVisiblePage(tx, samplesList, query, {
    filters,
    where: until,
    visible: visibleTo(sampleKind, who, level),
    narrow,
    rows: async (ids) =>
      ids.length === 0
        ? []
        : await queries<{ accesslists_samples: Sample }>(tx)
            .selectFrom("accesslists_samples")
            .selectAll()
            .where("id", "in", ids)
            .execute(),
  });
}

describeDatabases("lists with access", (get) => {
  beforeAll(async () => await createSamples(get().db));
  afterAll(async () => await dropSamples(get().db));

  /** The objects as they are stored, and the same in memory. */
  class World {
    readonly objects = new Map<number, ListedSample>();
    readonly #db: TestDatabase["db"];
    #last = 0;

    constructor(db: TestDatabase["db"]) {
      this.#db = db;
    }

    async empty(): Promise<void> {
      await this.#db.write("test.empty", async (tx) => {
        for (const table of ["accesslists_samples", "accesslists_grants", "accesslists_entries"])
          await sql`delete from ${sql.table(table)}`.execute(queries(tx));
      });
      this.objects.clear();
    }

    async add(drawn: readonly Parameters<typeof sampleOf>[1][]): Promise<void> {
      const added = drawn.map((one) => sampleOf((this.#last += 1), one));
      for (const one of added) this.objects.set(one.row.id, one);
      await this.#db.write("test.add", async (tx) => await insertSamples(tx, added));
    }

    async apply({ kind, at, to }: typeof change extends fc.Arbitrary<infer T> ? T : never): Promise<void> {
      const ids = [...this.objects.keys()];
      const id = ids[at % ids.length];
      if (kind === "add" || id === undefined) return await this.add([to]);
      const before = this.objects.get(id)!;
      await this.#db.write("test.change", async (tx) => {
        const samplesOf = queries<{ accesslists_samples: Sample }>(tx);
        if (kind === "remove") {
          this.objects.delete(id);
          await samplesOf.deleteFrom("accesslists_samples").where("id", "=", id).execute();
          await deleteLists(tx, sampleKind, [id]);
        } else if (kind === "edit") {
          const row = { ...before.row, ...to.content };
          this.objects.set(id, { ...before, row });
          await samplesOf.updateTable("accesslists_samples").set(to.content).where("id", "=", id).execute();
        } else {
          this.objects.set(id, { ...before, entries: to.entries, rules: to.rules });
          const grants = grantsOf(to.entries, to.rules, top);
          await writeList(tx, before.entries, { kind: sampleKind, id, entries: to.entries, grants });
        }
      });
    }
  }

  test(
    `show in each order, page by page, what a filter in memory shows (${worlds} worlds)`,
    async () => {
      const { db } = get();
      const state = new World(db);
      await fc.assert(
        fc.asyncProperty(world, async ({ objects, views, changes }) => {
          await state.empty();
          await state.add(objects);
          const left = [...changes];
          for (const view of views) {
            let cursor: string | null = null;
            let after: Sample | null = null;
            do {
              const all = wanted(state.objects, view);
              const further = all.filter((row) => after === null || compare(view.order, row, after) > 0);
              const page: Page<Sample> = await db.read("test.page", async (tx) => await pageOf(tx, view, cursor));
              expect(page.items.map(({ id }) => id)).toEqual(further.slice(0, view.limit).map(({ id }) => id));
              expect(page.next === null).toBe(further.length <= view.limit);
              if (page.totalCapped) expect(page.total).toBeLessThanOrEqual(all.length);
              else expect(page.total).toBe(Math.max(all.length, page.items.length));
              after = page.items.at(-1) ?? null;
              cursor = page.next;
              const next = left.pop();
              if (next) await state.apply(next);
            } while (cursor !== null);
          }
        }),
        { seed: 30, numRuns: worlds },
      );
      await state.empty();
    },
    worlds > 1000 ? 3_600_000 : 120_000,
  );

  test("cost a constant number of statements, none of which reads a whole table", async () => {
    const { db, kind, statements } = get();
    const state = new World(db);
    await state.empty();
    const drawn = fc.sample(object, { numRuns: 2_500, seed: 34 });
    await state.add(drawn.map((one) => ({ ...one, entries: one.entries.filter(({ level }) => level > 0) })));
    await analyzeSamples(db);
    const [police, citizen] = [
      { characterId: 9, job: "police", grade: 3, held: ["group:1"], jobAdmin: false },
      { characterId: 1, job: "press", grade: 0, held: [], jobAdmin: false },
    ];
    const narrowed: Asked["filters"][] = [{}, { category: "fire" }, { state: 1, category: "theft" }];
    const faults: string[] = [];
    const costs: number[] = [];
    for (const who of [police, citizen])
      for (const filters of narrowed)
        for (const order of ["name", "-number", "-changedAt"] as const)
          for (const narrow of [100, undefined]) {
            const view: Asked = { who, level: 1, order, filters, changedUntil: null, limit: 20, narrow };
            let cursor: string | null = null;
            for (let at = 0; at < 2; at += 1) {
              const page = async () =>
                void ({ next: cursor } = await db.read("test.page", async (tx) => await pageOf(tx, view, cursor)));
              costs.push(await statements.during(page));
            }
            await db.read("test.plans", async (tx) => {
              const first = positionOf(samplesList, { order });
              const positions = [first, { ...first, after: { key: order.endsWith("name") ? "b" : 2, id: 1_000 } }];
              for (const position of positions) {
                const read = { list: samplesList, position, filters, visible: visibleTo(sampleKind, who, 1) };
                faults.push(...(await fullScans(tx, kind, read)));
              }
            });
          }
    expect(faults).toEqual([]);
    expect(Math.max(...costs)).toBeLessThanOrEqual(7);
    await state.empty();
  });

  test("show the same to a search, which knows what may be visible", async () => {
    const { db } = get();
    const state = new World(db);
    const idsOf = async (text: string, params: readonly unknown[]) =>
      await db.exclusive("test.search", async ({ connection }) => {
        const { rows } = await connection.execute(text, [...params]);
        return rows.map(({ id }) => Number(id));
      });
    await fc.assert(
      fc.asyncProperty(world, async ({ objects, views }) => {
        await state.empty();
        await state.add(objects);
        for (const view of views) {
          const visible = searchableBy(sampleKind, view.who, view.level);
          expect(visible === undefined).toBe(view.who.jobAdmin);
          if (!visible) continue;
          const { condition, among } = visible;
          const live = `select s.id as id from ${samples.name} s where s.deleted_at is null`;
          const found = await idsOf(`${live} and ${condition.sql.replaceAll("{id}", "s.id")} order by s.id`, condition.params);
          const all = wanted(state.objects, { ...view, filters: {}, changedUntil: null }).map(({ id }) => id);
          expect(found).toEqual(all.toSorted((a, b) => a - b));
          expect(await idsOf(among!.sql, among!.params)).toEqual(expect.arrayContaining(all));
        }
      }),
      { seed: 31, numRuns: 30 },
    );
    await state.empty();
  });
});
