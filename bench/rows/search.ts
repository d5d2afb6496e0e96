import path from "node:path";
import { createSyncClient, type User } from "@rollcall/sync-sdk";
import Database from "better-sqlite3";
import { call, person } from "@rollcall/testkit/api.ts";
import { makeInstance, type Instance, secrets, serve } from "@rollcall/testkit/program.ts";
import { formatStatement } from "../../packages/server/src/infra/db/dialect/mariadb/format.ts";
import type { RunningProcess } from "../../packages/server/src/app/lifecycle.ts";
import { type BenchDatabase, createDatabase, hasMariadb } from "../kit/mariadb.ts";
import { makeUsers } from "../kit/people.ts";
import { allow, compose, memoryOf } from "../kit/program.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";
import { recordStatements, type SentStatement } from "../kit/statements.ts";
import { percentile, timed } from "../kit/stats.ts";

const citizens = 100_000;
const searches = 240;

/** Runs a statement with the driver only. */
interface Bare {
  run(statement: SentStatement): Promise<void>;
  /** Tables that are read completely, by the database's plan; null where it is not checked. */
  scans(statement: SentStatement): Promise<string[] | null>;
  close(): Promise<void>;
}

async function bareMariadb(database: BenchDatabase): Promise<Bare> {
  const connection = await database.connect();
  return {
    run: async ({ sql, params }) => void (await connection.query(formatStatement(sql, params))),
    async scans({ sql, params }) {
      const [rows] = await connection.query(`explain ${formatStatement(sql, params)}`);
      const plan = rows as { table: string | null; type: string | null }[];
      // Derived tables and unions are created by the statement itself and read completely by design.
      return plan
        .filter(({ table, type }) => (type === "ALL" || type === "index") && table !== null && !table.startsWith("<"))
        .map(({ table }) => table!);
    },
    close: async () => await connection.end(),
  };
}

function bareSqlite(file: string): Bare {
  const db = new Database(file, { readonly: true });
  return {
    run: async ({ sql, params }) => void db.prepare(sql).all(...params),
    scans: async () => null,
    close: async () => void db.close(),
  };
}

/** Typical queries: names in both orders, with typos, shortened, two letters, parts of numbers. */
function queriesFor(users: readonly User[]): string[] {
  const without = (text: string, at: number) => text.slice(0, at) + text.slice(at + 1);
  const swapped = (text: string, at: number) => text.slice(0, at) + text.charAt(at + 1) + text.charAt(at) + text.slice(at + 2);
  const shapes: ((user: User) => string)[] = [
    ({ firstName, lastName }) => `${firstName} ${lastName}`,
    ({ firstName, lastName }) => `${lastName} ${firstName}`,
    ({ lastName }) => lastName,
    ({ firstName, lastName }) => `${firstName} ${without(lastName, 2)}`,
    ({ firstName, lastName }) => `${swapped(lastName, 1)} ${firstName}`,
    ({ firstName, lastName }) => `${firstName.slice(0, 2)} ${lastName.slice(0, 4)}`,
    ({ phoneNumbers }) => phoneNumbers?.[0]?.number.slice(-6) ?? "555",
    ({ firstName }) => firstName,
  ];
  return Array.from({ length: searches }, (_, i) => shapes[i % shapes.length]!(users[(i * 397) % users.length]!));
}

interface Loaded {
  readonly rowsPerSecond: number;
  readonly memory: number;
  readonly token: string;
}

/** Sends the city through the SDK to the running program, and signs a searcher in. */
async function load(instance: Instance, users: readonly User[]): Promise<Loaded> {
  const program = await serve(instance);
  const client = createSyncClient({ url: instance.url, token: secrets.sync, source: "bench" });
  try {
    const ms = await timed(async () => await client.users(users));
    const memory = memoryOf(program);
    await allow(instance, "citizens.list", "fields=job,phone");
    const { token } = await person(instance, { username: "searcher" });
    return { rowsPerSecond: (users.length * 1000) / ms, memory, token };
  } finally {
    await client.close();
    await program.stop();
  }
}

interface Measured {
  readonly took: number[];
  readonly bare: number[];
  readonly statements: number[];
  readonly scanned: Set<string>;
  readonly found: number;
}

