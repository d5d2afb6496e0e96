import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { RowDataPacket } from "mysql2/promise";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, person, type Person, sendTo } from "@rollcall/testkit/api.ts";
import { usersOf } from "@rollcall/testkit/population.ts";
import type { Instance } from "@rollcall/testkit/program.ts";
import { hasMariadb, hasNatsServer, type OwnDatabase, ownDatabase, type OwnNats, ownNats } from "@rollcall/testkit/servers.ts";
import { createScope, type Scope } from "@rollcall/testkit/settings.ts";
import { until } from "@rollcall/testkit/until.ts";
import { Uploader } from "@rollcall/testkit/uploader.ts";
import { filesBelow, startObjectStore, storedIn, type TestObjectStore } from "@rollcall/testkit/uploads.ts";
import { print } from "./ingest.scenario.ts";

/** Set `ROLLCALL_NEIGHBOUR_MINUTES=30` before a release. */
const minutes = Number(process.env["ROLLCALL_NEIGHBOUR_MINUTES"] ?? 1);

/** What an installation writes by itself while nobody uses it. */
const ownWork = ["job_runs", "leases", "updates_checks", "scheduler_runs", "schema_steps", "worker_tasks"];

interface Installation {
  readonly instance: Instance;
  readonly database: OwnDatabase;
  readonly prefix: string;
  readonly admin: Person;
  readonly id: string;
}

interface StreamFacts {
  readonly config: { readonly name: string };
  readonly state: { readonly messages: number; readonly last_seq: number };
}

const available = (await hasMariadb()) && hasNatsServer();

