import { afterEach, describe, expect, it } from "vitest";
import { createProxy } from "@rollcall/testkit/server/proxy.ts";
import { call, sendTo } from "@rollcall/testkit/api.ts";
import { type Instance, secrets } from "@rollcall/testkit/program.ts";
import {
  hasMariadb,
  hasMariadbServer,
  hasNatsServer,
  ownDatabase,
  ownMariadb,
  ownNats,
  type OwnNats,
} from "@rollcall/testkit/servers.ts";
import { createScope, type Scope } from "@rollcall/testkit/settings.ts";
import { until } from "@rollcall/testkit/until.ts";

let scope: Scope = createScope();
afterEach(async () => {
  await scope.end();
  scope = createScope();
});

const available = { nats: hasNatsServer(), mariadbServer: hasMariadbServer(), mariadb: await hasMariadb() };

interface Ready {
  readonly status: number;
  readonly parts: Readonly<Record<string, { state: string; reason: string | null }>>;
}

async function readyOf(instance: Instance): Promise<Ready> {
  const { status, body } = await call(instance.adminUrl, "/readyz");
  return { status, parts: Object.fromEntries(body.parts.map((part: { part: string }) => [part.part, part])) };
}

const partIs = async (instance: Instance, part: string, state: string) =>
  await until(`${part} is ${state}`, async () => (await readyOf(instance)).parts[part]?.state === state, 30_000);

const citizen = (n: number) => ({
  identifier: `char1:${String(n).padStart(6, "0")}`,
  firstName: "Mara",
  lastName: `Lind${n}`,
  jobs: [{ name: "police", grade: 0 }],
});

interface Streams {
  readonly messages: number;
}

const stored = async (nats: OwnNats) => (await nats.monitor<Streams>("/jsz")).messages;

async function userCount(instance: Instance): Promise<number> {
  const { status, body, text } = await call(instance.url, "/api/sync/v1/status", { token: secrets.sync });
  expect(status, text).toBe(200);
  return body.kinds.find(({ kind }: { kind: string }) => kind === "users").count as number;
}

describe("ignoreRequirements: true", () => {
  it.skipIf(!available.nats)(
    "starts without NATS, joins it once it is available, and survives its loss, without a restart",
    async () => {
      const nats = await ownNats();
      scope.defer(async () => await nats.remove());
      const instance = await scope.instance({
        ignoreRequirements: true,
        "nats.url": `nats://127.0.0.1:${nats.port}`,
      });
      const program = await scope.serve(instance);
      await program.seen(/ignoreRequirements: starting without the broker/);
      const ready = await readyOf(instance);
      expect(ready.status).toBe(200);
      expect(ready.parts["broker"]).toMatchObject({
        state: "degraded",
        reason: expect.stringContaining("nats.url"),
      });
      expect((await sendTo(instance.url, "users", [citizen(1)])).body).toMatchObject({ accepted: 1 });

      await nats.start();
      await partIs(instance, "broker", "ok");
      await until("the event of before was published", async () => (await stored(nats)) > 0);

      await nats.kill();
      await partIs(instance, "broker", "degraded");
      expect((await sendTo(instance.url, "users", [citizen(2)])).body).toMatchObject({ accepted: 1 });
      await nats.start();
      await partIs(instance, "broker", "ok");
      const before = await stored(nats);
      expect((await sendTo(instance.url, "users", [citizen(3)])).status).toBe(200);
      await until("events are published again", async () => (await stored(nats)) > before);
      expect(program.child.exitCode).toBeNull();
    },
  );

  it.skipIf(!available.mariadbServer)(
    "starts without MariaDB, migrates when it comes, and outlives its loss, in one process",
    async () => {
      const mariadb = await ownMariadb();
      scope.defer(async () => await mariadb.remove());
      const instance = await scope.instance({ ignoreRequirements: true, "database.dsn": mariadb.dsn });
      const program = await scope.serve(instance);
      await program.seen(/ignoreRequirements: starting without the database/);
      const ready = await readyOf(instance);
      expect(ready.status).toBe(503);
      expect(ready.parts["database"]).toMatchObject({
        state: "down",
        reason: expect.stringContaining("database.dsn"),
      });
      expect((await call(instance.adminUrl, "/livez")).status).toBe(200);
      expect((await call(instance.url, "/api/system/client")).status).toBe(200);
      const refused = await sendTo(instance.url, "users", [citizen(1)]);
      expect([refused.status, refused.body.code]).toEqual([503, "system.unavailable"]);

      await mariadb.start();
      await until("it is ready", async () => (await readyOf(instance)).status === 200, 30_000);
      // Ready also means that the tables exist.
      expect((await sendTo(instance.url, "users", [citizen(1)])).body).toMatchObject({ accepted: 1 });

      await mariadb.kill();
      await until("it is not ready", async () => (await readyOf(instance)).status === 503);
      expect((await sendTo(instance.url, "users", [citizen(2)])).status).toBe(503);
      await mariadb.start();
      await partIs(instance, "database", "ok");
      expect((await sendTo(instance.url, "users", [citizen(2)])).body).toMatchObject({ accepted: 1 });
      expect(await userCount(instance)).toBe(2);
      expect(program.child.exitCode).toBeNull();
    },
  );
});

