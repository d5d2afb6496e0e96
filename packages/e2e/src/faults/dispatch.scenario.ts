import { expect } from "vitest";
import { createSyncClient } from "@rollcall/sync-sdk";
import { type Answer, call, type CallOptions, person, type Person, userToken } from "@rollcall/testkit/api.ts";
import { Follower } from "@rollcall/testkit/follower.ts";
import { killableMariadb, killableNats, queryMariadb } from "@rollcall/testkit/killable.ts";
import { jobs, senderOptions } from "@rollcall/testkit/population.ts";
import { type Instance, makeInstance, type Program, run, secrets, serve } from "@rollcall/testkit/program.ts";
import { type FaultReport, report } from "@rollcall/testkit/report.ts";
import { until } from "@rollcall/testkit/until.ts";
import { print } from "./ingest.scenario.ts";
import { pause, type Servers } from "./outage.scenario.ts";

const job = "police";
/** How long units of the most urgent calls may answer, and what an offer gets at least after an outage. Milliseconds. */
const windowMs = 15_000;
const graceMs = 10_000;
const unitCount = 5;
/** Every third unit that is asked accepts and drives there; the others do not answer. */
const accepts = (n: number) => n % 3 === 0;

export interface Blow {
  readonly name: string;
  readonly group: FaultReport["group"];
  readonly forMs: number;
  begin(shift: Shift): Promise<void>;
  restore(shift: Shift): Promise<void>;
}

interface Crew {
  readonly person: Person;
  readonly unitId: number;
}

/** A night of dispatchers and units on two processes, of which the first is also the worker. */
export class Shift {
  readonly servers: Servers;
  readonly #places: readonly Instance[];
  readonly #programs: Program[];
  readonly #chief: Person;
  readonly #crews: readonly Crew[];
  readonly #pages: readonly Follower[];
  /** The call of each number that the server acknowledged. */
  readonly #made = new Map<number, number>();
  #offered = 0;
  #accepted = 0;
  #stopping = false;
  #working: Promise<void> | null = null;
  #failed: unknown = null;

  static async start(): Promise<Shift> {
    const servers = { nats: await killableNats(), mariadb: await killableMariadb() };
    await Promise.all([servers.nats.start(), servers.mariadb.start()]);
    const options = { dsn: servers.mariadb.url, nats: servers.nats.url };
    const [a, b] = [await makeInstance(options), await makeInstance(options)];
    const programs = [await serve(a), await serve(b, { args: ["--roles=web"] })];
    const client = createSyncClient(senderOptions(a.url, secrets.sync, undefined));
    await client.jobs(jobs);
    await client.close();
    for (const right of ["calls.dispatch", "units.manage"]) await run(["role", "allow", right, "--job", job, "--grade", "2"], a);
    await run(["role", "allow", "calls.view", "--job", job, "--grade", "0"], a);
    const chief = await person(a, { username: "chief", grade: 2 });
    const crews: Crew[] = [];
    for (let n = 0; n < unitCount; n++) crews.push(await crewOf(a, chief, n));
    return new Shift(servers, [a, b], programs, chief, crews);
  }

