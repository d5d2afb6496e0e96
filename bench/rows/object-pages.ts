import type { OrderOf } from "../../packages/server/src/core/contract/index.ts";
import { queries } from "../../packages/server/src/core/db/index.ts";
import { positionOf, readVisiblePage } from "../../packages/server/src/core/paging.ts";
import type { DatabaseKind } from "../../packages/server/src/core/ports/index.ts";
import {
  analyzeSamples,
  createSamples,
  dropSamples,
  fullScans,
  insertSamples,
  type ListedSample,
  type Sample,
  sampleKind,
  sampleOrders,
  samplesList,
} from "../../packages/server/src/features/accesslists/accesslists.lists.testkit.ts";
import type { Entry, Subject } from "../../packages/server/src/features/accesslists/accesslists.api.ts";
import { visibleTo } from "../../packages/server/src/features/accesslists/accesslists.reads.ts";
import { openTestDatabase } from "../../packages/server/src/testkit/database.ts";
import { hasMariadb } from "../kit/mariadb.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";
import { percentile, timed } from "../kit/stats.ts";

const objects = 100_000;
/** Pages of each shape, order and reader, from the first one on. */
const pages = 30;
const mostStatements = 7;

type Order = OrderOf<(typeof sampleOrders.names)[number]>;
const orders: readonly Order[] = ["-changedAt", "name", "number"];

const nobody = { characterId: 1, job: "press", grade: 0, held: [], jobAdmin: false };
const viewers = {
  /** Half of the objects by five grades, a third by a group; some are blocked. */
  wide: { ...nobody, job: "police", grade: 4, held: ["group:1"] },
  /** Named on sixty objects. */
  narrow: { ...nobody, characterId: 77 },
  /** Half of the objects, and of those in the category `half` nearly none. */
  apart: { ...nobody, job: "ambulance", grade: 4 },
} satisfies Record<string, Subject>;

const shapes: readonly {
  readonly name: string;
  readonly who: Subject;
  readonly filters: Readonly<Record<string, string>>;
}[] = [
  { name: "wide reader", who: viewers.wide, filters: {} },
  { name: "filter with 40 objects", who: viewers.wide, filters: { category: "rare" } },
  { name: "reader of 60 objects", who: viewers.narrow, filters: {} },
  { name: "reader of 60 objects, wide filter", who: viewers.narrow, filters: { category: "half" } },
  { name: "wide reader and filter with 20 in common", who: viewers.apart, filters: { category: "half" } },
];

const entry = (more: Partial<Entry>): Entry => ({ subject: "job", job: "", minGrade: 0, id: 0, level: 1, required: 0, ...more });

/** Spread without a pattern, and the same in each run. */
const spread = (id: number) => (id * 2_654_435_761) % 1_000_003;

function objectOf(id: number): ListedSample {
  const category = id % 2 === 0 ? "half" : id % 2500 === 1 ? "rare" : "other";
  const entries = [entry({ job: "lawyer", minGrade: id % 5 }), entry({ job: "judge", level: 2 })];
  if (spread(id) % 2 === 0) entries.push(entry({ job: "police", minGrade: id % 5 }));
  if (spread(id) % 50 === 1) entries.push(entry({ job: "police", minGrade: 2, level: 0 }));
  if (spread(id) % 3 === 0) entries.push(entry({ subject: "group", id: 1 }));
  if (id % 2 === 1 || id % 5000 === 0) entries.push(entry({ job: "ambulance", minGrade: id % 5 }));
  if (id % 1666 === 0) entries.push(entry({ subject: "citizen", id: 77 }));
  if (id % 40 === 0) entries.push(entry({ subject: "citizen", id: 1000 + (id % 400), level: id % 80 === 0 ? 0 : 3 }));
  const name = `Object ${String(spread(id)).padStart(7, "0")}`;
  const row = { name, number: spread(id + 7), category, state: id % 3, body: "What it says. ".repeat(20) };
  const rules = { creatorId: 2000 + (id % 500), creatorJob: "lawyer", public: false };
  return { row: { id, ...row, changed_at: 1_790_000_000_000 + id * 1000, deleted_at: null }, entries, rules };
}

type Opened = Awaited<ReturnType<typeof openTestDatabase>>;

