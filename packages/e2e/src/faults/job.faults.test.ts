import { afterEach, describe, expect, test } from "vitest";
import { hasMariadb, lockTable, makeDatabase } from "@rollcall/testkit/backing.ts";
import { makeInstance, run, serve } from "@rollcall/testkit/program.ts";
import { hasNatsServer, ownNats } from "@rollcall/testkit/servers.ts";
import { report } from "@rollcall/testkit/report.ts";
import { until } from "@rollcall/testkit/until.ts";
import { print } from "./ingest.scenario.ts";
import { followedWithinMs } from "./lease.scenario.ts";

const job = "citizens.purge";
const leaseMs = 10_000;
const stoppedMs = 30_000;

describe.skipIf(!hasMariadb || !hasNatsServer())("a worker that is frozen during a run of a schedule", () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  test("is replaced by another worker, and writes nothing when it resumes", async () => {
    const database = makeDatabase();
    ends.push(() => database.drop());
    const nats = await ownNats();
    ends.push(async () => await nats.remove());
    await nats.start();
    const places = [
      await makeInstance({ dsn: database.dsn, nats: `nats://127.0.0.1:${nats.port}` }),
      await makeInstance({ dsn: database.dsn, nats: `nats://127.0.0.1:${nats.port}` }),
    ] as const;
    for (const instance of places) ends.push(() => instance.remove());
    expect((await run(["migrate"], places[0])).code).toBe(0);
    // The last run was three days ago: due at once.
    const at = Date.now() - 3 * 86_400_000;
    database.query(
      `insert into job_runs (job, owner, started_at, finished_at, outcome) values ('${job}', 'earlier', ${at}, ${at}, 'done')`,
    );
    const runs = () => database.query(`select concat(outcome, ' ', owner) from job_runs where job = '${job}' order by id`);
    const unlock = await lockTable(database, "citizens");
    ends.push(unlock);

    const first = await serve(places[0]);
    ends.push(async () => {
      first.signal("SIGCONT");
      await first.stop();
    });
    const running = await until("the job runs", () => runs().find((line) => line.startsWith("running")));
    const second = await serve(places[1], { args: ["--roles=worker"] });
    ends.push(async () => await second.stop());
    first.signal("SIGSTOP");
    const stopped = performance.now();
    const endsInMs = Number(
      database.query(
        `select lease_until - cast(unix_timestamp(now(3)) * 1000 as signed) from worker_tasks where kind = '${job}' and state = 'running'`,
      )[0],
    );
    expect(endsInMs).toBeGreaterThan(0);
    expect(endsInMs).toBeLessThanOrEqual(leaseMs);
    await until("another worker runs it", () => runs().length === 3, leaseMs + followedWithinMs);
    const takenMs = performance.now() - stopped;
    expect(takenMs).toBeGreaterThan(endsInMs - 200);
    expect(takenMs).toBeLessThan(followedWithinMs);
    unlock();
    const owner = running.split(" ")[1] ?? "";
    await until("it is done", () => runs()[2]?.startsWith("done "));
    expect(runs()[2]).not.toContain(owner);

    // A fixed wait: the other worker has to continue for the whole length of the stop.
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, stoppedMs - (performance.now() - stopped))));
    first.signal("SIGCONT");
    const metrics = async () => await (await fetch(`${places[0].adminUrl}/metrics`)).text();
    const givenUp = new RegExp(`rollcall_tasks_total\\{kind="${job}",outcome="lost"\\} 1\\b`);
    await until("its late write was refused and counted", async () => givenUp.test(await metrics()));
    expect(runs().map((line) => line.split(" ")[0])).toEqual(["done", "lost", "done"]);
    report({
      group: "processes",
      fault: "worker frozen 30 s in the middle of a job; another one takes it over",
      backing: "MariaDB, NATS, two processes",
      acknowledged: 1,
      of: "job run",
      lost: 0,
      doubled: 0,
      backMs: Math.round(takenMs),
      backWithinMs: followedWithinMs,
    });
    print(
      `worker frozen in a job: another ran it ${Math.max(0, Math.round(takenMs - endsInMs))} ms after the lease ended (${Math.round(takenMs / 1000)} s after the stop); the late write of the frozen one was refused and counted`,
    );
  });
});
