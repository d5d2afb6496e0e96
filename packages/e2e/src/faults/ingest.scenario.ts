import path from "node:path";
import { expect } from "vitest";
import { createSyncClient } from "@rollcall/sync-sdk";
import { call, person, userToken } from "@rollcall/testkit/api.ts";
import { hasMariadb, makeDatabase, type OwnDatabase } from "@rollcall/testkit/backing.ts";
import { jobs, licences, senderOptions, userOf, usersOf } from "@rollcall/testkit/population.ts";
import { makeInstance, type Instance, type Program, run, secrets, serve } from "@rollcall/testkit/program.ts";
import type { SenderOrder } from "@rollcall/testkit/sender.fixture.ts";
import { makeSenderHome, type SenderHome, startSender } from "@rollcall/testkit/sender.ts";
import { hasNatsServer, type OwnNats, ownNats } from "@rollcall/testkit/servers.ts";
import { report } from "@rollcall/testkit/report.ts";
import { type Query, queryFile, queryOf } from "@rollcall/testkit/stored.ts";
import { until } from "@rollcall/testkit/until.ts";

export const backings = [
  { name: "SQLite, embedded broker", scaled: false, available: true },
  { name: "MariaDB, NATS", scaled: true, available: hasMariadb && hasNatsServer() },
].filter(({ available }) => available);

export interface Range {
  readonly from: number;
  readonly to: number;
}

const span = ({ from, to }: Range) => to - from;
const batch = 250;
const pageOfUsers = 4000;

/** Delays of the kills, in milliseconds, so that they do not always follow right after an answer. */
const jitter = [3, 11, 0, 23, 7, 17];
const after = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

/** A running program whose parts get killed. */
export class City {
  readonly instance: Instance;
  readonly query: Query;
  readonly #database: OwnDatabase | null;
  readonly #nats: OwnNats | null;
  #program: Program;
  readonly homes: SenderHome[] = [];

  static async start(scaled: boolean): Promise<City> {
    const database = scaled ? makeDatabase() : null;
    const nats = scaled ? await ownNats() : null;
    await nats?.start();
    const instance = await makeInstance(database && nats ? { dsn: database.dsn, nats: `nats://127.0.0.1:${nats.port}` } : {});
    const city = new City(instance, database, nats, await serve(instance));
    const client = createSyncClient(senderOptions(instance.url, secrets.sync, undefined));
    await client.jobs(jobs);
    await client.licences(licences);
    await client.close();
    return city;
  }

  private constructor(instance: Instance, database: OwnDatabase | null, nats: OwnNats | null, program: Program) {
    this.instance = instance;
    this.#database = database;
    this.#nats = nats;
    this.#program = program;
    this.query = queryOf(instance, database);
  }

  get program(): Program {
    return this.#program;
  }

  /** Milliseconds from the kill until it serves again. */
  async killAndRestart(): Promise<number> {
    const started = performance.now();
    this.#program.signal("SIGKILL");
    await this.#program.exited;
    this.#program = await serve(this.instance);
    return Math.round(performance.now() - started);
  }

  order(home: SenderHome, range: Range, more: Partial<SenderOrder> = {}): SenderOrder {
    return {
      url: this.instance.url,
      token: secrets.sync,
      queueDir: home.queueDir,
      ledger: home.ledger,
      ...range,
      batch,
      parallel: 4,
      flushFirst: false,
      ...more,
    };
  }

  home(): SenderHome {
    const home = makeSenderHome();
    this.homes.push(home);
    return home;
  }

  storedIn({ from, to }: Range): number {
    return Number(
      this.query(
        `select count(*) as n from citizens where identifier >= '${userOf(from).identifier}' and identifier <= '${userOf(to - 1).identifier}'`,
      )[0],
    );
  }

  unsent(): number {
    return Number(this.query("select count(*) as n from outbox_events where sent_at is null")[0]);
  }

  /** Messages of the event stream; the embedded broker's file can be read once the program has ended. */
  async streamed(): Promise<number> {
    if (this.#nats === null) {
      await this.#program.stop();
      const count = Number(
        queryFile(path.join(this.instance.folder, "data", "rollcall.db.broker"))(
          "select count(*) from messages where stream like '%EVENTS'",
        )[0],
      );
      this.#program = await serve(this.instance);
      return count;
    }
    interface Streams {
      readonly account_details: readonly {
        readonly stream_detail: readonly {
          readonly name: string;
          readonly state: { readonly messages: number };
        }[];
      }[];
    }
    const { account_details: accounts } = await this.#nats.monitor<Streams>("/jsz?accounts=1&streams=1");
    return accounts[0]?.stream_detail.find(({ name }) => name.endsWith("EVENTS"))?.state.messages ?? -1;
  }

  async stop(): Promise<void> {
    await this.#program.stop();
    await this.#nats?.remove();
    this.#database?.drop();
    this.instance.remove();
    for (const home of this.homes) home.remove();
  }
}

export interface KillReport {
  readonly seconds: number;
  readonly restartMs: readonly number[];
}

