import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createSyncClient, type SyncClient } from "@rollcall/sync-sdk";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { call, person, type Person, userToken } from "@rollcall/testkit/api.ts";
import { hasMariadb, hasNats, makeDatabase, makeNats } from "@rollcall/testkit/backing.ts";
import { connectLive } from "@rollcall/testkit/live.ts";
import { type Instance, makeInstance, type Program, run, secrets, serve, usualConfig } from "@rollcall/testkit/program.ts";

const patience = { timeout: 20_000, interval: 20 };
const citizen = { identifier: "char1:resync", firstName: "Old", lastName: "Name", jobs: [{ name: "police", grade: 0 }] };

interface City {
  /** Where people are, and where the plugin is connected: the same program, or two of one installation. */
  readonly people: Instance;
  readonly plugin: Instance;
  readonly programs: Program[];
  end(): Promise<void>;
}

async function embedded(): Promise<City> {
  const instance = await makeInstance();
  const programs = [await serve(instance)];
  const end = async () => {
    for (const program of programs) await program.stop();
    instance.remove();
  };
  return { people: instance, plugin: instance, programs, end };
}

async function scaled(): Promise<City> {
  const database = makeDatabase();
  const nats = await makeNats();
  const options = { dsn: database.dsn, nats: nats.url };
  const people = await makeInstance(options);
  const plugin = await makeInstance({ config: (ports) => usualConfig(ports, options) });
  const programs = [await serve(people), await serve(plugin)];
  const end = async () => {
    for (const program of programs) await program.stop();
    await nats.remove();
    database.drop();
    people.remove();
    plugin.remove();
  };
  return { people, plugin, programs, end };
}

const backings = [
  { name: "one program, embedded", start: embedded, available: true },
  { name: "two programs, MariaDB and NATS", start: scaled, available: hasMariadb && hasNats },
];

describe.each(backings)("requests to the game server: $name", ({ start, available }) => {
  if (!available) {
    test.skip("without the services", () => undefined);
    return;
  }
  const queueDir = mkdtempSync(path.join(tmpdir(), "rollcall-requests-"));
  let city: City;
  let officer: Person;
  let id: number;
  let client: SyncClient;

  beforeAll(async () => {
    city = await start();
    client = createSyncClient({ url: city.plugin.url, token: secrets.sync, source: "city-1", queueDir });
    await client.jobs([{ name: "police", label: "Police", grades: [{ grade: 0, label: "Cadet" }] }]);
    await client.users([citizen]);
    officer = await person(city.people, { username: "officer" });
    for (const right of ["citizens.list", "citizens.resync"])
      await run(["role", "allow", right, "--job", "police", "--grade", "0"], city.people);
    const list = async () =>
      await call(city.people.url, "/api/citizens?q=Old", { token: await userToken(city.people.url, officer) });
    await vi.waitFor(async () => expect((await list()).body.items).toHaveLength(1), patience);
    id = (await list()).body.items[0].id as number;
  }, 120_000);

  afterAll(async () => {
    await client?.close();
    await city?.end();
    rmSync(queueDir, { recursive: true, force: true });
  });

  const ask = async (method?: "POST") => {
    const token = await userToken(city.people.url, officer);
    return await call(city.people.url, `/api/citizens/${id}/resync`, { token, ...(method && { method }) });
  };

  test("without a plugin the request is refused, and with one it is run and reported within seconds", async () => {
    expect((await ask("POST")).body.code).toBe("citizens.noGameServer");
    const seen: string[] = [];
    client.requests.on("citizens.resync", async ({ identifier }) => {
      seen.push(identifier);
      await client.users([{ ...citizen, firstName: "New" }]);
    });
    await client.requests.start();
    await expect.poll(async () => (await ask()).body.connected, patience).toBe(true);
    const live = await connectLive(city.people.url, await userToken(city.people.url, officer));
    live.send({ type: "subscribe", topic: `resyncs/${id}` });
    await live.seen("subscribed");
    const began = performance.now();
    expect((await ask("POST")).body).toMatchObject({ connected: true, request: { state: "open" } });
    await expect.poll(async () => (await ask()).body.request.state, patience).toBe("done");
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(seen).toEqual([citizen.identifier]);
    await live.seen("event", ({ topic }) => topic === `resyncs/${id}`);
    live.close();
    const token = await userToken(city.people.url, officer);
    expect((await call(city.people.url, "/api/citizens?q=New", { token })).body.items).toHaveLength(1);
  });

  test("a poll that waits does not keep the program from stopping; the plugin goes on when it is back", async () => {
    const last = city.programs.length - 1;
    const asked = performance.now();
    expect(await city.programs[last]!.stop()).toBe(0);
    expect(performance.now() - asked).toBeLessThan(9_000);
    city.programs[last] = await serve(city.plugin);
    const since = Date.now();
    const askAgain = async () => {
      const { body } = await ask("POST");
      return body.request?.sentAt >= since - 60_000;
    };
    await expect.poll(askAgain, patience).toBe(true);
    await expect.poll(async () => (await ask()).body.request.state, { timeout: 60_000, interval: 50 }).toBe("done");
  }, 120_000);

  test("a repeated delivery gets the stored answer", async () => {
    const send = async (firstName: string) =>
      await call(city.plugin.url, "/api/sync/v1/users", {
        body: { items: [{ ...citizen, firstName }] },
        token: secrets.sync,
        headers: { "Idempotency-Key": "delivery 1" },
      });
    const [first, again, other] = [await send("Repeated"), await send("Repeated"), await send("Changed")];
    expect([first.body, first.headers.get("idempotency-replayed")]).toEqual([{ accepted: 1, unchanged: 0, rejected: [] }, null]);
    expect([again.body, again.headers.get("idempotency-replayed")]).toEqual([first.body, "true"]);
    expect([other.status, other.body.code]).toEqual([422, "system.idempotencyKeyReused"]);
  });
});
