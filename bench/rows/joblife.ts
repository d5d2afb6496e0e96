import type { DatabaseKind } from "../../packages/server/src/core/ports/index.ts";
import type { OperationDefinition } from "../../packages/server/src/core/contract/index.ts";
import { addDays, Zone } from "../../packages/server/src/core/zone.ts";
import * as absences from "../../packages/server/src/features/absences/absences.contract.ts";
import * as colleagues from "../../packages/server/src/features/colleagues/colleagues.contract.ts";
import * as conduct from "../../packages/server/src/features/conduct/conduct.contract.ts";
import * as groups from "../../packages/server/src/features/jobgroups/jobgroups.contract.ts";
import * as timeclock from "../../packages/server/src/features/timeclock/timeclock.contract.ts";
import { dsnText, startApp, type TestApp } from "../../packages/server/src/testkit/app.ts";
import { openTestDatabase } from "../../packages/server/src/testkit/database.ts";
import { createWorld, type TestActor } from "../../packages/server/src/testkit/world.ts";
import { fillJob } from "../kit/joblife.rows.ts";
import { hasMariadb } from "../kit/mariadb.ts";
import { type Finding, finding, type Machine, type Row } from "../kit/report.ts";
import { recordStatements, type SentStatement } from "../kit/statements.ts";
import { percentile, timed } from "../kit/stats.ts";

const people = 5_000;
const entriesEach = 100;
/** Calls of each page: so many, or as many as fit into some seconds. */
const calls = 30;
const fewestCalls = 5;
const mostMs = 3_000;
const p95AtMost = 80;
const zone = new Zone("Europe/Berlin");

const large = { job: "benchlarge", firstId: 1_000_000, people, entriesEach };
/** As many statements must do for one with fewer people, in which each page is full, too. */
const small = { job: "benchsmall", firstId: 2_000_000, people: 4_000, entriesEach: 10 };
type Size = typeof large;

interface Page {
  readonly name: string;
  readonly operation: OperationDefinition;
  readonly params?: Readonly<Record<string, number>>;
  readonly query?: Readonly<Record<string, string | number>>;
}

/** Every list, feed, sum and plot of the life in a job, as its chief opens them. */
function pagesOf({ firstId }: Size, now: number): Page[] {
  const today = zone.dayOf(now);
  const month = { firstDay: addDays(today, -31), lastDay: addDays(today, -1) };
  const quarter = { firstDay: addDays(today, -92), lastDay: addDays(today, -1) };
  const year = { firstDay: addDays(today, -365), lastDay: today };
  const person = firstId + 12;
  const closed = firstId + 11;
  const of = { citizenId: person };
  return [
    { name: "colleagues, by rank", operation: colleagues.listColleagues },
    { name: "colleagues, by name", operation: colleagues.listColleagues, query: { order: "name" } },
    { name: "colleagues, of a label", operation: colleagues.listColleagues, query: { label: firstId + 3 } },
    { name: "colleagues, searched", operation: colleagues.listColleagues, query: { q: "lind 12" } },
    { name: "colleagues, on duty", operation: colleagues.listColleagues, query: { duty: "on" } },
    { name: "colleagues, absent", operation: colleagues.listColleagues, query: { absent: "yes" } },
    { name: "colleague", operation: colleagues.getColleague, params: { id: person } },
    { name: "activity of the job", operation: colleagues.listActivity },
    { name: "activity of a person", operation: colleagues.listActivity, query: of },
    { name: "labels that end", operation: colleagues.listExpiring },
    { name: "statistics of the job", operation: colleagues.getJobStatistics },
    { name: "names of the job", operation: colleagues.listNames },
    { name: "hours of the team, a month", operation: timeclock.getTeam, query: month },
    { name: "hours of the team, a quarter", operation: timeclock.getTeam, query: quarter },
    { name: "hours of the team, a year", operation: timeclock.getTeam, query: year },
    { name: "hours of a group, a month", operation: timeclock.getTeam, query: { ...month, group: firstId + 1 } },
    { name: "hours of a person, a month", operation: timeclock.getHours, params: { id: person }, query: month },
    { name: "entries of a person, a year", operation: timeclock.listEntries, query: { ...year, ...of } },
    { name: "load, a month", operation: timeclock.getLoad, query: month },
    { name: "load of a group, a month", operation: timeclock.getLoad, query: { ...month, group: firstId + 1 } },
    { name: "load, a year", operation: timeclock.getLoad, query: year },
    { name: "inactive people", operation: timeclock.listInactive },
    { name: "pay periods", operation: timeclock.listPeriods },
    { name: "pay period to close", operation: timeclock.getPeriod, params: { id: firstId + 12 } },
    { name: "sums of a pay period", operation: timeclock.listPeriodSums, query: { periodId: closed } },
    { name: "later changes of a pay period", operation: timeclock.listLaterChanges, query: { periodId: closed } },
    { name: "absences of a month", operation: absences.listMonth, query: { month: today.slice(0, 7) } },
    { name: "absences of a person", operation: absences.listOf, query: of },
    { name: "who is absent", operation: absences.listAbsent },
    { name: "capacity of a month", operation: absences.getCapacity, query: month },
    { name: "statistics of absences, a month", operation: absences.getStatistics, query: month },
    { name: "conduct entries", operation: conduct.listEntries },
    { name: "conduct entries of a person", operation: conduct.listEntries, query: of },
    { name: "points of a person", operation: conduct.getPoints, params: { id: person } },
    { name: "groups", operation: groups.listGroups },
    { name: "members of a group of all", operation: groups.listMembers, params: { id: firstId } },
  ];
}

