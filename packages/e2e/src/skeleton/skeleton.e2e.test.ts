import { rmSync } from "node:fs";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createSyncClient } from "@rollcall/sync-sdk";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { stateFields, StateTable } from "@rollcall/server/contract/core";
import { presenceTopic } from "@rollcall/server/contract/realtime";
import { call, person, type Person, userToken } from "@rollcall/testkit/api.ts";
import { browsers } from "@rollcall/testkit/browsers.ts";
import { connectLive } from "@rollcall/testkit/live.ts";
import { signInPage } from "@rollcall/testkit/pages.ts";
import { makeInstance, type Instance, type Program, run, secrets, serve, usualConfig } from "@rollcall/testkit/program.ts";
import { hasMariadb, hasNats, makeDatabase, makeNats, type OwnDatabase, type OwnNats } from "@rollcall/testkit/backing.ts";

const everything = [
  "citizens.list --attributes fields=job,phone,licences",
  "citizens.view",
  "vehicles.list --attributes fields=owner",
];

/** SDK -> MariaDB -> outbox -> NATS -> two web processes -> WebSocket -> page. */
describe.skipIf(!hasMariadb || !hasNats)("the walking skeleton", () => {
  let database: OwnDatabase;
  let nats: OwnNats;
  let [a, b]: Instance[] = [];
  let first: Program;
  let second: Program;
  let officer: Person;
  const queue = mkdtempSync(path.join(tmpdir(), "rollcall-queue-"));

  beforeAll(async () => {
    database = makeDatabase();
    nats = await makeNats();
    const options = { dsn: database.dsn, nats: nats.url };
    a = await makeInstance(options);
    b = await makeInstance({
      config: (ports) =>
        usualConfig(ports, options).replace(/origins: .*/, `origins: ["http://localhost:${ports.port}", "${a?.url}"]`),
    });
    first = await serve(a);
    second = await serve(b);
    const client = createSyncClient({ url: b.url, token: secrets.sync, source: "skeleton" });
    await client.jobs([
      {
        name: "police",
        label: "Police",
        grades: [
          { grade: 0, label: "Cadet" },
          { grade: 1, label: "Officer" },
        ],
      },
    ]);
    await client.close();
    officer = await person(a, { username: "officer" });
    for (const grant of everything) await run(["role", "allow", ...grant.split(" "), "--job", "police", "--grade", "0"], a);
    for (const { url } of [a, b]) {
      const listed = async () => (await call(url, "/api/vehicles", { token: await userToken(a!.url, officer) })).status;
      await vi.waitFor(async () => expect(await listed()).toBe(200), { timeout: 10_000 });
    }
  }, 120_000);

  afterAll(async () => {
    await first?.stop();
    await second?.stop();
    await nats?.remove();
    database?.drop();
    a?.remove();
    b?.remove();
    rmSync(queue, { recursive: true, force: true });
  });

  const user = (n: number, more: object = {}) => ({
    identifier: `skeleton:${n}`,
    firstName: "Walking",
    lastName: `Skeleton${n}`,
    jobs: [{ name: "police", grade: 0 }],
    ...more,
  });

  test("changes sent to one process are received at the other, in order and without a gap", async () => {
    const token = await userToken(a!.url, officer);
    const live = await connectLive(a!.url, token);
    live.send({ type: "subscribe", topic: "citizens" });
    const { seq, epoch } = await live.seen("subscribed");
    const client = createSyncClient({ url: b!.url, token: secrets.sync, source: "skeleton" });
    for (const firstName of ["One", "Two", "Three"]) await client.users([user(1, { firstName })]);
    await live.seen("event", ({ data }) => JSON.stringify(data).includes("Three"));
    const events = live.messages.filter((message) => message.type === "event");
    expect(
      events.map(({ data }) =>
        (data as { items: { firstName: string; version: number }[] }).items.map((item) => [item.firstName, item.version]),
      ),
    ).toEqual([[["One", 1]], [["Two", 2]], [["Three", 3]]]);
    expect(events.map(({ prev }) => prev)).toEqual([seq, ...events.slice(0, -1).map((event) => event.seq)]);
    live.close();

    const other = await connectLive(b!.url, token);
    other.send({ type: "subscribe", topic: "citizens", after: { epoch, seq } });
    expect((await other.seen("subscribed")).mode).toBe("resumed");
    await other.seen("event", ({ data }) => JSON.stringify(data).includes("Three"));
    expect(other.messages.filter((message) => message.type === "event").map((event) => event.seq)).toEqual(
      events.map((event) => event.seq),
    );
    other.close();
    await client.close();
  });

  test("a notification created at one process is received at the other within a second, by its account only", async () => {
    const outsider = await person(a!, { username: "outsider" });
    const [mine, theirs] = [await userToken(a!.url, officer), await userToken(a!.url, outsider)];
    const accountId = (await call(a!.url, "/api/auth/characters", { cookie: officer.cookie })).body.account.id as number;
    const topic = `notifications/${accountId}`;
    const [live, foreign] = [await connectLive(a!.url, mine), await connectLive(a!.url, theirs)];
    foreign.send({ type: "subscribe", topic });
    expect((await foreign.seen("refused")).topic).toBe(topic);
    live.send({ type: "subscribe", topic });
    await live.seen("subscribed");
    const token = await userToken(b!.url, officer);
    const asked = performance.now();
    const answer = await call(b!.url, "/api/notifications/try", { method: "POST", token });
    expect(answer.status, answer.text).toBe(204);
    const received = await live.seen("event", ({ data }) => JSON.stringify(data).includes("notifications.trial"));
    expect(performance.now() - asked).toBeLessThan(5000);
    expect(received.data).toMatchObject({ items: [{ kind: "notifications.trial", readAt: null, channels: ["bell", "toast"] }] });
    live.close();
    foreign.close();
  });

  test("a colleague who comes and goes at one process is visible at the other, to members of the job only", async () => {
    const clerk = await person(a!, { username: "clerk" });
    const [live, colleague] = [
      await connectLive(a!.url, await userToken(a!.url, officer)),
      await connectLive(b!.url, await userToken(b!.url, clerk)),
    ];
    live.send({ type: "subscribe", topic: "presence/police" });
    live.send({ type: "subscribe", topic: "presence/ambulance" });
    const online = () => {
      const table = new StateTable(stateFields(presenceTopic.message));
      for (const frame of live.frames) table.apply(frame);
      return [...table.values.values()].map(({ value }) => value["name"]).toSorted();
    };
    expect((await live.seen("refused")).topic).toBe("presence/ambulance");
    await expect.poll(online).toEqual(["Per clerk", "Per officer"]);
    colleague.close();
    await expect.poll(online).toEqual(["Per officer"]);
    live.close();
  });

  describe.each(browsers.filter(({ available }) => available))("in Chromium $name", ({ launch, name }) => {
    test("an open list and profile follow the game without a reload", async () => {
      const browser = await launch();
      try {
        const page = await (await browser.newContext({ locale: "en-US" })).newPage();
        const client = createSyncClient({ url: b!.url, token: secrets.sync, source: "skeleton" });
        await client.users([user(2, { identifier: `page:${name}`, firstName: "Paige", lastName: `Turner${name}` })]);
        await signInPage(page, a!.url, officer.username, officer.password);
        await page.goto(`${a!.url}/citizens?q=Turner${name}`);
        await page.waitForSelector(`text=Paige Turner${name}`);
        await page.evaluate(() => void ((globalThis as { unreloaded?: boolean }).unreloaded = true));
        await client.users([user(2, { identifier: `page:${name}`, firstName: "Petra", lastName: `Turner${name}` })]);
        await page.waitForSelector(`text=Petra Turner${name}`);
        expect(await page.evaluate(() => (globalThis as { unreloaded?: boolean }).unreloaded)).toBe(true);
        await client.close();
      } finally {
        await browser.close();
      }
    });
  });

  test("survives SIGKILL of a web process, of the broker and of the worker during writes: nothing acknowledged is lost or duplicated", async () => {
    const token = await userToken(a!.url, officer);
    const live = await connectLive(a!.url, token);
    live.send({ type: "subscribe", topic: "citizens" });
    await live.seen("subscribed");
    const client = createSyncClient({
      url: b!.url,
      token: secrets.sync,
      source: "skeleton",
      queueDir: queue,
    });
    const batches = Array.from({ length: 30 }, (_batch, i) =>
      Array.from({ length: 100 }, (_item, j) => user(10_000 + i * 100 + j)),
    );
    const sent = (async () => {
      for (const batch of batches) await client.users(batch);
    })();
    const ingested = () => Number(database.query("select count(*) from citizens where identifier like 'skeleton:1%'")[0]);
    await expect.poll(ingested, { timeout: 20_000, interval: 20 }).toBeGreaterThan(300);
    second.signal("SIGKILL");
    await second.exited;
    await nats.kill("SIGKILL");
    second = await serve(b!, { env: { ROLLCALL_IGNOREREQUIREMENTS: "true" } });
    await nats.start();
    await sent;
    await client.flush();
    await expect.poll(ingested, { timeout: 30_000 }).toBe(3001);
    expect(
      database.query("select count(*), count(distinct identifier) from citizens where identifier like 'skeleton:1____'"),
    ).toEqual(["3000\t3000"]);
    expect(
      database.query("select count(*) from citizens c left join citizens_jobs j on j.citizen_id = c.id where j.job is null"),
    ).toEqual(["0"]);
    await expect
      .poll(() => Number(database.query("select count(*) from outbox_events where sent_at is null")[0]), {
        timeout: 30_000,
      })
      .toBe(0);
    await client.close();
    live.close();
  }, 120_000);
});
