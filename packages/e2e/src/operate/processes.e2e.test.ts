import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, person } from "@rollcall/testkit/api.ts";
import { hasMariadb, makeDatabase, type OwnDatabase } from "@rollcall/testkit/backing.ts";
import { freePort } from "@rollcall/testkit/ports.ts";
import { makeInstance, type Instance, type Program, runProgram } from "@rollcall/testkit/program.ts";
import { hasNatsServer, ownNats } from "@rollcall/testkit/servers.ts";
import { until } from "@rollcall/testkit/until.ts";

const dayMs = 86_400_000;
/** A measurement is current only: a run that was missed without a worker is skipped. */
const skipping = "files.measure";

describe.skipIf(!hasMariadb || !hasNatsServer())("web, worker and bot as three processes of one configuration", () => {
  let database: OwnDatabase;
  let nats: Awaited<ReturnType<typeof ownNats>>;
  let instance: Instance;
  const running: Program[] = [];

  beforeAll(async () => {
    database = makeDatabase();
    nats = await ownNats();
    await nats.start();
    instance = await makeInstance({ dsn: database.dsn, nats: `nats://127.0.0.1:${nats.port}` });
  });
  afterAll(async () => {
    await Promise.all(running.map(async (program) => await program.stop()));
    await nats?.remove();
    database?.drop();
    instance?.remove();
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
      cwd: instance.folder,
      env: adminPort === undefined ? {} : { ROLLCALL_HTTP_ADMINLISTEN: `127.0.0.1:${adminPort}` },
    });
  const metrics = async (port: number) => await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

  test("each starts, reports a used port in one line, and every schedule runs once", async () => {
    // Every schedule has run once; then the last run of each is three days old, so each is due.
    const first = await start("web,worker");
    const chief = await person(instance, { username: "chief", groups: "admin" });
    const listed = await call(instance.url, "/api/scheduler", { cookie: chief.cookie });
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
    expect(busy).toContain(`http.adminListen: 127.0.0.1:${instance.adminPort} is in use by another program`);
    expect(busy).toContain("ROLLCALL_HTTP_ADMINLISTEN");
    const anotherWeb = launch("web", await freePort());
    expect(await anotherWeb.exited).toBe(1);
    expect(anotherWeb.stderr()).toContain(`http.listen: 127.0.0.1:${instance.port} is in use by another program`);

    const [workerPort, otherPort, botPort] = [await freePort(), await freePort(), await freePort()];
    await Promise.all([start("worker", workerPort), start("worker", otherPort), start("bot", botPort)]);
    for (const port of [instance.adminPort, workerPort, otherPort, botPort])
      expect((await call(`http://127.0.0.1:${port}`, "/livez")).status).toBe(200);
    expect((await call(instance.url, "/api/system/client")).status).toBe(200);

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
    for (const port of [instance.adminPort, botPort]) expect(await metrics(port)).not.toMatch(/rollcall_job_runs_total\{/);
    // A worker sees the runs of the other one.
    await until("the age of the last success is reported", async () => {
      const page = await metrics(workerPort);
      return jobs.every(
        (job) =>
          job === skipping ||
          Number(new RegExp(`rollcall_job_last_success_seconds\\{job="${job}"\\} ([\\d.]+)`).exec(page)?.[1] ?? 0) * 1000 >
            at + dayMs,
      );
    });
    expect(await metrics(workerPort)).toMatch(/rollcall_job_lag_seconds\{job="[\w.]+"\} 0\n/);

    const mara = await person(instance, { username: "mara" });
    expect((await call(instance.url, "/api/auth/characters", { cookie: mara.cookie })).status).toBe(200);
  });
});
