import { copyFileSync } from "node:fs";
import path from "node:path";
import type { User, Vehicle } from "@rollcall/sync-sdk";
import Database from "better-sqlite3";
import { person } from "@rollcall/testkit/api.ts";
import { makeInstance } from "@rollcall/testkit/program.ts";
import { foldLetters } from "../../packages/server/src/core/contract/fold.ts";
import { createRandom, type Random } from "../../packages/server/src/core/random.ts";
import type { RunningProcess } from "../../packages/server/src/app/lifecycle.ts";
import { formatStatement } from "../../packages/server/src/infra/db/dialect/mariadb/format.ts";
import { type SearchInput, searchProcedure } from "../../packages/server/src/infra/search/find.ts";
import { createSearch } from "../../packages/server/src/infra/search/index.ts";
import { mariadbCity, seed, sqliteCity, vehicleCount } from "../kit/city.ts";
import { hasMariadb, readIntoPool, withBufferPool } from "../kit/mariadb.ts";
import { makeUsers, makeVehicles } from "../kit/people.ts";
import { allow, compose } from "../kit/program.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";
import type { SentStatement } from "../kit/statements.ts";
import { percentile, timed } from "../kit/stats.ts";

const wanted = process.argv.map(Number).filter((size) => Number.isSafeInteger(size) && size > 0);
const sizes = wanted.length > 0 ? wanted : [100_000, 1_000_000];
const drawn = 100;
/** Of MariaDB, which holds the larger city: 1.6 GB. */
const bufferPool = 2 * 2 ** 30;
/** People whose query fits more others cannot all be on the first page. */
const pageSize = 50;

interface Question {
  /** The query of the list. */
  readonly asked: string;
  readonly id: number;
  /** For a filter: the person may be on a later page. */
  readonly onAnyPage?: true;
}

interface Kind {
  readonly name: string;
  readonly questions: readonly Question[];
  /** Milliseconds; of a search where it is missing. */
  readonly listAtMost?: number;
}

const searchAtMost = 40;
/** The way to the thread and back, which a search of a third of a millisecond may not be measured by (docs/decisions/0012-search.md). Milliseconds. */
const threadAtMost = 0.5;

type Person = User & { readonly id: number };

const q = (text: string) => `q=${encodeURIComponent(text)}`;
const plain = (text: string) => foldLetters(text);

function misspelt(word: string, random: Random): string {
  const at = random.between(1, word.length - 2);
  const [before, rest] = [word.slice(0, at), word.slice(at)];
  return random.pick([before + rest.slice(1), before + rest[1]! + rest[0]! + rest.slice(2), `${before}x${rest.slice(1)}`]);
}

/** How many people a query fits: `fitting` gives all queries that fit a person. */
function countsOf(people: readonly Person[], fitting: (person: Person) => ReadonlySet<string>): (query: string) => number {
  const counts = new Map<string, number>();
  for (const one of people) for (const query of fitting(one)) counts.set(query, (counts.get(query) ?? 0) + 1);
  return (query) => counts.get(query) ?? 0;
}

/** Two letters that begin one word of the name, and another word. */
function beginningsOf({ firstName, lastName }: Person): ReadonlySet<string> {
  const words = plain(`${firstName} ${lastName}`).split(/[ -]+/);
  return new Set(words.flatMap((short, at) => words.flatMap((word, i) => (i === at ? [] : [`${short.slice(0, 2)} ${word}`]))));
}