const secondsSince = (started: number) => (performance.now() - started) / 1000;

/** The server is killed during the work, repeatedly, while one sender continues. */
export async function ingestWithServerKills(city: City, range: Range, kills: number): Promise<KillReport> {
  const started = performance.now();
  const restartMs: number[] = [];
  const home = city.home();
  const sender = startSender(city.order(home, range));
  for (let i = 1; i <= kills; i += 1) {
    const enough = Math.floor((span(range) * i) / (kills + 1));
    await until(`${enough} users are stored`, () => city.storedIn(range) >= enough, 240_000);
    await after(jitter[i % jitter.length]!);
    expect(city.storedIn(range), "the kill must come before the end").toBeLessThan(span(range));
    restartMs.push(await city.killAndRestart());
  }
  await sender.done;
  return { seconds: secondsSince(started), restartMs };
}

/** The sender is killed during the work; it continues from its queue, or sends everything again. */
export async function ingestWithSenderKills(city: City, range: Range, kills: number): Promise<KillReport> {
  const started = performance.now();
  const home = city.home();
  for (let i = 1; i <= kills; i += 1) {
    const fromQueue = i % 2 === 0;
    const from = fromQueue ? firstMissing(home, range) : range.from;
    const sender = startSender(city.order(home, { from, to: range.to }, { flushFirst: fromQueue }));
    await sender.reached(Math.floor((range.to - from) * (fromQueue ? 0.4 : (0.7 * i) / kills)));
    await after(jitter[i % jitter.length]!);
    await sender.kill();
  }
  // Acknowledged users are in the queue or stored: sending the queue alone must complete them.
  const rest = startSender(city.order(home, { from: range.to, to: range.to }, { flushFirst: true }));
  await rest.done;
  await expectStored(city, acknowledgedNumbers(home), range);
  await startSender(city.order(home, { from: firstMissing(home, range), to: range.to })).done;
  return { seconds: secondsSince(started), restartMs: [] };
}

function acknowledgedNumbers(home: SenderHome): Set<number> {
  const numbers = new Set<number>();
  for (const { from, to } of home.acknowledged()) for (let n = from; n < to; n += 1) numbers.add(n);
  return numbers;
}

function firstMissing(home: SenderHome, { from, to }: Range): number {
  const numbers = acknowledgedNumbers(home);
  let n = from;
  while (n < to && numbers.has(n)) n += 1;
  return n;
}

const userLine = (n: number, revision: number) => {
  const { identifier, firstName, lastName } = userOf(n, revision);
  return [identifier, firstName, lastName, 1 + revision].join("\t");
};

function pages({ from, to }: Range): Range[] {
  const list: Range[] = [];
  for (let at = from; at < to; at += pageOfUsers) list.push({ from: at, to: Math.min(to, at + pageOfUsers) });
  return list;
}

const between = ({ from, to }: Range) =>
  `c.identifier >= '${userOf(from).identifier}' and c.identifier <= '${userOf(to - 1).identifier}'`;

/** The users in `numbers` are stored exactly once; others of the range may be, without acknowledgement. */
async function expectStored(city: City, numbers: ReadonlySet<number>, range: Range): Promise<void> {
  for (const page of pages(range)) {
    const rows = city.query(
      `select c.identifier, c.first_name, c.last_name, c.version from citizens c where ${between(page)} order by c.identifier`,
    );
    expect(new Set(rows).size, "doubled").toBe(rows.length);
    const there = new Set(rows);
    const lost = usersOf(page.from, page.to).flatMap((_user, i) =>
      numbers.has(page.from + i) && !there.has(userLine(page.from + i, 0)) ? [userLine(page.from + i, 0)] : [],
    );
    expect(lost, "lost").toEqual([]);
  }
}

/** Exactly these users with all their children, those in `touched` in version 2, the others in version 1. */
export function expectExactly(city: City, range: Range, touched: ReadonlySet<number> = new Set()): void {
  for (const page of pages(range)) {
    const users = usersOf(page.from, page.to);
    const rows = (sql: string) => city.query(sql).toSorted();
    const expected = (lines: readonly string[]) => lines.toSorted();
    expect(
      rows(
        `select c.identifier, c.first_name, c.last_name, c.version from citizens c where ${between(page)} and c.deleted_at is null`,
      ),
    ).toEqual(expected(users.map((_user, i) => userLine(page.from + i, touched.has(page.from + i) ? 1 : 0))));
    expect(
      rows(
        `select c.identifier, j.job, j.grade, j.is_primary from citizens c join citizens_jobs j on j.citizen_id = c.id where ${between(page)}`,
      ),
    ).toEqual(
      expected(
        users.flatMap(({ identifier, jobs: held }) =>
          held.map(({ name, grade }, i) => [identifier, name, grade, i === 0 ? 1 : 0].join("\t")),
        ),
      ),
    );
    expect(
      rows(
        `select c.identifier, p.number, p.is_primary from citizens c join citizens_phones p on p.citizen_id = c.id where ${between(page)}`,
      ),
    ).toEqual(
      expected(
        users.flatMap(({ identifier, phoneNumbers }) =>
          (phoneNumbers ?? []).map(({ number }, i) => [identifier, number, i === 0 ? 1 : 0].join("\t")),
        ),
      ),
    );
    expect(
      rows(`select c.identifier, l.type from citizens c join citizens_licences l on l.citizen_id = c.id where ${between(page)}`),
    ).toEqual(
      expected(users.flatMap(({ identifier, licences: held }) => (held ?? []).map((type) => [identifier, type].join("\t")))),
    );
  }
}

