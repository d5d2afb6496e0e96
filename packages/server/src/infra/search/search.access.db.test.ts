import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bulkInsert, col, defineTable } from "#core/db/index.ts";
import type { SearchFound, SearchVisibility } from "#core/ports/search.ts";
import { schemaAdapterOf } from "#infra/db/migrations/steps.ts";
import { describeDatabases } from "#testkit/database.ts";
import { createSearch } from "./index.ts";

const search = createSearch();

const grants = defineTable(
  "search_test_grants",
  { object_kind: col.key(32), principal: col.key(64), object_id: col.int(), level: col.int() },
  { primary: ["object_kind", "principal", "object_id"] },
);

interface Grant {
  readonly principal: string;
  readonly level: number;
}

interface Thing {
  readonly title: string;
  readonly number: string | null;
  readonly grants: readonly Grant[];
}

const principals = ["public", "citizen:1", "citizen:2", "job:police", "group:state"] as const;
const words = ["report", "reports", "reprot", "incident", "arrest", "lind", "linda", "łukasz", "li", "wu"];

const thing: fc.Arbitrary<Thing> = fc.record({
  title: fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }).map((all) => all.join(" ")),
  number: fc.option(fc.constantFrom("AB 123", "XAB123", "555-0123", "+49 151 0123")),
  grants: fc.uniqueArray(fc.record({ principal: fc.constantFrom(...principals), level: fc.constantFrom(0, 1, 1, 2) }), {
    maxLength: 3,
    selector: ({ principal }) => principal,
  }),
});

const world = fc.record({
  things: fc.array(thing, { minLength: 1, maxLength: 25 }),
  viewer: fc.subarray([...principals], { minLength: 1 }),
  queries: fc.array(fc.constantFrom(...words, "lukasz incident", "reprt", "inc li", "ab12", "0123", "arrest 555", "xab 123"), {
    minLength: 1,
    maxLength: 3,
  }),
  limit: fc.constantFrom(1, 3, 200),
  knowsSide: fc.boolean(),
});

/** A plain filter in memory: a block refuses, whatever else there is. */
function isVisible({ grants: given }: Thing, viewer: readonly string[]): boolean {
  const own = given.filter(({ principal }) => viewer.includes(principal));
  return own.some(({ level }) => level > 0) && own.every(({ level }) => level > 0);
}

function visibilityOf(kind: string, viewer: readonly string[], knowsSide: boolean): SearchVisibility {
  const named = viewer.map(() => "?").join(", ");
  const one = `select 1 from search_test_grants g where g.object_kind = ? and g.object_id = {id} and g.principal in (${named}) and`;
  return {
    condition: {
      sql: `exists (${one} g.level > 0) and not exists (${one} g.level = 0)`,
      params: [kind, ...viewer, kind, ...viewer],
    },
    ...(knowsSide && {
      among: {
        sql: `select object_id as id from search_test_grants where object_kind = ? and principal in (${named}) and level > 0`,
        params: [kind, ...viewer],
      },
    }),
  };
}

describeDatabases("search under access", (get) => {
  beforeEach(async () => {
    await get().db.exclusive("test.grants", async ({ engine, connection }) => {
      for (const statement of schemaAdapterOf(engine).createTable(grants)) await connection.execute(statement, []);
    });
  });
  afterEach(async () => {
    await get().db.exclusive("test.grants", async ({ connection }) => {
      await connection.execute("drop table search_test_grants", []);
    });
  });

  async function put(kind: string, things: ReadonlyMap<number, Thing>): Promise<void> {
    await get().db.write("test.put", async (tx) => {
      const documents = [...things].map(([id, { title, number }]) => ({
        id,
        texts: [{ field: "title", text: title, weight: 2 }, ...(number === null ? [] : [{ field: "number", text: number }])],
      }));
      await search.put(tx, kind, documents);
      const rows = [...things].flatMap(([object_id, one]) =>
        one.grants.map((grant) => ({ object_kind: kind, object_id, ...grant })),
      );
      await bulkInsert(tx, grants, rows);
    });
  }

  const find = async (kind: string, query: string, limit: number, visible?: SearchVisibility): Promise<SearchFound> =>
    await get().db.read("test.find", async (tx) => await search.find(tx, kind, query, { limit, ...(visible && { visible }) }));

  it("finds and counts as if nothing existed but what the viewer sees, in random worlds", async () => {
    let number = 0;
    const compare = fc.asyncProperty(world, async ({ things, viewer, queries, limit, knowsSide }) => {
      number += 1;
      const [whole, seen] = [`whole${number}`, `seen${number}`];
      const all = new Map(things.map((one, at) => [at + 1, one]));
      await put(whole, all);
      await put(seen, new Map([...all].filter(([, one]) => isVisible(one, viewer))));
      for (const query of queries) {
        const found = await find(whole, query, limit, visibilityOf(whole, viewer, knowsSide));
        expect(found).toEqual(await find(seen, query, limit, knowsSide ? visibilityOf(seen, viewer, true) : undefined));
        expect(found.hits.every(({ id }) => isVisible(all.get(id)!, viewer))).toBe(true);
      }
    });
    await fc.assert(compare, {
      numRuns: 200 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1),
      seed: 20261124,
      endOnFailure: true,
    });
  }, 600_000);

  describe("of many foreign objects", () => {
    const foreign = (title: string): Thing => ({ title, number: "555 0123", grants: [{ principal: "job:police", level: 1 }] });
    const own = (title: string): Thing => ({ title, number: "555 0123", grants: [{ principal: "citizen:1", level: 1 }] });

    it.each([true, false])("shows the viewer's own 20 of 5,020 (knows what is visible: %s)", async (knowsSide) => {
      const things = new Map(
        Array.from({ length: 5_020 }, (_, at) => {
          const title = `Incident report ${String.fromCharCode(97 + (at % 26)).repeat(3)}`;
          return [at + 1, at < 5_000 ? foreign(title) : own(title)] as const;
        }),
      );
      await put("document", things);
      const visible = visibilityOf("document", ["public", "citizen:1"], knowsSide);
      for (const query of ["incident report", "report", "incid", "incidnet", "0123"]) {
        const { hits, total, isMore } = await find("document", query, 200, visible);
        expect([query, hits.length, total, isMore]).toEqual([query, 20, 20, false]);
        expect(hits.every(({ id }) => id > 5_000)).toBe(true);
      }
      expect((await find("document", "incident report", 200)).isMore).toBe(true);
    });
  });
});