describe.skipIf(!available)("two installations on one NATS server, one MariaDB server and one bucket", () => {
  let scope: Scope;
  let nats: OwnNats;
  let store: TestObjectStore;
  let bucket: string;
  let busy: Installation;
  let quiet: Installation;

  async function settings(database: OwnDatabase, prefix: string) {
    return storedIn(store, {
      "database.dsn": database.dsn(),
      "nats.url": `nats://127.0.0.1:${nats.port}`,
      "storage.objectstore.prefix": prefix,
      "http.trustedProxies": ["127.0.0.1"],
    });
  }

  async function install(prefix: string): Promise<Installation> {
    const database = await ownDatabase();
    scope.defer(async () => await database.drop());
    const instance = await scope.instance(await settings(database, prefix));
    await scope.serve(instance);
    const admin = await person(instance, { username: `admin-${prefix}`, groups: "admin" });
    const id = String((await database.rows(`select id from ${database.name}.installation`))[0]?.["id"]);
    return { instance, database, prefix, admin, id };
  }

  async function filled(made: Installation): Promise<void> {
    const { status } = await sendTo(made.instance.url, "users", usersOf(0, 500));
    expect(status).toBe(200);
    const uploader = await Uploader.start(made.instance.url, made.admin);
    await until("files are stored", () => uploader.taken.length >= 3);
    await uploader.stop();
    await until("everything is published", async () => {
      const [row] = await made.database.rows(
        `select count(*) as n from ${made.database.name}.outbox_events where sent_at is null`,
      );
      return Number(row?.["n"]) === 0;
    });
  }

  /** Every table with a checksum over its rows, without what it writes by itself. */
  async function rowsOf({ database }: Installation): Promise<Record<string, string>> {
    const tables = await database.rows("select table_name as name from information_schema.tables where table_schema = ?", [
      database.name,
    ]);
    const names = tables.map((row: RowDataPacket) => String(row["name"])).filter((name) => !ownWork.includes(name));
    const found: Record<string, string> = {};
    for (const name of names) {
      const [sum] = await database.rows(`checksum table ${database.name}.${name}`);
      const [count] = await database.rows(`select count(*) as n from ${database.name}.${name}`);
      found[name] = `${count?.["n"]} rows, ${sum?.["Checksum"]}`;
    }
    return found;
  }

  async function eventsOf({ id }: Installation): Promise<Record<string, StreamFacts["state"]>> {
    type Page = { account_details?: { stream_detail?: StreamFacts[] }[] };
    const { account_details: accounts = [] } = await nats.monitor<Page>("/jsz?accounts=1&streams=1&config=1");
    const streams = accounts
      .flatMap(({ stream_detail: streams = [] }) => streams)
      .filter(({ config }) => config.name.includes(id));
    const events = streams.filter(({ config }) => /EVENTS/.test(config.name));
    return Object.fromEntries(events.map(({ config, state: { messages, last_seq } }) => [config.name, { messages, last_seq }]));
  }

  /** Objects in the bucket under its prefix. */
  const objectsOf = ({ prefix }: Installation) =>
    filesBelow(bucket).filter((file) => file.split(path.sep).includes(prefix) && !file.includes("probe"));

  async function stateOf(one: Installation) {
    return { rows: await rowsOf(one), events: await eventsOf(one), objects: objectsOf(one) };
  }

  beforeAll(async () => {
    scope = createScope();
    nats = await ownNats();
    await nats.start();
    scope.defer(async () => await nats.remove());
    bucket = mkdtempSync(path.join(tmpdir(), "rollcall-bucket-"));
    scope.defer(() => rmSync(bucket, { recursive: true, force: true }));
    store = await startObjectStore(0, { directory: bucket });
    scope.defer(async () => await store.close());
    busy = await install("a");
    quiet = await install("b");
    await filled(busy);
    await filled(quiet);
    // The last use of sessions is written in batches, every thirty seconds.
    await until(
      "the last use of its own session is written",
      async () => {
        const sessions = `${quiet.database.name}.auth_sessions`;
        const [row] = await quiet.database.rows(`select count(*) as n from ${sessions} where last_seen_at > created_at`);
        return Number(row?.["n"]) > 0;
      },
      60_000,
    );
  }, 180_000);
  afterAll(async () => await scope.end(), 60_000);

  /** Game data, uploads, failed and successful sign-ins, refusals, and the sweep of files. */
  async function use(until: number): Promise<{ calls: number }> {
    const { instance, admin } = busy;
    const uploader = await Uploader.start(instance.url, admin);
    let calls = 0;
    for (let turn = 0; performance.now() < until; turn += 1) {
      const flood = { "x-forwarded-for": `203.0.113.${turn % 250}` };
      const answers = await Promise.all([
        sendTo(instance.url, "users", usersOf(turn % 400, (turn % 400) + 50)),
        call(instance.url, "/api/settings", { cookie: admin.cookie }),
        call(instance.url, "/api/auth/login", { body: { username: `nobody${turn}`, password: "a guess" }, headers: flood }),
        call(instance.url, "/api/audit", { token: "forged", headers: flood }),
        call(instance.url, `/api/nothing/${turn}`, { headers: flood }),
        ...(turn % 50 === 0 ? [call(instance.url, "/api/scheduler/files.sweep/run", { body: {}, cookie: admin.cookie })] : []),
      ]);
      calls += answers.length;
    }
    await uploader.stop();
    return { calls };
  }

  async function restoredElsewhere(): Promise<void> {
    const archive = path.join(busy.instance.folder, "backup.tar.gz");
    const saved = await scope.run(["backup", archive], busy.instance);
    expect(saved.code, saved.stderr).toBe(0);
    const database = await ownDatabase();
    scope.defer(async () => await database.drop());
    const third = await scope.instance(await settings(database, "c"));
    const restored = await scope.run(["restore", archive], third);
    expect(restored.code, restored.stderr).toBe(0);
    const program = await scope.serve(third);
    const [row] = await database.rows(`select id from ${database.name}.installation`);
    expect([busy.id, quiet.id]).not.toContain(row?.["id"]);
    await sendTo(third.url, "users", usersOf(0, 100));
    await program.stop();
    rmSync(archive);
  }

  test(
    `${minutes} minutes of use, floods, sweeps, and a backup restored into a third leave the other as it was`,
    async () => {
      const before = await stateOf(quiet);
      expect(Object.keys(before.events).length).toBeGreaterThan(0);
      expect(before.objects.length).toBeGreaterThan(2);
      const ends = performance.now() + minutes * 60_000;
      // Half-way and beside the use: the backup has to cope with writes, and its time is not added.
      const halfWay = new Promise((resolve) => setTimeout(resolve, minutes * 30_000));
      const [{ calls }] = await Promise.all([use(ends), halfWay.then(async () => await restoredElsewhere())]);
      const after = await stateOf(quiet);
      expect(after).toEqual(before);
      expect((await call(quiet.instance.url, "/api/settings", { cookie: quiet.admin.cookie })).status).toBe(200);
      const count = Object.keys(before.rows).length;
      print(
        `${calls} calls to the neighbour in ${minutes} min: ${count} tables, ${JSON.stringify(before.events)} and ${before.objects.length} objects of the other are as they were`,
      );
    },
    minutes * 60_000 + 240_000,
  );
});
