import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect } from "vitest";
import { type Answer, call, type CallOptions, person, type Person, sendTo } from "@rollcall/testkit/api.ts";
import { dayOf } from "@rollcall/testkit/days.ts";
import { run, secrets } from "@rollcall/testkit/program.ts";
import { report } from "@rollcall/testkit/report.ts";
import { until } from "@rollcall/testkit/until.ts";
import { type City, print } from "./ingest.scenario.ts";

const job = "police";
/** Delays of the kills, in milliseconds: within a call, and between two of them. */
const jitter = [3, 11, 0, 23, 7, 17, 31, 5];
const after = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));
const hour = 3_600_000;
const day = 24 * hour;

/** Null where the server was not there, or was just killed: nobody knows whether it did the work. */
async function attempt(city: City, route: string, options: CallOptions): Promise<Answer | null> {
  try {
    const answer = await call(city.instance.url, route, options);
    return [429, 502, 503].includes(answer.status) ? null : answer;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Tries again until there is an answer, as a game server does. */
async function insist(city: City, route: string, options: CallOptions): Promise<Answer> {
  return await until(
    `an answer of ${route}`,
    async () => {
      const answer = await attempt(city, route, options);
      if (answer === null) await after(50);
      return answer;
    },
    60_000,
  );
}

const number = (city: City, sql: string) => Number(city.query(sql)[0]);

/** Kills the server as often while `work` goes on, each time once it has come further. Returns how long restarts took. */
async function killDuring(city: City, work: Promise<unknown>, kills: number, progress: () => number, whole: number) {
  const restartMs: number[] = [];
  const failed = work.then(
    () => null,
    (error: unknown) => ({ error }),
  );
  for (let i = 1; i <= kills; i += 1) {
    const enough = Math.floor((whole * i) / (kills + 1));
    await until(`${enough} are done`, () => progress() >= enough, 120_000);
    await after(jitter[i % jitter.length]!);
    expect(progress(), "the kill must come before the end").toBeLessThan(whole);
    restartMs.push(await city.killAndRestart());
  }
  const end = await failed;
  if (end !== null) throw end.error;
  return restartMs;
}

interface Result {
  readonly fault: string;
  readonly acknowledged: number;
  readonly of: string;
  readonly lost: number;
  readonly doubled: number;
  readonly restartMs: readonly number[];
}

function tell(backing: string, { restartMs, ...result }: Result): void {
  report({ group: "processes", backing, ...result, backMs: Math.max(...restartMs), backWithinMs: null });
  print(`${backing}: ${result.fault}: ${result.acknowledged} ${result.of}, lost ${result.lost}, doubled ${result.doubled}`);
}

/** Every day is the sum of what was counted on it; no entry of these tests lies across midnight of the zone more than once. */
function expectSums(city: City): void {
  const days = city.query(
    "select citizen_id, sum(seconds) as s from timeclock_days where citizen_id < 900000 group by citizen_id order by citizen_id",
  );
  const entries = city.query(
    "select citizen_id, sum((to_at - to_at % 1000) - (from_at - from_at % 1000)) / 1000 as s from timeclock_entries where state = 'counted' group by citizen_id order by citizen_id",
  );
  const read = (rows: readonly string[]) => rows.map((row) => row.split("\t").map(Number)).filter(([, seconds]) => seconds !== 0);
  expect(read(days), "days are the sums of entries").toEqual(read(entries));
}

interface Shifts {
  /** People of each of the two crews. */
  readonly crew: number;
  readonly rounds: number;
  readonly kills: number;
}

const crewOf = (name: string, i: number) => `char1:crew-${name}-${i}`;

/** Two crews take turns: one call takes ten people off duty and puts ten others on. */
export async function proveShiftChanges(backing: string, city: City, { crew, rounds, kills }: Shifts): Promise<void> {
  const names = Array.from({ length: crew }, (_none, i) => i);
  const users = ["a", "b"].flatMap((name) =>
    names.map((i) => ({
      identifier: crewOf(name, i),
      firstName: "Crew",
      lastName: `${name} ${i}`,
      jobs: [{ name: job, grade: 1 }],
    })),
  );
  expect((await sendTo(city.instance.url, "users", users)).body).toMatchObject({ accepted: users.length, rejected: [] });
  const begin = Date.now() - rounds * 4000 - 5000;
  let changes = 0;
  const changeShift = async (round: number) => {
    const [ends, begins] = round % 2 === 0 ? (["a", "b"] as const) : (["b", "a"] as const);
    const at = begin + round * 4000;
    const parts = Array.from({ length: Math.ceil(crew / 10) }, (_none, i) => names.slice(i * 10, i * 10 + 10));
    await Promise.all(
      parts.map(async (part) => {
        const off =
          round === 0 ? [] : part.map((i) => ({ identifier: crewOf(ends, i), event: "off", job, at, key: `off-${round}-${i}` }));
        const on = part.map((i) => ({ identifier: crewOf(begins, i), event: "on", job, at, key: `on-${round}-${i}` }));
        const body = { source: "city-1", boot: "one", items: [...off, ...on] };
        const answer = await insist(city, "/api/sync/v1/duty", { body, token: secrets.sync });
        expect(answer.status, answer.text).toBe(200);
        expect(answer.body).toMatchObject({ rejected: [], late: 0 });
        changes += 1;
      }),
    );
  };
  const perRound = Math.ceil(crew / 10);
  const work = (async () => {
    for (let round = 0; round < rounds; round += 1) await changeShift(round);
  })();
  const restartMs = await killDuring(city, work, kills, () => changes, rounds * perRound);
  const ended = (rounds - 1) * crew;
  const entries = () => number(city, "select count(*) as n from timeclock_entries");
  await until("all shifts that have ended are counted", () => entries() >= ended, 60_000);
  const periods = number(city, "select count(*) as n from duty_periods");
  const different = number(
    city,
    "select count(*) as n from (select distinct citizen_id, from_at, to_at from timeclock_entries) d",
  );
  expect(city.query("select distinct state, ending, (to_at - from_at) as ms from timeclock_entries")).toEqual([
    "counted\toff\t4000",
  ]);
  expect(number(city, "select count(*) as n from duty_people where job is not null"), "one crew is on duty").toBe(crew);
  expect([periods, entries(), different], "each shift is one period and one entry").toEqual([ended, ended, ended]);
  expectSums(city);
  const fault = `server killed ${kills} times in changes of shift`;
  tell(backing, { fault, acknowledged: ended, of: "shifts", lost: ended - different, doubled: entries() - different, restartMs });
}

interface Approvals {
  readonly members: number;
  /** Times that each of them misses. */
  readonly each: number;
  readonly kills: number;
}

const local = (instant: number) => new Date(instant).toISOString().slice(0, 19);

/** People ask for times that are missing, and the chief approves them, while the server is killed. */
export async function proveApprovals(backing: string, city: City, { members, each, kills }: Approvals): Promise<void> {
  await run(["role", "allow", "timeclock.approve", "--job", job, "--grade", "2"], city.instance);
  const chief = await person(city.instance, { username: "chief", grade: 2 });
  const people: Person[] = [];
  for (let i = 0; i < members; i += 1) people.push(await person(city.instance, { username: `member${i}`, grade: 0 }));
  const noon = Math.floor(Date.now() / day) * day - day;
  for (const { token } of people)
    for (let i = 0; i < each; i += 1) {
      const from = noon + i * hour;
      const body = { from: local(from), to: local(from + 30 * 60_000), reason: "The game server did not report" };
      const asked = await insist(city, "/api/timeclock/entries", { body, token });
      expect(asked.status, asked.text).toBe(200);
    }
  const whole = members * each;
  const listed = await insist(city, "/api/approvals/requests?limit=200", { token: chief.token });
  const requests = listed.body.items as { id: number; version: number }[];
  expect(requests, listed.text).toHaveLength(whole);
  let approved = 0;
  let unsure = 0;
  const approve = async ({ id, version }: { readonly id: number; readonly version: number }) => {
    const answer = await until(
      "an answer to an approval",
      async () => {
        const got = await attempt(city, `/api/approvals/requests/${id}/approval`, {
          method: "PUT",
          body: { version },
          token: chief.token,
        });
        if (got === null) await after(50);
        return got;
      },
      60_000,
    );
    // The first attempt may have been the one that counts.
    if (answer.status === 409) unsure += 1;
    else expect(answer.status, answer.text).toBe(200);
    approved += 1;
    await after(60);
  };
  const work = Promise.all(
    [0, 1].map(async (half) => {
      for (const request of requests.filter((_one, i) => i % 2 === half)) await approve(request);
    }),
  );
  const restartMs = await killDuring(city, work, kills, () => approved, whole);
  const missing = "from timeclock_entries where period_id < 0";
  const counted = number(city, `select count(*) as n ${missing} and state = 'counted'`);
  const decided = city.query(
    "select object_id, count(*) as n from audit_entries where action = 'timeclock.decide' group by object_id having count(*) <> 1",
  );
  const audited = number(city, "select count(*) as n from audit_entries where action = 'timeclock.decide'");
  expect(city.query("select distinct state from timeclock_corrections")).toEqual(["approved"]);
  expect(decided, "each decision is in the audit log once").toEqual([]);
  expect([number(city, `select count(*) as n ${missing}`), counted, audited]).toEqual([whole, whole, whole]);
  expectSums(city);
  print(`${backing}: ${unsure} approvals had been stored before the server was killed, and their answer lost`);
  const fault = `server killed ${kills} times in approvals of missing times`;
  tell(backing, {
    fault,
    acknowledged: approved,
    of: "approvals",
    lost: approved - counted,
    doubled: audited - counted,
    restartMs,
  });
}

interface Closing {
  /** With hours in each period; 500 are frozen at a time. */
  readonly people: number;
  readonly periods: number;
}

/** Writes beside the server, as a command does. */
function write(city: City, backing: string, statements: readonly string[]): void {
  if (backing.startsWith("MariaDB")) {
    for (const statement of statements) city.query(statement);
    return;
  }
  const database = new DatabaseSync(path.join(city.instance.folder, "data", "rollcall.db"), { timeout: 10_000 });
  try {
    for (const statement of statements) database.exec(statement);
  } finally {
    database.close();
  }
}

const firstCitizen = 900_001;

/** Each pay period is closed, and the server killed before its people are all frozen. */
export async function proveClosing(backing: string, city: City, { people, periods }: Closing): Promise<void> {
  await run(["role", "allow", "timeclock.close", "--job", job, "--grade", "2"], city.instance);
  const payer = await person(city.instance, { username: "payer", grade: 2 });
  const today = Math.floor(Date.now() / day) * day;
  const rows = Array.from({ length: periods }, (_none, i) => ({ id: 900_001 + i, at: today - (20 * (periods - i) + 10) * day }));
  const ids = Array.from({ length: people }, (_none, i) => firstCitizen + i);
  for (const { id, at } of rows) {
    const days = ids.map((citizen) => `(${citizen}, '${job}', '${dayOf(at)}', ${at}, ${citizen - firstCitizen + 1})`);
    write(city, backing, [
      ...Array.from({ length: Math.ceil(people / 500) }, (_none, part) => {
        const some = days.slice(part * 500, part * 500 + 500);
        return `insert into timeclock_days (citizen_id, job, day, day_at, seconds) values ${some.join(",")}`;
      }),
      `insert into timeclock_periods (id, job, first_day, last_day, from_at, until_at, state, version, after_id, created_at) values (${id}, '${job}', '${dayOf(at)}', '${dayOf(at + day)}', ${at}, ${at + 2 * day}, 'open', 1, 0, ${at})`,
    ]);
  }
  const restartMs: number[] = [];
  const frozen = (id: number) => number(city, `select count(*) as n from timeclock_sums where period_id = ${id}`);
  const stateOf = (id: number) => city.query(`select state from timeclock_periods where id = ${id}`)[0];
  let inTheMiddle = 0;
  for (const [i, { id }] of rows.entries()) {
    const closing = attempt(city, `/api/timeclock/periods/${id}/closing`, { body: { version: 1 }, token: payer.token });
    // The first kill comes into the call itself, the others between two parts of the people.
    if (i === 0) await after(jitter[3]!);
    else await closing;
    restartMs.push(await city.killAndRestart());
    await closing;
    if (stateOf(id) === "closing") inTheMiddle += 1;
    if (stateOf(id) === "open") {
      const again = await insist(city, `/api/timeclock/periods/${id}/closing`, { body: { version: 1 }, token: payer.token });
      expect([200, 409], again.text).toContain(again.status);
    }
    if (stateOf(id) === "closing") restartMs.push(await city.killAndRestart());
    await until(`pay period ${id} is closed`, () => stateOf(id) === "closed", 60_000);
  }
  const seconds = (people * (people + 1)) / 2;
  const closed = city.query(`select id, people, seconds from timeclock_periods where id >= 900001 order by id`);
  expect(closed).toEqual(rows.map(({ id }) => `${id}\t${people}\t${seconds}`));
  const sums = rows.map(({ id }) => frozen(id));
  const wrong = number(
    city,
    `select count(*) as n from timeclock_sums where period_id >= 900001 and (seconds <> citizen_id - ${firstCitizen - 1} or later_seconds <> 0)`,
  );
  const audited = number(city, "select count(*) as n from audit_entries where action = 'timeclock.closePeriod'");
  expect([sums, wrong, audited]).toEqual([rows.map(() => people), 0, periods]);
  print(`${backing}: ${inTheMiddle} of ${periods} pay periods were half frozen when the server came back`);
  const whole = people * periods;
  const stored = sums.reduce((sum, one) => sum + one, 0);
  const fault = `server killed ${restartMs.length} times while pay periods are closed`;
  tell(backing, {
    fault,
    acknowledged: whole,
    of: "sums",
    lost: Math.max(0, whole - stored),
    doubled: Math.max(0, stored - whole),
    restartMs,
  });
}