/** A hundred people of each kind, drawn among those whose query fits at most a page of others. */
function kindsOf(users: readonly User[], vehicles: readonly Vehicle[]): Kind[] {
  const people = users.map((user, index): Person => ({ ...user, id: index + 1 }));
  const random = createRandom(seed);
  const nameOf = ({ firstName, lastName }: Person) => plain(`${firstName} ${lastName}`);
  const beginningOf = ({ firstName, lastName }: Person) => plain(`${firstName.slice(0, 2)} ${lastName}`);
  const named = countsOf(people, (one) => new Set([nameOf(one)]));
  const begun = countsOf(people, beginningsOf);
  const draw = (name: string, fits: (one: Person) => boolean, ask: (one: Person) => string, onAnyPage?: true): Kind => {
    const questions: Question[] = [];
    while (questions.length < drawn) {
      const one = random.pick(people);
      if (fits(one)) questions.push({ asked: ask(one), id: one.id, ...(onAnyPage && { onAnyPage }) });
    }
    return { name, questions };
  };
  const few = (one: Person) => named(nameOf(one)) <= pageSize;
  const numberOf = (one: Person) => one.phoneNumbers![0]!.number;
  const byIdentifier = new Map(people.slice(0, 1_000).map((one) => [one.identifier, one.id]));
  return [
    draw("names", few, (one) => q(`${one.lastName} ${one.firstName}`)),
    draw(
      "two letters",
      (one) => one.lastName.length === 2 && few(one),
      (one) => q(`${one.firstName} ${one.lastName}`),
    ),
    draw(
      "two letters of a name",
      // A name of several words is asked for with all of them, and these are counted in pairs.
      (one) => !/[ -]/.test(one.lastName) && begun(beginningOf(one)) <= pageSize,
      (one) => q(`${one.firstName.slice(0, 2)} ${one.lastName}`),
    ),
    draw(
      "misspelt",
      (one) => plain(one.lastName).length >= 6 && !/[^a-z]/.test(plain(one.lastName)) && few(one),
      (one) => q(`${one.firstName} ${misspelt(plain(one.lastName), random)}`),
    ),
    draw(
      "accents",
      (one) => nameOf(one) !== `${one.firstName} ${one.lastName}`.toLowerCase() && few(one),
      (one) => q(nameOf(one)),
    ),
    draw(
      "phone, six digits",
      // All numbers begin with 555, so that digits which begin with 5 fit many others.
      (one) => !numberOf(one).slice(-6).startsWith("5"),
      (one) => q(numberOf(one).slice(-6)),
    ),
    draw(
      "phone, whole",
      () => true,
      (one) => q(numberOf(one)),
    ),
    draw(
      "phone=, four digits",
      () => true,
      (one) => `phone=${numberOf(one).slice(-4)}`,
      true,
    ),
    {
      ...draw(
        "phone= with job=",
        () => true,
        (one) => `phone=${numberOf(one).slice(-3)}&job=${one.jobs[0]!.name}`,
        true,
      ),
      // Thousands of people have such a number, and up to a third of all have the job: the ceiling of lists, not of searches.
      listAtMost: 80,
    },
    {
      name: "partial plates",
      questions: Array.from({ length: drawn }, () => {
        const { plate, ownerIdentifier } = random.pick(vehicles);
        return { asked: `plate=${encodeURIComponent(plate.slice(1))}`, id: byIdentifier.get(ownerIdentifier!)!, onAnyPage: true };
      }),
    },
  ];
}

/** Runs statements with the driver alone. */
interface Bare {
  run(statement: SentStatement): Promise<Record<string, unknown>[]>;
  close(): Promise<void>;
}

/** The statements of a search, as the driver alone runs them. */
async function statementsOf(kind: "sqlite" | "mariadb", bare: Bare, input: SearchInput): Promise<SentStatement[]> {
  const sent: SentStatement[] = [];
  const steps = searchProcedure.run(kind, input);
  let step = steps.next();
  while (step.done !== true) {
    sent.push(step.value);
    step = steps.next((await bare.run(step.value)) as never);
  }
  return sent;
}

const fields = ["name", "phone"];

const search = createSearch();

/** A search through the port, with its snapshot and its thread, and its statements with the driver alone, in turns. */
async function compare(app: RunningProcess, bare: Bare, query: string): Promise<readonly [ours: number, alone: number]> {
  const { db } = app.container;
  const input = { kind: "citizens", query, limit: pageSize + 1, fields, visible: null };
  const sent = await statementsOf(db.kind, bare, input);
  const find = async () =>
    await db.read("bench.search", async (tx) => await search.find(tx, "citizens", query, { limit: pageSize + 1, fields }));
  await find();
  const [ours, alone]: [number[], number[]] = [[], []];
  // The quickest of three: one of them may wait for a thread that the system had put to sleep.
  for (let turn = 0; turn < 3; turn += 1) {
    ours.push(await timed(async () => void (await find())));
    alone.push(
      await timed(async () => {
        for (const statement of sent) await bare.run(statement);
      }),
    );
  }
  return [Math.min(...ours), Math.min(...alone)];
}

interface Measured {
  readonly took: number[];
  /** Of searches through the port, and of their statements alone; empty for filters. */
  readonly ours: number[];
  readonly bare: number[];
  statements: number;
  found: number;
}