describe("a connection that is lost during work", () => {
  it.skipIf(!available.mariadb)("to MariaDB loses nothing that was acknowledged", async () => {
    const database = await ownDatabase();
    scope.defer(async () => await database.drop());
    const proxy = await createProxy({ host: database.server.host, port: database.server.port });
    scope.defer(async () => await proxy.close());
    const instance = await scope.instance({ "database.dsn": database.dsn({ port: proxy.port }) });
    const program = await scope.serve(instance);
    const acknowledged: number[] = [];
    for (let n = 1; n <= 12; n++) {
      // Every third one loses its connection during its insert.
      if (n % 3 === 0) proxy.cutWhen((sent) => sent.includes("insert into `citizens`"));
      const answer = await sendTo(instance.url, "users", [citizen(n)]);
      if (answer.status === 200) acknowledged.push(n);
      else expect(answer.status, answer.text).toBe(503);
    }
    proxy.cut();
    await partIs(instance, "database", "ok");
    expect((await sendTo(instance.url, "users", [citizen(100)])).status).toBe(200);
    const rows = await database.rows(`select identifier from ${database.name}.citizens`);
    const there = new Set(rows.map((row) => String(row["identifier"])));
    expect(acknowledged.length).toBeGreaterThan(4);
    expect(acknowledged.filter((n) => !there.has(citizen(n).identifier))).toEqual([]);
    expect(program.child.exitCode).toBeNull();
  });

  it.skipIf(!available.mariadb)("to MariaDB for longer is reported by /readyz and recovers by itself", async () => {
    const database = await ownDatabase();
    scope.defer(async () => await database.drop());
    const proxy = await createProxy({ host: database.server.host, port: database.server.port });
    scope.defer(async () => await proxy.close());
    const instance = await scope.instance({ "database.dsn": database.dsn({ port: proxy.port }) });
    await scope.serve(instance);
    proxy.refuse();
    proxy.cut();
    await until("it is not ready", async () => (await readyOf(instance)).status === 503);
    expect((await sendTo(instance.url, "users", [citizen(1)])).status).toBe(503);
    proxy.accept();
    await until("it is ready", async () => (await readyOf(instance)).status === 200);
    expect((await sendTo(instance.url, "users", [citizen(1)])).body).toMatchObject({ accepted: 1 });
  });

  it.skipIf(!available.nats)("to NATS delays events and loses none", async () => {
    const nats = await ownNats();
    scope.defer(async () => await nats.remove());
    await nats.start();
    const proxy = await createProxy({ host: "127.0.0.1", port: nats.port });
    scope.defer(async () => await proxy.close());
    const instance = await scope.instance({ "nats.url": `nats://127.0.0.1:${proxy.port}` });
    await scope.serve(instance);
    const before = await stored(nats);
    proxy.refuse();
    proxy.cut();
    await partIs(instance, "broker", "degraded");
    for (let n = 1; n <= 3; n++) expect((await sendTo(instance.url, "users", [citizen(n)])).status).toBe(200);
    expect(await stored(nats)).toBe(before);
    proxy.accept();
    await partIs(instance, "broker", "ok");
    await until("the three events are published", async () => (await stored(nats)) >= before + 3);
  });
});