const rights = {
  "colleagues.list": {},
  "colleagues.view": { fields: ["labels", "note"], whose: ["any"] },
  "colleagues.activity": { kinds: ["hired", "promoted", "demoted", "left"], whose: ["any"] },
  "colleagues.statistics": {},
  "absences.list": {},
  "absences.view": { whose: ["any"] },
  "conduct.view": { fields: ["all"] },
  "jobgroups.list": {},
  "timeclock.view": { whose: ["any"] },
  "timeclock.close": {},
};

interface Opened {
  readonly kind: DatabaseKind;
  readonly app: TestApp;
  readonly machine: Machine;
}

async function open({ app }: Opened, { token }: TestActor, { operation, params, query }: Page): Promise<void> {
  const input = { ...(params === undefined ? {} : { params }), query: query ?? {} };
  const answer = await app.call(operation, input as never, { token });
  if (answer.status !== 200) throw new Error(`${operation.id}: ${answer.status} ${answer.text}`);
}

const isOfPages = ({ sql }: SentStatement) =>
  /^\s*(select|with)/i.test(sql) && !/worker_tasks|outbox_|coordination|leases/i.test(sql);

/** What one call sends once everything that is kept for a time is there; the fewest of some calls, because others run beside it. */
async function statementsOf(opened: Opened, actor: TestActor, page: Page): Promise<readonly SentStatement[]> {
  let fewest: readonly SentStatement[] | null = null;
  for (let i = 0; i < 5; i += 1) {
    const sent: SentStatement[] = [];
    const end = recordStatements((one) => void sent.push(one));
    await open(opened, actor, page).finally(end);
    const own = sent.filter(isOfPages);
    if (fewest === null || own.length < fewest.length) fewest = own;
  }
  return fewest ?? [];
}

async function repeated(work: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  const end = performance.now() + mostMs;
  while (took.length < fewestCalls || (took.length < calls && performance.now() < end)) took.push(await timed(work));
  return took;
}

/** The same statements with the connection alone. */
async function bare({ app }: Opened, statements: readonly SentStatement[]): Promise<number[]> {
  return await app.process.container.db.exclusive("bench.bare", async ({ connection }) =>
    repeated(async () => {
      for (const { sql, params } of statements) await connection.execute(sql, [...params]);
    }),
  );
}

