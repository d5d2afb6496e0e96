import { afterEach, describe, expect, it } from "vitest";
import { createProxy } from "../../../server/src/testkit/proxy.ts";
import { call, sendTo } from "../kit/api.ts";
import { type Place, secrets } from "../kit/program.ts";
import { hasMariadb, hasMariadbServer, hasNatsServer, ownDatabase, ownMariadb, ownNats, type OwnNats } from "../kit/servers.ts";
import { createScope, type Scope } from "../kit/settings.ts";
import { until } from "../kit/until.ts";

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

async function readyOf(place: Place): Promise<Ready> {
  const { status, body } = await call(place.adminUrl, "/readyz");
  return { status, parts: Object.fromEntries(body.parts.map((part: { part: string }) => [part.part, part])) };
}

const partIs = async (place: Place, part: string, state: string) =>
  await until(`${part} is ${state}`, async () => (await readyOf(place)).parts[part]?.state === state, 30_000);

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

async function userCount(place: Place): Promise<number> {
  const { status, body, text } = await call(place.url, "/api/sync/v1/status", { token: secrets.sync });
  expect(status, text).toBe(200);
  return body.kinds.find(({ kind }: { kind: string }) => kind === "users").count as number;
}

describe("ignoreRequirements: true", () => {
  it.skipIf(!available.nats)("starts without NATS, joins it when it comes, and outlives its loss, in one process", async () => {
    const nats = await ownNats();
    scope.defer(async () => await nats.remove());
    const place = await scope.place({
      ignoreRequirements: true,
      "nats.url": `nats://127.0.0.1:${nats.port}`,
    });
    const program = await scope.serve(place);
    await program.seen(/ignoreRequirements: starting without the broker/);
    const ready = await readyOf(place);
    expect(ready.status).toBe(200);
    expect(ready.parts["broker"]).toMatchObject({
      state: "degraded",
      reason: expect.stringContaining("nats.url"),
    });
    expect((await sendTo(place.url, "users", [citizen(1)])).body).toMatchObject({ accepted: 1 });

    await nats.start();
    await partIs(place, "broker", "ok");
    await until("the event of before was published", async () => (await stored(nats)) > 0);

    await nats.kill();
    await partIs(place, "broker", "degraded");
    expect((await sendTo(place.url, "users", [citizen(2)])).body).toMatchObject({ accepted: 1 });
    await nats.start();
    await partIs(place, "broker", "ok");
    const before = await stored(nats);
    expect((await sendTo(place.url, "users", [citizen(3)])).status).toBe(200);
    await until("events are published again", async () => (await stored(nats)) > before);
    expect(program.child.exitCode).toBeNull();
  });

  it.skipIf(!available.mariadbServer)(
    "starts without MariaDB, migrates when it comes, and outlives its loss, in one process",
    async () => {
      const mariadb = await ownMariadb();
      scope.defer(async () => await mariadb.remove());
      const place = await scope.place({ ignoreRequirements: true, "database.dsn": mariadb.dsn });
      const program = await scope.serve(place);
      await program.seen(/ignoreRequirements: starting without the database/);
      const ready = await readyOf(place);
      expect(ready.status).toBe(503);
      expect(ready.parts["database"]).toMatchObject({
        state: "down",
        reason: expect.stringContaining("database.dsn"),
      });
      expect((await call(place.adminUrl, "/livez")).status).toBe(200);
      expect((await call(place.url, "/api/system/client")).status).toBe(200);
      const refused = await sendTo(place.url, "users", [citizen(1)]);
      expect([refused.status, refused.body.code]).toEqual([503, "system.unavailable"]);

      await mariadb.start();
      await until("it is ready", async () => (await readyOf(place)).status === 200, 30_000);
      // Ready means that the tables are there, too.
      expect((await sendTo(place.url, "users", [citizen(1)])).body).toMatchObject({ accepted: 1 });

      await mariadb.kill();
      await until("it is not ready", async () => (await readyOf(place)).status === 503);
      expect((await sendTo(place.url, "users", [citizen(2)])).status).toBe(503);
      await mariadb.start();
      await partIs(place, "database", "ok");
      expect((await sendTo(place.url, "users", [citizen(2)])).body).toMatchObject({ accepted: 1 });
      expect(await userCount(place)).toBe(2);
      expect(program.child.exitCode).toBeNull();
    },
  );
});

describe("a connection that is lost in mid-work", () => {
  it.skipIf(!available.mariadb)("to MariaDB loses nothing that was acknowledged", async () => {
    const database = await ownDatabase();
    scope.defer(async () => await database.drop());
    const proxy = await createProxy({ host: database.server.host, port: database.server.port });
    scope.defer(async () => await proxy.close());
    const place = await scope.place({ "database.dsn": database.dsn({ port: proxy.port }) });
    const program = await scope.serve(place);
    const acknowledged: number[] = [];
    for (let n = 1; n <= 12; n++) {
      // Every third one loses its connection while its insert is under way.
      if (n % 3 === 0) proxy.cutWhen((sent) => sent.includes("insert into `citizens`"));
      const answer = await sendTo(place.url, "users", [citizen(n)]);
      if (answer.status === 200) acknowledged.push(n);
      else expect(answer.status, answer.text).toBe(503);
    }
    proxy.cut();
    await partIs(place, "database", "ok");
    expect((await sendTo(place.url, "users", [citizen(100)])).status).toBe(200);
    const rows = await database.rows(`select identifier from ${database.name}.citizens`);
    const there = new Set(rows.map((row) => String(row["identifier"])));
    expect(acknowledged.length).toBeGreaterThan(4);
    expect(acknowledged.filter((n) => !there.has(citizen(n).identifier))).toEqual([]);
    expect(program.child.exitCode).toBeNull();
  });

  it.skipIf(!available.mariadb)("to MariaDB for longer is told by /readyz and ends by itself", async () => {
    const database = await ownDatabase();
    scope.defer(async () => await database.drop());
    const proxy = await createProxy({ host: database.server.host, port: database.server.port });
    scope.defer(async () => await proxy.close());
    const place = await scope.place({ "database.dsn": database.dsn({ port: proxy.port }) });
    await scope.serve(place);
    proxy.refuse();
    proxy.cut();
    await until("it is not ready", async () => (await readyOf(place)).status === 503);
    expect((await sendTo(place.url, "users", [citizen(1)])).status).toBe(503);
    proxy.accept();
    await until("it is ready", async () => (await readyOf(place)).status === 200);
    expect((await sendTo(place.url, "users", [citizen(1)])).body).toMatchObject({ accepted: 1 });
  });

  it.skipIf(!available.nats)("to NATS delays events and loses none", async () => {
    const nats = await ownNats();
    scope.defer(async () => await nats.remove());
    await nats.start();
    const proxy = await createProxy({ host: "127.0.0.1", port: nats.port });
    scope.defer(async () => await proxy.close());
    const place = await scope.place({ "nats.url": `nats://127.0.0.1:${proxy.port}` });
    await scope.serve(place);
    const before = await stored(nats);
    proxy.refuse();
    proxy.cut();
    await partIs(place, "broker", "degraded");
    for (let n = 1; n <= 3; n++) expect((await sendTo(place.url, "users", [citizen(n)])).status).toBe(200);
    expect(await stored(nats)).toBe(before);
    proxy.accept();
    await partIs(place, "broker", "ok");
    await until("the three events are published", async () => (await stored(nats)) >= before + 3);
  });
});