async function measure(app: RunningProcess, token: string, { questions }: Kind, bare: Bare): Promise<Measured> {
  const measured: Measured = { took: [], ours: [], bare: [], statements: 0, found: 0 };
  const ask = async (asked: string) => {
    const headers = { "x-rollcall": "1", authorization: `Bearer ${token}` };
    const response = await app.web!.inject({ method: "GET", url: `/api/citizens?${asked}`, headers });
    if (response.statusCode !== 200) throw new Error(`${asked}: ${response.payload}`);
    return JSON.parse(response.payload) as { items: { id: number }[]; next: string | null };
  };
  let unit: string[] = [];
  const unobserve = app.container.db.observe((event) => void (event.unit === "citizens.list" && unit.push(event.sql)));
  for (const { asked } of questions.slice(0, 10)) await ask(asked);
  for (const { asked, id, onAnyPage } of questions) {
    unit = [];
    let page = { items: [] as { id: number }[], next: null as string | null };
    measured.took.push(await timed(async () => void (page = await ask(asked))));
    // Labels of jobs and the session are kept in memory and read again every few seconds.
    const own = unit.filter((sql) => !/from [`"]jobs(_grades|_properties)?[`"]/.test(sql));
    measured.statements = Math.max(measured.statements, own.length);
    const text = new URLSearchParams(asked).get("q");
    if (text !== null) {
      const [ours, alone] = await compare(app, bare, text);
      measured.ours.push(ours);
      measured.bare.push(alone);
    }
    while (onAnyPage && page.next !== null && !page.items.some((one) => one.id === id))
      page = await ask(`${asked}&limit=200&cursor=${encodeURIComponent(page.next)}`);
    if (page.items.some((one) => one.id === id)) measured.found += 1;
  }
  unobserve();
  return measured;
}

function findingsOf(label: string, measured: Measured, slowness: number, listAtMost = searchAtMost): Finding[] {
  const ms = (value: number) => ({ value, unit: "ms" });
  const { took, ours, bare, statements, found } = measured;
  const compared = {
    measured: ms(percentile(ours, 0.5)),
    baseline: ms(percentile(bare, 0.5)),
    ratioAtMost: 2,
    orMore: threadAtMost,
  };
  return [
    ...(ours.length > 0 ? [finding({ row: `${label}: search`, ...compared })] : []),
    finding({ row: `${label}: list p95`, measured: ms(percentile(took, 0.95)), atMost: listAtMost, slowness }),
    finding({ row: `${label}: found of ${drawn}`, measured: { value: found, unit: "people" }, atLeast: drawn }),
    finding({ row: `${label}: statements`, measured: { value: statements, unit: "statements" }, atMost: 4 }),
  ];
}

async function measureAll(
  kind: "SQLite" | "MariaDB",
  people: number,
  kinds: readonly Kind[],
  machine: Machine,
): Promise<Finding[]> {
  const database = kind === "MariaDB" ? await mariadbCity(people, machine.log) : null;
  const instance = await makeInstance(database ? { dsn: database.dsn } : {});
  const file = path.join(instance.folder, "data", "rollcall.db");
  if (!database) copyFileSync(await sqliteCity(people, machine.log), file);
  const app = await compose(instance);
  await app.start();
  const bare = database ? await bareMariadb(database) : bareSqlite(file);
  try {
    if (database) await readIntoPool(database);
    await allow(instance, "citizens.list", "fields=job,phone");
    await allow(instance, "vehicles.list", "fields=owner");
    const found: Finding[] = [];
    for (const [at, one] of kinds.entries()) {
      machine.sample();
      // A user token lasts ten minutes, and a kind of many pages takes longer on a slow machine.
      const { token } = await person(instance, { username: `searcher${process.pid}-${at}` });
      const measured = await measure(app, token, one, bare);
      machine.log(
        `${kind} ${people} ${one.name}: ${measured.found} found, p50 ${percentile(measured.took, 0.5).toFixed(1)}, p95 ${percentile(measured.took, 0.95).toFixed(1)} ms, search ${percentile(measured.ours, 0.5).toFixed(2)} beside ${percentile(measured.bare, 0.5).toFixed(2)} ms, ${measured.statements} statements`,
      );
      found.push(...findingsOf(`${one.name}, ${people / 1000}k, ${kind}`, measured, machine.slowness(), one.listAtMost));
    }
    return found;
  } finally {
    await bare.close();
    await app.stop();
    instance.remove();
  }
}

function bareSqlite(file: string): Bare {
  const db = new Database(file, { readonly: true });
  db.pragma("cache_size = -8000");
  return {
    run: async ({ sql, params }) => db.prepare(sql).all(...params) as Record<string, unknown>[],
    close: async () => void db.close(),
  };
}

async function bareMariadb(database: Awaited<ReturnType<typeof mariadbCity>>): Promise<Bare> {
  const connection = await database.connect();
  return {
    run: async ({ sql, params }) => (await connection.query(formatStatement(sql, params)))[0] as Record<string, unknown>[],
    close: async () => await connection.end(),
  };
}

async function run(machine: Machine): Promise<Finding[]> {
  if (!(await hasMariadb())) throw new Error("the scale row requires MariaDB; start it, or set ROLLCALL_TEST_MARIADB_DSN");
  const found: Finding[] = [];
  for (const people of sizes) {
    const kinds = kindsOf(makeUsers(people, seed), makeVehicles(vehicleCount, seed));
    found.push(...(await measureAll("SQLite", people, kinds, machine)));
    found.push(...(await withBufferPool(bufferPool, async () => await measureAll("MariaDB", people, kinds, machine))));
  }
  const [first, ...rest] = found;
  return [{ ...first!, note }, ...rest];
}

const note =
  "Search: through the port, with its snapshot and thread, beside its statements with the driver alone. List: the answer to GET /api/citizens, with the request guard, each question once. MariaDB has a buffer pool of 2 GB.";

export const scale: Row = {
  name: "scale",
  title: `search in cities of ${sizes.join(" and ")} people, a hundred of each kind`,
  run,
};
