import { afterEach, describe, expect, test } from "vitest";
import { call, person, sendTo, signIn, userToken } from "@rollcall/testkit/api.ts";
import { Follower } from "@rollcall/testkit/follower.ts";
import { userOf, usersOf } from "@rollcall/testkit/population.ts";
import { run, runProgram, secrets, serve } from "@rollcall/testkit/program.ts";
import { report } from "@rollcall/testkit/report.ts";
import { until } from "@rollcall/testkit/until.ts";
import { available, backup, countsOf, type Engine, engines, fill, type Installation, install } from "./backup.scenario.ts";

const users = 3000;
const backWithinMs = 60_000;

describe.skipIf(!available)("rollcall restore", () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  async function installed(engine: Engine): Promise<Installation> {
    const made = await install(engine);
    ends.push(async () => await made.remove());
    return made;
  }

  test.each(engines)(
    "on %s keeps off a database in use and one with rows, and puts the old state back for live pages",
    async (engine) => {
      const { instance, query } = await installed(engine);
      const program = await serve(instance);
      ends.push(async () => await program.stop());
      await fill({ instance, query, remove: async () => undefined }, 400);
      const mara = await person(instance, { username: "mara" });
      let who = mara;
      const allowed = ["role", "allow", "citizens.list", "--attributes", "fields=job,phone", "--job", "police", "--grade", "0"];
      expect((await run(allowed, instance)).code).toBe(0);
      const token = async () => await userToken(instance.url, who);
      await until(
        "the role applies",
        async () => (await call(instance.url, "/api/citizens", { token: await token() })).status === 200,
      );
      await until(
        "everything is published",
        () => query("select count(*) as n from outbox_events where sent_at is null")[0] === "0",
      );
      const { file } = await backup({ instance, query, remove: async () => undefined });
      const was = countsOf(query);

      // A change after the backup, which the restore reverts.
      const read = async () =>
        (await call(instance.url, "/api/citizens?limit=100", { token: await token() })).body.items as never[];
      const follower = new Follower({ url: instance.url, token, read });
      ends.push(async () => await follower.stop());
      await until("the page follows", () => follower.modes.live > 0);
      expect((await sendTo(instance.url, "users", [userOf(3, 1), ...usersOf(400, 450)], secrets.sync)).status).toBe(200);
      await until("the page shows the change", () => follower.knows(userOf(401).lastName));

      const inUse = await run(["restore", file, "--replace"], instance);
      expect([inUse.code, inUse.stderr]).toEqual([
        1,
        expect.stringMatching(/already serves|other connection\(s\) use the database/),
      ]);
      await program.stop();
      const filled = await run(["restore", file], instance);
      expect([filled.code, filled.stderr]).toEqual([1, expect.stringMatching(/is not empty .*--replace/)]);
      expect(countsOf(query)["citizens"]).toBe(was["citizens"]! + 50);
      const done = await run(["restore", file, "--replace"], instance);
      expect(done.code, done.stderr).toBe(0);
      expect(countsOf(query)).toEqual(was);

      const again = await serve(instance);
      ends.push(async () => await again.stop());
      expect((await call(instance.url, "/api/auth/characters", { cookie: mara.cookie })).status).toBe(401);
      const snapshots = follower.modes.snapshot;
      who = await signIn(instance.url, mara.username, mara.password);
      await until("the page reads again", () => follower.modes.snapshot > snapshots);
      expect(follower.gaps).toEqual([]);
      // The new stream delivers new events to a newly opened page.
      const opened = new Follower({ url: instance.url, token, read });
      ends.push(async () => await opened.stop());
      await until("the new page follows", () => opened.modes.live > 0);
      expect((await sendTo(instance.url, "users", usersOf(900, 901), secrets.sync)).status).toBe(200);
      await until("it shows what is new", () => opened.knows(userOf(900).lastName));
      const runs = query("select outcome from job_runs where outcome in ('running', 'requested', 'lost')");
      expect(runs.filter((line) => line.startsWith("lost"))).toEqual([]);
    },
  );

  test.each(engines)("killed during its work on %s, leaves the old state or completes when it is run again", async (engine) => {
    const source = await installed("sqlite");
    const program = await serve(source.instance);
    await fill(source, users);
    const { file } = await backup(source);
    await program.stop();

    const target = await installed(engine);
    const other = await serve(target.instance);
    await fill(target, 20);
    await other.stop();
    const child = runProgram(["restore", file, "--replace"], { cwd: target.instance.folder });
    await child.seen(/The archive is whole/);
    // The tables are being filled: on MariaDB the marker exists, on SQLite the draft file.
    if (engine === "mariadb")
      await until(
        "rows are loaded",
        () => {
          try {
            const begun = target.query("select phase from schema_restore");
            return begun[0] === "loading" && Number(target.query("select count(*) as n from citizens_jobs")[0]) > 1000;
          } catch {
            // Between two of its steps the table does not exist.
            return false;
          }
        },
        60_000,
      );
    child.signal("SIGKILL");
    await child.exited;
    const begun = runProgram(["serve"], { cwd: target.instance.folder });
    if (engine === "mariadb") {
      expect(await begun.exited).toBe(1);
      expect(begun.stderr()).toContain("run `rollcall restore` again");
    } else {
      await begun.seen(/Rollcall [\d.]+ serves/);
      expect(countsOf(target.query)["citizens"]).toBe(20);
      await begun.stop();
    }
    const started = performance.now();
    const done = await run(["restore", file, "--replace"], target.instance);
    const backMs = Math.round(performance.now() - started);
    expect(done.code, done.stderr).toBe(0);
    const there = countsOf(target.query)["citizens"] ?? 0;
    report({
      group: "processes",
      fault: "rollcall restore killed in the middle and called again",
      backing: engine === "mariadb" ? "MariaDB" : "SQLite",
      acknowledged: users,
      of: "users",
      lost: Math.max(0, users - there),
      doubled: Math.max(0, there - users),
      backMs,
      backWithinMs,
    });
    expect(there).toBe(users);
    expect(backMs).toBeLessThan(backWithinMs);
    const served = await serve(target.instance);
    ends.push(async () => await served.stop());
    const leftovers =
      engine === "mariadb"
        ? target.query(
            "select table_name as name from information_schema.tables where table_schema = database() and (table_name like 'restore%' or table_name = 'schema_restore')",
          )
        : [];
    expect(leftovers).toEqual([]);
  });
});