async function fill({ db }: Opened): Promise<void> {
  await createSamples(db);
  const step = 5_000;
  for (let from = 0; from < objects; from += step) {
    const part = Array.from({ length: step }, (_, at) => objectOf(from + at + 1));
    await db.write("bench.fill", async (tx) => await insertSamples(tx, part));
  }
  await analyzeSamples(db);
}

interface Browsed {
  readonly took: readonly number[];
  readonly statements: number;
  readonly seen: number;
}

/** Reads the list page by page, starting again at its end. */
async function browse({ db, statements }: Opened, shape: (typeof shapes)[number], order: Order, who: Subject): Promise<Browsed> {
  let cursor: string | null = null;
  let seen = 0;
  let most = 0;
  const read = async () => {
    const query = { order, limit: 50, ...(cursor === null ? {} : { cursor }) };
    const page = await db.read(
      "bench.page",
      async (tx) =>
        await readVisiblePage(tx, samplesList, query, {
          filters: shape.filters,
          visible: visibleTo(sampleKind, who, 1),
          rows: async (ids) =>
            ids.length === 0
              ? []
              : await queries<{ accesslists_samples: Sample }>(tx)
                  .selectFrom("accesslists_samples")
                  .selectAll()
                  .where("id", "in", ids)
                  .execute(),
        }),
    );
    cursor = page.next;
    seen += page.items.length;
  };
  for (let warm = 0; warm < 3; warm += 1) await read();
  seen = 0;
  const took: number[] = [];
  for (let page = 0; page < pages; page += 1) {
    took.push(await timed(async () => void (most = Math.max(most, await statements.during(read)))));
  }
  return { took, statements: most, seen };
}

async function measureOn(kind: DatabaseKind, machine: Machine): Promise<Finding[]> {
  const opened = await openTestDatabase(kind);
  const found: Finding[] = [];
  const scans: string[] = [];
  let statements = 0;
  try {
    await fill(opened);
    for (const shape of shapes) {
      for (const order of orders) {
        machine.sample();
        const bare = await browse(opened, shape, order, { ...shape.who, jobAdmin: true });
        const measured = await browse(opened, shape, order, shape.who);
        statements = Math.max(statements, measured.statements);
        const position = positionOf(samplesList, { order });
        const read = { list: samplesList, position, filters: shape.filters, visible: visibleTo(sampleKind, shape.who, 1) };
        await opened.db.read("bench.plans", async (tx) => void scans.push(...(await fullScans(tx, kind, read))));
        machine.log(
          `${kind}: ${shape.name} by ${order}: p50 ${percentile(measured.took, 0.5).toFixed(1)} ms, ${measured.seen} seen`,
        );
        found.push(
          finding({
            row: `object pages p95, ${shape.name}, by ${order}, ${kind}`,
            measured: { value: percentile(measured.took, 0.95), unit: "ms" },
            baseline: { value: percentile(bare.took, 0.95), unit: "ms" },
            atMost: 80,
            slowness: machine.slowness(),
          }),
        );
      }
    }
    found.push(
      finding({ row: `object pages, statements, ${kind}`, measured: { value: statements, unit: "" }, atMost: mostStatements }),
      finding({ row: `object pages, full scans, ${kind}`, measured: { value: scans.length, unit: "" }, atMost: 0 }),
    );
    for (const scan of new Set(scans)) machine.log(scan);
    return found;
  } finally {
    await dropSamples(opened.db);
    await opened.empty();
    await opened.close();
  }
}

const note =
  `${objects} objects with three to seven grants each (five grades of four jobs, a group, single people, creators, blocks), pages of 50, ${pages} ` +
  "pages one after the other for each line, in one snapshot each with their rows and their total. Baseline: the same list for job admin, whom no rule concerns.";

async function run(machine: Machine): Promise<Finding[]> {
  const found = await measureOn("sqlite", machine);
  if (await hasMariadb()) found.push(...(await measureOn("mariadb", machine)));
  else throw new Error("the row requires MariaDB; start it, or set ROLLCALL_TEST_MARIADB_DSN");
  const [first, ...rest] = found;
  return [{ ...first!, note }, ...rest];
}

export const objectPages: Row = {
  name: "object-pages",
  title: `pages of ${objects} objects with access lists, by order and filter`,
  run,
};
