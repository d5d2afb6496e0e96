import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, person } from "#kit/api.ts";
import { hasMariadb, makeDatabase, type OwnDatabase } from "#kit/backing.ts";
import { freePort, makePlace, type Place, type Program, runProgram } from "#kit/program.ts";
import { hasNatsServer, ownNats } from "#kit/servers.ts";
import { until } from "#kit/until.ts";

const dayMs = 86_400_000;
/** What it measures is of the moment: a time that passed without a worker is left out. */
const skipping = "files.measure";

describe.skipIf(!hasMariadb || !hasNatsServer())("web, worker and bot as three processes of one configuration", () => {
  let database: OwnDatabase;
  let nats: Awaited<ReturnType<typeof ownNats>>;
  let place: Place;
  const running: Program[] = [];

  beforeAll(async () => {
    database = makeDatabase();
    nats = await ownNats();
    await nats.start();
    place = await makePlace({ dsn: database.dsn, nats: `nats://127.0.0.1:${nats.port}` });
  });
  afterAll(async () => {
    await Promise.all(running.map(async (program) => await program.stop()));
    await nats?.remove();
    database?.drop();
    place?.remove();
  });

  /** Starts a role on the configuration as it is; `adminPort` through the environment. */
  async function start(roles: string, adminPort?: number): Promise<Program> {
    const program = launch(roles, adminPort);
    running.push(program);
    await program.seen(/Rollcall [\d.]+ serves/);
    return program;
  }
  const launch = (roles: string, adminPort?: number) =>
    runProgram(["serve", `--roles=${roles}`], {
      cwd: place.folder,
      env: adminPort === undefined ? {} : { ROLLCALL_HTTP_ADMINLISTEN: `127.0.0.1:${adminPort}` },
    });
  const metrics = async (port: number) => await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

  test("each begins, tells a taken port in one line, and every job runs once", async () => {
    // Every job is seen once; then the last run of each is three days old, so each is due.
    const first = await start("web,worker");
    const chief = await person(place, { username: "chief", groups: "admin" });
    const listed = await call(place.url, "/api/scheduler", { cookie: chief.cookie });
    const jobs = (listed.body.jobs as { id: string }[]).map(({ id }) => id).toSorted();
    expect(jobs.length).toBeGreaterThan(5);
    await until("every job was seen", () => {
      const seen = database.query("select distinct job from job_runs");
      return jobs.every((job) => seen.includes(job));
    });
    await first.stop();
    running.splice(0);
    const at = Date.now() - 3 * dayMs;
    database.query(`update job_runs set outcome = 'done', owner = 'earlier', started_at = ${at}, finished_at = ${at + 5000}`);

    await start("web");
    const second = launch("worker");
    expect(await second.exited).toBe(1);
    const busy =
      second
        .stderr()
        .trim()
        .split("\n")
        .find((line) => line.includes("in use")) ?? "";
    expect(busy).toContain(`http.adminListen: 127.0.0.1:${place.adminPort} is in use by another program`);
    expect(busy).toContain("ROLLCALL_HTTP_ADMINLISTEN");
    const anotherWeb = launch("web", await freePort());
    expect(await anotherWeb.exited).toBe(1);
    expect(anotherWeb.stderr()).toContain(`http.listen: 127.0.0.1:${place.port} is in use by another program`);

    const [workerPort, otherPort, botPort] = [await freePort(), await freePort(), await freePort()];
    await Promise.all([start("worker", workerPort), start("worker", otherPort), start("bot", botPort)]);
    for (const port of [place.adminPort, workerPort, otherPort, botPort])
      expect((await call(`http://127.0.0.1:${port}`, "/livez")).status).toBe(200);
    expect((await call(place.url, "/api/system/client")).status).toBe(200);

    const since = () =>
      database.query(
        `select concat(job, ' ', outcome) from job_runs where owner not in ('earlier', '') and started_at > ${at} order by job`,
      );
    const ends = jobs.map((job) => `${job} ${job === skipping ? "skipped" : "done"}`);
    await until("every job has ended", () => ends.every((end) => since().includes(end)), 40_000);
    expect(since().filter((line) => !line.endsWith(" waiting"))).toEqual(ends);
    const counted = (await Promise.all([workerPort, otherPort].map(metrics)))
      .flatMap((page) => [...page.matchAll(/rollcall_job_runs_total\{job="[\w.]+",outcome="done"\} (\d+)/g)])
      .reduce((sum, match) => sum + Number(match[1]), 0);
    expect(counted).toBe(jobs.length - 1);
    for (const port of [place.adminPort, botPort]) expect(await metrics(port)).not.toMatch(/rollcall_job_runs_total\{/);
    // A worker sees the runs of the other.
    await until("the age of the last success is told", async () => {
      const page = await metrics(workerPort);
      return jobs.every(
        (job) =>
          job === skipping ||
          Number(new RegExp(`rollcall_job_last_success_seconds\\{job="${job}"\\} ([\\d.]+)`).exec(page)?.[1] ?? 0) * 1000 >
            at + dayMs,
      );
    });
    expect(await metrics(workerPort)).toMatch(/rollcall_job_lag_seconds\{job="[\w.]+"\} 0\n/);

    const mara = await person(place, { username: "mara" });
    expect((await call(place.url, "/api/auth/characters", { cookie: mara.cookie })).status).toBe(200);
  });
});