async function askAll(
  app: RunningProcess,
  token: string,
  queries: readonly string[],
  bare: Bare,
  sample: () => void,
): Promise<Measured> {
  const measured = {
    took: [] as number[],
    bare: [] as number[],
    statements: [] as number[],
    scanned: new Set<string>(),
    found: 0,
  };
  const ask = async (q: string) => {
    const response = await app.web!.inject({
      method: "GET",
      url: `/api/citizens?q=${encodeURIComponent(q)}`,
      headers: { "x-rollcall": "1", authorization: `Bearer ${token}` },
    });
    if (response.statusCode !== 200) throw new Error(response.payload);
    return response.payload;
  };
  let unit: string[] = [];
  const unobserve = app.container.db.observe((event) => {
    if (event.unit === "citizens.list") unit.push(event.sql);
  });
  for (const q of queries.slice(0, 24)) await ask(q);
  for (const q of queries) {
    if (measured.took.length % 24 === 0) sample();
    const sent: SentStatement[] = [];
    unit = [];
    const end = recordStatements((statement) => sent.push(statement));
    let answer = "";
    measured.took.push(await timed(async () => (answer = await ask(q))));
    end();
    if ((JSON.parse(answer) as { items: unknown[] }).items.length > 0) measured.found += 1;
    // Labels of jobs and the session are kept in memory and read again every few seconds.
    const own = unit.filter((sql) => !sql.includes("jobs_grades") && !/from [`"]jobs[`"]/.test(sql));
    measured.statements.push(own.length);
    const searching = sent.filter(({ sql }) => own.includes(sql));
    measured.bare.push(
      await timed(async () => {
        for (const statement of searching) await bare.run(statement);
      }),
    );
    if (measured.took.length % 8 === 1)
      for (const one of searching) for (const table of (await bare.scans(one)) ?? []) measured.scanned.add(table);
  }
  unobserve();
  return measured;
}

function findingsOf(
  kind: string,
  { took, bare, statements, scanned, found }: Measured,
  loaded: Loaded,
  machine: Machine,
): Finding[] {
  const ms = (value: number) => ({ value, unit: "ms" });
  const slowness = machine.slowness();
  const per = `${Math.min(...statements)} to ${Math.max(...statements)}`;
  const counted = Math.min(...statements) >= 1 && Math.max(...statements) <= 4;
  return [
    finding({
      row: `search p50, ${kind}`,
      measured: ms(percentile(took, 0.5)),
      baseline: ms(percentile(bare, 0.5)),
      ratioAtMost: 2,
      atMost: 25,
      slowness,
    }),
    finding({
      row: `search p95, ${kind}`,
      measured: ms(percentile(took, 0.95)),
      baseline: ms(percentile(bare, 0.95)),
      atMost: 60,
      slowness,
    }),
    {
      row: `statements per search, ${kind}`,
      measured: per,
      baseline: "",
      ratio: null,
      budget: "1 to 4",
      met: counted,
      note: `${found} of ${took.length} searches found someone`,
    },
    ...(kind === "MariaDB"
      ? [
          {
            row: "base tables scanned (EXPLAIN)",
            measured: [...scanned].join(", ") || "none",
            baseline: "",
            ratio: null,
            budget: "none",
            met: scanned.size === 0,
          },
        ]
      : []),
    finding({
      row: `${citizens} users through the SDK, ${kind}`,
      measured: { value: loaded.rowsPerSecond, unit: "rows/s" },
      note: `${(citizens / loaded.rowsPerSecond).toFixed(1)} s; the program then held ${loaded.memory.toFixed(0)} MB`,
    }),
  ];
}

async function measureOn(kind: "SQLite" | "MariaDB", machine: Machine): Promise<Finding[]> {
  const database = kind === "MariaDB" ? await createDatabase("search") : null;
  const instance = await makeInstance(database ? { dsn: database.dsn } : {});
  try {
    const users = makeUsers(citizens, 21);
    const loaded = await load(instance, users);
    machine.log(`${kind}: ${citizens} users at ${loaded.rowsPerSecond.toFixed(0)} rows/s`);
    const app = await compose(instance);
    await app.start();
    const bare = database ? await bareMariadb(database) : bareSqlite(path.join(instance.folder, "data", "rollcall.db"));
    try {
      const { status, text } = await call(instance.url, "/api/citizens?limit=1", { token: loaded.token });
      if (status !== 200) throw new Error(text);
      return findingsOf(kind, await askAll(app, loaded.token, queriesFor(users), bare, machine.sample), loaded, machine);
    } finally {
      await bare.close();
      await app.stop();
    }
  } finally {
    await database?.drop();
    instance.remove();
  }
}

const note =
  `${searches} searches of eight shapes (both orders, slips, beginnings, two letters, numbers), each through the request guard, validation, use case and answer. ` +
  "Baseline: the statements that this search sent, repeated with the driver alone.";

async function run(machine: Machine): Promise<Finding[]> {
  const found = await measureOn("SQLite", machine);
  if (await hasMariadb()) found.push(...(await measureOn("MariaDB", machine)));
  else throw new Error("the search row requires MariaDB; start it, or set ROLLCALL_TEST_MARIADB_DSN");
  const [first, ...rest] = found;
  return [{ ...first!, note }, ...rest];
}

export const search: Row = { name: "search", title: `citizen search over ${citizens} citizens`, run };