  private constructor(servers: Servers, places: readonly Instance[], programs: Program[], chief: Person, crews: readonly Crew[]) {
    this.servers = servers;
    this.#places = places;
    this.#programs = programs;
    this.#chief = chief;
    this.#crews = crews;
    this.#pages = places.map(
      ({ url }) =>
        new Follower({
          url,
          topic: "calls",
          token: async () => await userToken(url, chief),
          rowsOf: (data) =>
            (data as { created: { id: number; version: number; message: string }[] }).created.map(({ id, version, message }) => ({
              id,
              version,
              firstName: "",
              lastName: message,
            })),
          read: () =>
            this.query("select id, version, message from calls").map((line) => {
              const [id, version, lastName = ""] = line.split("\t");
              return { id: Number(id), version: Number(version), firstName: "", lastName };
            }),
        }),
    );
  }

  query(sql: string): string[] {
    return queryMariadb(this.servers.mariadb, sql);
  }

  async kill(index: number): Promise<void> {
    this.#programs[index]!.signal("SIGKILL");
    await this.#programs[index]!.exited;
  }

  async restart(index: number): Promise<void> {
    this.#programs[index] = await serve(this.#places[index]!, index === 0 ? {} : { args: ["--roles=web"] });
  }

  /** Tries again at the other process until one answers, as a game server and people do. */
  async #insist(route: string, options: Omit<CallOptions, "token"> & { readonly as?: Person }): Promise<Answer> {
    let turn = 0;
    return await until(
      `an answer of ${route}`,
      async () => {
        const { url } = this.#places[turn++ % this.#places.length]!;
        try {
          const token = options.as === undefined ? secrets.sync : await userToken(url, options.as);
          const answer = await call(url, route, { ...options, token });
          if (![401, 429, 500, 502, 503].includes(answer.status)) return answer;
        } catch {
          // It does not run, or could not sign in.
        }
        await pause(100);
        return null;
      },
      90_000,
    );
  }

  /** Calls come in, units are asked, and some of them go, until it is stopped. */
  begin(): void {
    this.#working = this.#work().catch((error: unknown) => void (this.#failed = error));
    void this.#game();
  }

  /** The game server says where its people are; after an outage they are not there until it does. */
  async #game(): Promise<void> {
    for (let turn = 0; !this.#stopping; turn++) {
      const items = this.#crews.map((_crew, n) => ({ identifier: identifierOf(n), job, x: n * 10, y: turn % 100 }));
      await this.#insist("/api/sync/v1/positions", { body: { source: "city-1", items } }).catch(() => undefined);
      await pause(1000);
    }
  }

  /** Asks the unit; while the game has not said that its crew is there, nobody can be asked. */
  async #ask(id: number, unitId: number): Promise<Answer> {
    return await until(
      "the crew is there",
      async () => {
        const asked = await this.#insist(`/api/calls/${id}/units`, { body: { unitIds: [unitId] }, as: this.#chief });
        if (asked.body?.code !== "assignments.unitMissing") return asked;
        await pause(500);
        return null;
      },
      60_000,
    );
  }

  /** What ended the work ends the test with its own words. */
  #goesOn(from: number): boolean {
    if (this.#failed !== null) throw this.#failed;
    return this.#made.size >= from + 3;
  }

  async #work(): Promise<void> {
    for (let n = 0; !this.#stopping; n++) {
      const body = { source: `city-${n % 4}`, jobs: [job], message: `Alarm ${n}`, priority: 1, x: n * 200, y: 0 };
      const made = await this.#insist("/api/sync/v1/calls", { body, headers: { "idempotency-key": `alarm-${n}` } });
      expect(made.status, made.text).toBe(200);
      const id = made.body.id as number;
      this.#made.set(n, id);
      const { person: member, unitId } = this.#crews[n % this.#crews.length]!;
      const asked = await this.#ask(id, unitId);
      // The first attempt may have been the one that counts.
      expect([200, "assignments.already"], asked.text).toContain(asked.status === 409 ? asked.body.code : asked.status);
      this.#offered += 1;
      if (accepts(n)) await this.#go(id, member);
      await pause(30);
    }
  }

  async #go(id: number, member: Person): Promise<void> {
    const read = async () => {
      const { body, text } = await this.#insist(`/api/calls/${id}`, { as: member });
      const [unit] = body.units as { id: number; version: number; state: string }[];
      if (unit === undefined) throw new Error(text);
      return unit;
    };
    const offer = await read();
    if (offer.state !== "offered") throw new Error(`the offer of ${id} is ${offer.state} at once`);
    const answer = { version: offer.version, accept: true };
    const answered = await this.#insist(`/api/assignments/${offer.id}/answer`, { body: answer, as: member });
    // An offer that ran out while nothing answered is no longer there.
    const now = await read();
    expect(answered.status === 200 || ["accepted", "expired"].includes(now.state), answered.text).toBe(true);
    if (now.state !== "accepted") return;
    const step = { version: now.version, state: "enRoute" };
    await this.#insist(`/api/assignments/${now.id}/progress`, { body: step, as: member });
    expect((await read()).state).toBe("enRoute");
    this.#accepted += 1;
  }

  /** One fault while the work goes on. */
  async survive(blow: Blow): Promise<void> {
    const before = this.#made.size;
    await until("the work goes on", () => this.#goesOn(before), 60_000);
    const acknowledged = this.#made.size;
    await blow.begin(this);
    await pause(blow.forMs);
    const restoring = performance.now();
    await blow.restore(this);
    const shown = () => [...this.#made.keys()].at(-1)!;
    await until("the work goes on after it", () => this.#goesOn(acknowledged), 60_000);
    const last = shown();
    for (const page of this.#pages) await until("open pages show it", () => page.knows(`Alarm ${last}`), 60_000);
    const backMs = Math.round(performance.now() - restoring);
    print(`${blow.name}: ${this.#made.size - before} calls meanwhile, live again after ${backMs} ms`);
    const counted = { acknowledged: this.#made.size - before, of: "calls", lost: 0, doubled: 0 };
    report({
      group: blow.group,
      fault: `${blow.name}, in a shift`,
      backing: "MariaDB, NATS, two processes",
      ...counted,
      backMs,
      backWithinMs: 60_000,
    });
  }

  /** No call, status or timer was lost, and none was there twice. */
  async expectWhole(): Promise<void> {
    this.#stopping = true;
    await this.#working;
    if (this.#failed !== null) throw this.#failed;
    const ids = [...this.#made.values()];
    expect(new Set(ids).size, "each alarm is a call of its own").toBe(ids.length);
    expect(this.query("select count(*), sum(alerts) from calls")).toEqual([`${ids.length}\t${ids.length}`]);
    const open = () => this.query("select id from assignments where state = 'offered'");
    await until("all offers have ended", () => open().length === 0, windowMs + graceMs + 30_000);
    expect(this.query("select count(*) from assignments"), "one for each call").toEqual([String(this.#offered)]);
    const states = this.query("select state, count(*) from assignments group by state order by state");
    const expired = this.#offered - this.#accepted;
    expect(states).toEqual([`enRoute\t${this.#accepted}`, `expired\t${expired}`]);
    const lines = this.query(
      "select kind, count(*), count(distinct call_id) from calls_entries where kind in ('created','offered','accepted','expired','enRoute') group by kind order by kind",
    );
    const once = (kind: string, count: number) => `${kind}\t${count}\t${count}`;
    expect(lines, "each happened once").toEqual([
      once("accepted", this.#accepted),
      once("created", ids.length),
      once("enRoute", this.#accepted),
      once("expired", expired),
      once("offered", this.#offered),
    ]);
    const timers = this.query("select count(*), count(distinct payload) from worker_tasks where kind = 'calls.expire'");
    expect(timers, "each call has its timer").toEqual([`${ids.length}\t${ids.length}`]);
    for (const page of this.#pages) {
      await page.settled();
      expect(page.gaps).toEqual([]);
      expect(ids.filter((_id, n) => !page.knows(`Alarm ${n}`))).toEqual([]);
    }
    print(
      `${ids.length} calls, ${this.#offered} offers, ${this.#accepted} accepted, ${expired} run out: lost 0, doubled 0; gaps 0`,
    );
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#pages.map(async (page) => await page.stop()));
    await Promise.all(this.#programs.map(async (program) => await program.stop()));
    await Promise.all([this.servers.nats.remove(), this.servers.mariadb.remove()]);
    for (const place of this.#places) place.remove();
  }
}

const identifierOf = (n: number) => `char1:licence-of-officer${n}`;

/** A unit with one person, who is on duty. */
async function crewOf(place: Instance, chief: Person, n: number): Promise<Crew> {
  const username = `officer${n}`;
  const member = await person(place, { username, grade: 0 });
  const on = { identifier: identifierOf(n), event: "on", job, at: Date.now(), key: `on-${n}` };
  const duty = await call(place.url, "/api/sync/v1/duty", {
    body: { source: "city-1", boot: "one", items: [on] },
    token: secrets.sync,
  });
  expect(duty.body, duty.text).toMatchObject({ rejected: [] });
  const unit = {
    ...{ name: `Unit ${n}`, callsign: `U${n}`, initials: `U${n}`, colour: "#2563eb", icon: null, homePostal: null },
    ...{ tags: [], roles: [], minCrew: 1, maxCrew: 4, isStatic: false, radio: null },
  };
  const made = await call(place.url, "/api/units", { body: unit, token: await userToken(place.url, chief) });
  expect(made.status, made.text).toBe(200);
  const unitId = made.body.id as number;
  const joined = await call(place.url, `/api/units/all/${unitId}/join`, {
    body: { role: null },
    token: await userToken(place.url, member),
  });
  expect(joined.status, joined.text).toBe(200);
  return { person: member, unitId };
}