/** Sends everything again: nothing changes. Returns the seconds it took. */
export async function expectNothingNew(city: City, range: Range): Promise<number> {
  const started = performance.now();
  const home = city.home();
  await startSender(city.order(home, range)).done;
  expect(home.acknowledged().reduce((sum, { accepted }) => sum + accepted, 0)).toBe(0);
  return secondsSince(started);
}

/** The game changes a few: only their versions grow. */
export async function touchSome(city: City, { from, to }: Range): Promise<Set<number>> {
  const touched = new Set(Array.from({ length: 20 }, (_touched, i) => from + Math.floor(((to - from) * i) / 20)));
  const client = createSyncClient(senderOptions(city.instance.url, secrets.sync, undefined));
  expect((await client.users([...touched].map((n) => userOf(n, 1)))).accepted).toBe(touched.size);
  await client.close();
  return touched;
}

/** Everything is published: no row of the outbox waits, and the stream has each event once. */
export async function expectAllPublished(city: City): Promise<void> {
  await until("the outbox is empty", () => city.unsent() === 0, 60_000);
  const events = Number(city.query("select count(*) as n from outbox_events")[0]);
  expect(await city.streamed()).toBe(events);
}

/** Finds users all over the range, by name with a typo and by phone number, over HTTP. */
export async function expectFound(city: City, { from, to }: Range, username: string): Promise<void> {
  await run(["role", "allow", "citizens.list", "--attributes", "fields=phone", "--job", "police", "--grade", "0"], city.instance);
  const who = await person(city.instance, { username });
  const token = await userToken(city.instance.url, who);
  const search = async (query: Record<string, string>) => {
    const answer = await call(city.instance.url, `/api/citizens?${new URLSearchParams(query).toString()}`, {
      token,
    });
    expect(answer.status, answer.text).toBe(200);
    return (answer.body.items as { firstName: string; lastName: string }[]).map(
      ({ firstName, lastName }) => `${firstName} ${lastName}`,
    );
  };
  await until("the role applies", async () => (await call(city.instance.url, "/api/citizens", { token })).status === 200);
  for (let i = 0; i < 8; i += 1) {
    const { firstName, lastName, phoneNumbers } = userOf(from + 1 + Math.floor(((to - from - 2) * i) / 7));
    const full = `${firstName} ${lastName}`;
    const typo = `${lastName} ${firstName.slice(0, -1)}x`;
    expect(await search({ q: `${lastName} ${firstName}` })).toContain(full);
    expect(await search({ q: typo }), `with a typo: ${typo}`).toContain(full);
    expect(await search({ phone: phoneNumbers?.[0]?.number ?? "" })).toContain(full);
  }
}

export function print(line: string): void {
  process.stdout.write(`faults: ${line}\n`);
}

const rate = (range: Range, seconds: number) =>
  `${span(range)} users in ${seconds.toFixed(1)} s, ${Math.round(span(range) / seconds)} rows/s`;

/** Both kinds of kills on one backing. */
export async function proveIngest(
  backing: (typeof backings)[number],
  city: City,
  options: { readonly users: number; readonly kills: number },
): Promise<void> {
  const { users, kills } = options;
  const [first, second] = [
    { from: 0, to: users },
    { from: 400_000, to: 400_000 + users },
  ];
  const server = await ingestWithServerKills(city, first, kills);
  expectExactly(city, first);
  const killed = { group: "processes", backing: backing.name, acknowledged: users, of: "users", lost: 0, doubled: 0 } as const;
  report({
    ...killed,
    fault: `server killed ${kills} times in the middle of an ingest`,
    backMs: Math.max(...server.restartMs),
    backWithinMs: null,
  });
  print(
    `${backing.name}: ${kills} SIGKILLs of the server: ${rate(first, server.seconds)}; serves again after ${server.restartMs.join(", ")} ms; lost 0, doubled 0`,
  );
  const sender = await ingestWithSenderKills(city, second, kills);
  expectExactly(city, second);
  report({
    ...killed,
    group: "clients",
    fault: `sender killed ${kills} times in the middle of an ingest`,
    backMs: null,
    backWithinMs: null,
  });
  print(`${backing.name}: ${kills} SIGKILLs of the sender: ${rate(second, sender.seconds)}; lost 0, doubled 0`);
  print(`${backing.name}: sent again unchanged: ${rate(first, await expectNothingNew(city, first))}`);
  const touched = await touchSome(city, first);
  expectExactly(city, first, touched);
  await expectAllPublished(city);
  await expectFound(city, first, "searcher");
}