async function measurePage(opened: Opened, actors: { large: TestActor; small: TestActor }, now: number, at: number) {
  const { kind, machine } = opened;
  const page = pagesOf(large, now)[at]!;
  const statements = await statementsOf(opened, actors.large, page);
  const few = await statementsOf(opened, actors.small, pagesOf(small, now)[at]!);
  const took = await repeated(async () => await open(opened, actors.large, page));
  const baseline = await bare(opened, statements);
  machine.log(
    `${kind}: ${page.name}: p50 ${percentile(took, 0.5).toFixed(1)} ms, ${statements.length} statements, ${few.length} for few people`,
  );
  return {
    more: statements.length > few.length ? [`${page.name}: ${statements.length}, not ${few.length}`] : [],
    finding: finding({
      row: `job life p95, ${page.name}, ${kind}`,
      measured: { value: percentile(took, 0.95), unit: "ms" },
      baseline: { value: percentile(baseline, 0.95), unit: "ms" },
      atMost: p95AtMost,
      slowness: machine.slowness(),
    }),
  };
}

async function measureOn(kind: DatabaseKind, machine: Machine): Promise<Finding[]> {
  const database = await openTestDatabase(kind);
  const app = await startApp({ dsn: dsnText(database.dsn) });
  const opened = { kind, app, machine };
  try {
    const { db, ports } = app.process.container;
    const now = ports.clock.now();
    const world = createWorld(app);
    const grades = Array.from({ length: 11 }, (_none, grade) => grade);
    const actorOf = async (job: string) => {
      await world.job(job, grades);
      return await world.actor({ job, grade: 10, rights });
    };
    const actors = { large: await actorOf(large.job), small: await actorOf(small.job) };
    const filled = await timed(async () => {
      for (const size of [large, small]) await fillJob(db, { ...size, now, zone });
    });
    await database.db.exclusive("bench.analyze", async ({ connection }) => {
      const { rows } = await connection.execute(
        kind === "sqlite"
          ? "select 'x' as name"
          : "select table_name as name from information_schema.tables where table_schema = database()",
        [],
      );
      if (kind === "sqlite") await connection.execute("analyze", []);
      else for (const { name } of rows) await connection.execute(`analyze table ${String(name)}`, []);
    });
    machine.log(`${kind}: filled in ${(filled / 1000).toFixed(0)} s`);
    const found: Finding[] = [];
    const more: string[] = [];
    for (const at of pagesOf(large, now).keys()) {
      machine.sample();
      const one = await measurePage(opened, actors, now, at);
      found.push(one.finding);
      more.push(...one.more);
    }
    for (const line of more) machine.log(`${kind}: more statements for more people: ${line}`);
    found.push(
      finding({
        row: `job life, pages with more statements for more people, ${kind}`,
        measured: { value: more.length, unit: "" },
        atMost: 0,
      }),
    );
    return found;
  } finally {
    await app.close();
    await database.empty();
    await database.close();
  }
}

const note =
  `${people} colleagues with ${people * entriesEach} entries of the timeclock within a year, ${people * 10} activities, ${people * 4} absences, ` +
  `${people * 4} conduct entries and 20 groups; up to ${calls} calls of each page one after the other by the chief of the job, through the request guard, validation, use case and answer. Baseline: the same statements, sent by the connection alone.`;

async function run(machine: Machine): Promise<Finding[]> {
  const found = await measureOn("sqlite", machine);
  if (await hasMariadb()) found.push(...(await measureOn("mariadb", machine)));
  else throw new Error("the row requires MariaDB; start it, or set ROLLCALL_TEST_MARIADB_DSN");
  const [first, ...rest] = found;
  return [{ ...first!, note }, ...rest];
}

export const joblife: Row = { name: "joblife", title: `pages of a job with ${people} colleagues`, run };
