import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, person, type Person } from "@rollcall/testkit/api.ts";
import {
  hasMariadb,
  hasNats,
  lockTable,
  makeDatabase,
  makeNats,
  type OwnDatabase,
  type OwnNats,
} from "@rollcall/testkit/backing.ts";
import { makeInstance, type Instance, type Program, run, serve } from "@rollcall/testkit/program.ts";
import { until } from "@rollcall/testkit/until.ts";

const job = "auth.cleanUp";
const rounds = 5;

describe.skipIf(!hasMariadb || !hasNats)("a schedule, with two web processes and two workers", () => {
  let database: OwnDatabase;
  let nats: OwnNats;
  const places: Instance[] = [];
  const programs: Program[] = [];
  let admin: Person;

  beforeAll(async () => {
    database = makeDatabase();
    nats = await makeNats();
    const options = { dsn: database.dsn, nats: nats.url };
    for (let i = 0; i < 4; i += 1) places.push(await makeInstance(options));
    expect((await run(["migrate"], places[0]!)).code).toBe(0);
    const roles = ["web", "web", "worker", "worker"];
    programs.push(
      ...(await Promise.all(places.map(async (instance, i) => await serve(instance, { args: [`--roles=${roles[i] ?? ""}`] })))),
    );
    admin = await person(places[0]!, { username: "chief", groups: "admin" });
  }, 60_000);

  afterAll(async () => {
    await Promise.all(programs.map(async (program) => await program.stop()));
    await nats?.remove();
    database?.drop();
    for (const instance of places) instance.remove();
  });

  const runs = () =>
    database
      .query(`select concat(outcome, ' ', owner) from job_runs where job = '${job}' and outcome <> 'waiting' order by id`)
      .map((line) => line.split(" ") as [string, string]);

  /** Runs that ended well, as the two workers count them. */
  async function counted(): Promise<number[]> {
    const pattern = new RegExp(`rollcall_job_runs_total\\{job="${job}",outcome="done"\\} (\\d+)`);
    const pages = places.slice(2).map(async ({ adminUrl }) => await (await fetch(`${adminUrl}/metrics`)).text());
    return (await Promise.all(pages)).map((page) => Number(pattern.exec(page)?.[1] ?? 0));
  }

  test("requested in both web processes at the same moment, it runs once, on one worker", async () => {
    const told: number[][] = [];
    for (let round = 1; round <= rounds; round += 1) {
      // Runs until both have requested it.
      const unlock = await lockTable(database, "auth_failures");
      const asked = performance.now();
      const answers = await Promise.all(
        [0, 1].map(
          async (i) => await call(places[i]!.url, `/api/scheduler/${job}/run`, { method: "POST", cookie: admin.cookie }),
        ),
      );
      const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
      // The second request is answered that the schedule waits or runs already.
      expect(statuses, answers.map(({ text }) => text).join()).toEqual([204, 409]);
      await until("a worker has begun", () => runs().at(-1)?.[0] === "running");
      unlock();
      await until(`run ${round} is done`, () => runs().filter(([outcome]) => outcome === "done").length === round);
      expect(performance.now() - asked).toBeLessThan(15_000);
      expect(runs().map(([outcome]) => outcome)).toEqual(Array.from({ length: round }, () => "done"));
      told.push(
        await until("a worker counted it", async () => {
          const done = await counted();
          return done[0]! + done[1]! >= round ? done : null;
        }),
      );
      expect(told.at(-1)!.reduce((sum, n) => sum + n, 0)).toBe(round);
    }
    expect(new Set(runs().map(([, owner]) => owner)).size).toBeLessThanOrEqual(2);
  }, 60_000);
});
