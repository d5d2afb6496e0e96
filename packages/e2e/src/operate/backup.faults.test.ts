import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { call, person, sendTo, signIn } from "@rollcall/testkit/api.ts";
import { userOf, usersOf } from "@rollcall/testkit/population.ts";
import { run, secrets, serve } from "@rollcall/testkit/program.ts";
import { report } from "@rollcall/testkit/report.ts";
import { until } from "@rollcall/testkit/until.ts";
import { available, backup, countsOf, type Engine, engines, fill, type Installation, install, print } from "./backup.scenario.ts";

const before = 3000;
const batch = 40;

interface Manifest {
  readonly tables: Record<string, { readonly rows: number; readonly sum: string }>;
}

const usersIn = ({ query }: Installation, distinct = "") =>
  Number(query(`select count(${distinct}identifier) as n from citizens where identifier like 'char1:crowd%'`)[0]);

const inside = (file: string, name: string) => execFileSync("tar", ["-xzOf", file, name], { maxBuffer: 1e9 }).toString();
const manifestOf = (file: string) => JSON.parse(inside(file, "manifest.json")) as Manifest;

describe.skipIf(!available)("a backup that is made during writes", () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0).toReversed()) await end();
  });

  async function installed(engine: Engine): Promise<Installation> {
    const made = await install(engine);
    ends.push(async () => await made.remove());
    return made;
  }

  const ways = engines.flatMap((from) => engines.map((to) => ({ from, to })));
  test.each(ways)("of $from restores into an empty $to with the same counts and checksums", async ({ from, to }) => {
    const source = await installed(from);
    const program = await serve(source.instance);
    ends.push(async () => await program.stop());
    await fill(source, before);
    const mara = await person(source.instance, { username: "mara" });

    let acknowledged = before;
    let writing = true;
    const writes = (async () => {
      while (writing) {
        const answer = await sendTo(source.instance.url, "users", usersOf(acknowledged, acknowledged + batch), secrets.sync);
        expect(answer.status).toBe(200);
        acknowledged += batch;
      }
    })();
    await until("writes go on", () => acknowledged > before);
    const atBegin = acknowledged;
    const started = performance.now();
    const { file, stderr } = await backup(source, "--check-restore");
    const seconds = (performance.now() - started) / 1000;
    const atEnd = acknowledged + batch;
    writing = false;
    await writes;
    expect(atEnd, "writes must go on meanwhile").toBeGreaterThan(atBegin + batch);
    expect(stderr).toContain("read back");
    expect(stderr).toContain("temporary database");

    const target = await installed(to);
    const restored = await run(["restore", file], target.instance);
    expect(restored.code, restored.stderr).toBe(0);

    // The archive of the restored instance is the same, except for what the restore changes.
    const again = path.join(target.instance.folder, "again.tar.gz");
    expect((await run(["backup", again], target.instance)).code).toBe(0);
    const [was, is] = [manifestOf(file).tables, manifestOf(again).tables];
    const settled = new Set([
      "outbox_events",
      "leases",
      "job_runs",
      "auth_sessions",
      "audit_entries",
      "audit_postings",
      "audit_words",
      "audit_suffixes",
      // The stream to the game server gets a new epoch, because its positions begin again.
      "gamerequests_stream",
    ]);
    const same = Object.keys(was).filter((name) => !settled.has(name));
    expect(same.length).toBeGreaterThan(20);
    expect(Object.fromEntries(same.map((name) => [name, is[name]]))).toEqual(
      Object.fromEntries(same.map((name) => [name, was[name]])),
    );
    const counts = countsOf(target.query);
    for (const [table, count] of Object.entries(counts)) expect([table, count]).toEqual([table, was[table]?.rows]);

    // A consistent snapshot: all that was acknowledged before, nothing later, and each citizen with its related rows.
    expect(counts["citizens"]).toBeGreaterThanOrEqual(atBegin);
    expect(counts["citizens"]).toBeLessThanOrEqual(atEnd + 1);
    expect(Number(target.query("select count(*) as n from search_documents where kind = 'citizens'")[0])).toBe(
      counts["citizens"],
    );
    const orphans = "select count(*) as n from citizens_jobs where citizen_id not in (select id from citizens)";
    expect(target.query(orphans)).toEqual(["0"]);

    const served = await serve(target.instance);
    ends.push(async () => await served.stop());
    expect((await call(target.instance.url, "/api/auth/characters", { cookie: mara.cookie })).status).toBe(401);
    const fresh = await signIn(target.instance.url, mara.username, mara.password);
    const name = userOf(17).lastName;
    const found = await call(target.instance.url, `/api/search?q=${encodeURIComponent(name)}`, { token: fresh.token });
    expect(found.status).toBe(200);
    await until(
      "what waited is published",
      () => target.query("select count(*) as n from outbox_events where sent_at is null")[0] === "0",
    );
    report({
      group: "processes",
      fault: `backup of ${from} while writes go on, restored into ${to}`,
      backing: "SQLite, MariaDB",
      acknowledged: atBegin,
      of: "users",
      lost: Math.max(0, atBegin - usersIn(target)),
      doubled: usersIn(target) - usersIn(target, "distinct "),
      backMs: null,
      backWithinMs: null,
    });
    print(
      `backup ${from} -> ${to}: ${counts["citizens"]} citizens, taken in ${seconds.toFixed(1)} s while ${atEnd - atBegin} were written`,
    );
  });

  test("that is truncated or changed in one byte is refused before anything is changed", async () => {
    const source = await installed("sqlite");
    const program = await serve(source.instance);
    await fill(source, 50);
    const { file } = await backup(source);
    await program.stop();
    const whole = readFileSync(file);
    const target = await installed("sqlite");
    const damaged = path.join(target.instance.folder, "damaged.tar.gz");
    writeFileSync(damaged, whole.subarray(0, Math.floor(whole.byteLength / 2)));
    const cut = await run(["restore", damaged], target.instance);
    expect([cut.code, cut.stderr]).toEqual([1, expect.stringMatching(/damaged|cut off/)]);
    // One value of one row, packed again: only the checksums show it.
    const folder = path.join(target.instance.folder, "unpacked");
    execFileSync("mkdir", [folder]);
    execFileSync("tar", ["-xzf", file, "-C", folder]);
    const part = path.join(folder, "tables/citizens/000001.ndjson");
    writeFileSync(part, readFileSync(part, "utf8").replace(userOf(3).lastName, "Xxxxxx"));
    const names = execFileSync("tar", ["-tzf", file]).toString().trim().split("\n");
    expect(spawnSync("tar", ["-czf", damaged, "--format=ustar", "-C", folder, ...names]).status).toBe(0);
    const changed = await run(["restore", damaged], target.instance);
    expect([changed.code, changed.stderr]).toEqual([1, expect.stringContaining("the archive is damaged: citizens has 50 rows")]);
    expect((await run(["restore", file], target.instance)).code).toBe(0);
  });
});
