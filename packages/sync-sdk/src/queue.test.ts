import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { fakeServer, openClient, temporaryDirectory, testTiming, user } from "./client.testkit.ts";
import { compactRecords } from "./compact.ts";

async function setUp(options: { queueMaxBytes?: number; retry?: object } = {}) {
  const server = await fakeServer({ batchItems: 100, bodyBytes: 100_000, manifestIds: 10 });
  const queueDir = temporaryDirectory();
  const time = testTiming();
  const open = () => openClient({ url: server.url, queueDir, ...options }, time.timing);
  return { server, queueDir, time, open, ...open() };
}

const segments = (directory: string) => readdirSync(directory).filter((name) => name.endsWith(".log"));

describe("the queue while the server answers", () => {
  it("gives the result of the call, with indexes of the caller", async () => {
    const { client, server, events } = await setUp();
    const ids = Array.from({ length: 250 }, (_, i) => (i === 170 ? "bad" : `u${i}`));
    expect(await client.users(ids.map(user))).toMatchObject({
      accepted: 249,
      queued: 0,
      rejected: [{ index: 170, id: "bad" }],
    });
    expect(server.stored).toEqual(ids.filter((id) => id !== "bad"));
    expect(events.filter(({ type }) => type === "rejected")).toMatchObject([
      { operation: "citizens.sync", rejected: [{ id: "bad" }] },
    ]);
  });

  it("keeps the order of calls and leaves no file behind", async () => {
    const { client, server, queueDir } = await setUp();
    await Promise.all([
      client.users([user("a")]),
      client.deleteUsers(["a"]),
      client.vehicles([{ plate: "P" }]),
      client.users([user("a")]),
    ]);
    expect(server.sends().map(({ path }) => path.replace("/api/sync/v1/", ""))).toEqual([
      "users",
      "users/delete",
      "vehicles",
      "users",
    ]);
    await client.flush();
    expect(segments(queueDir)).toEqual([]);
  });

  it("drops what can never be stored, reports it and goes on", async () => {
    const { client, server, events } = await setUp();
    await client.status();
    server.fail({
      status: 400,
      body: { title: "The input is not valid.", code: "system.invalidInput", traceId: "t" },
    });
    const [bad, good] = await Promise.allSettled([client.users([user("a")]), client.users([user("b")])]);
    expect(bad).toMatchObject({ status: "rejected", reason: { code: "system.invalidInput", queued: false } });
    expect(good).toMatchObject({ status: "fulfilled", value: { accepted: 1 } });
    expect(events.find(({ type }) => type === "dropped")).toMatchObject({ items: [user("a")] });
  });
});

describe("the queue while the server is away", () => {
  it("acknowledges what is on disk and replays it in order", async () => {
    const { client, server, time, typesOf } = await setUp();
    server.failAlways("reset");
    time.hold();
    expect(await client.users([user("a"), user("b")])).toEqual({
      accepted: 0,
      unchanged: 0,
      rejected: [],
      queued: 2,
    });
    expect(await client.deleteUsers(["a"])).toMatchObject({ queued: 1 });
    expect(await client.users([user("c")])).toMatchObject({ queued: 1 });
    expect(server.stored).toEqual([]);
    server.failAlways(null);
    time.release();
    await client.flush();
    expect(server.stored).toEqual(["a", "b", "a", "c"]);
    expect(typesOf()).toEqual(expect.arrayContaining(["offline", "online", "delivered"]));
    expect(await client.users([user("d")])).toMatchObject({ accepted: 1, queued: 0 });
  });

  it("survives a restart of the sender", async () => {
    const { client, server, time, open } = await setUp();
    server.failAlways({ status: 503 });
    time.hold();
    await client.users([user("a")]);
    await client.users([user("b")]);
    await client.close();
    server.failAlways(null);
    time.release();
    const second = open().client;
    await second.flush();
    expect(server.stored).toEqual(["a", "b"]);
    await second.users([user("c")]);
    await second.close();
    const third = open().client;
    await third.flush();
    expect(server.stored).toEqual(["a", "b", "c"]);
  });

  it("flush tries at once and fails after as many attempts as a call", async () => {
    const { client, server, time } = await setUp({ retry: { attempts: 3 } });
    server.failAlways({ status: 503 });
    time.hold();
    await client.users([user("a")]);
    time.release();
    await expect(client.flush()).rejects.toMatchObject({ status: 503 });
    server.failAlways(null);
    await client.flush();
    expect(server.stored).toEqual(["a"]);
  });

  it("a wrong token keeps the items and is reported", async () => {
    const { client, server, time, events } = await setUp();
    server.failAlways({
      status: 401,
      body: { title: "The token is not valid.", code: "system.syncTokenInvalid", traceId: "t" },
    });
    time.hold();
    await expect(client.users([user("a")])).rejects.toMatchObject({
      status: 401,
      code: "system.syncTokenInvalid",
      queued: true,
    });
    expect(await client.users([user("b")])).toMatchObject({ queued: 1 });
    expect(events.find(({ type }) => type === "blocked")).toMatchObject({ waiting: 1 });
    await expect(client.flush()).rejects.toMatchObject({ status: 401 });
    server.failAlways(null);
    time.release();
    await client.flush();
    expect(server.stored).toEqual(["a", "b"]);
  });

  it("a web server that is not Rollcall loses no items", async () => {
    const { client, server, time } = await setUp();
    server.failAlways({ status: 400, body: "plain HTTP to an HTTPS port" });
    time.hold();
    await expect(client.users([user("a")])).rejects.toMatchObject({ queued: true });
    server.failAlways(null);
    time.release();
    await client.flush();
    expect(server.stored).toEqual(["a"]);
  });

  it("a manifest waits for the queue and never waits in it", async () => {
    const { client, server, time } = await setUp({ retry: { attempts: 1 } });
    server.failAlways({ status: 503 });
    time.hold();
    await client.users([user("a")]);
    await expect(client.manifest("users", ["a"])).rejects.toMatchObject({ status: 503 });
    server.failAlways(null);
    time.release();
    await client.manifest("users", ["a"]);
    expect(server.sends().at(-1)?.path).toContain("/manifest/users");
    expect(server.stored).toEqual(["a"]);
  });
});

describe("the size of the queue", () => {
  it("drops what newer items replace before it refuses, and reports it", async () => {
    const { client, server, time, events } = await setUp({ queueMaxBytes: 8000 });
    server.failAlways("reset");
    time.hold();
    for (let i = 0; i < 200; i++) await client.users([{ ...user(`u${i % 5}`), height: i }]);
    expect(events.some(({ type }) => type === "compacted")).toBe(true);
    expect(events.some(({ type }) => type === "queueFull")).toBe(false);
    server.failAlways(null);
    time.release();
    await client.flush();
    const last = new Map(
      server
        .sends()
        .flatMap(({ body }) => body.items ?? [])
        .map((item) => [item["identifier"], item["height"]]),
    );
    expect(Object.fromEntries(last)).toEqual({ u0: 195, u1: 196, u2: 197, u3: 198, u4: 199 });
    expect(server.stored.length).toBeLessThan(100);
  });

  it("is left out while nothing can be written to it, as on a full disk, and that is logged once", async () => {
    const { client, server, events, queueDir } = await setUp({ retry: { attempts: 1 } });
    await client.users([user("a")]);
    rmSync(queueDir, { recursive: true });
    writeFileSync(queueDir, "");
    expect(await client.users([user("b")])).toMatchObject({ accepted: 1, queued: 0 });
    expect(await client.users([user("c")])).toMatchObject({ accepted: 1, queued: 0 });
    server.failAlways("reset");
    await expect(client.users([user("d")])).rejects.toMatchObject({ code: "client.network", queued: false });
    server.failAlways(null);
    expect(server.stored).toEqual(["a", "b", "c"]);
    expect(events.filter(({ type }) => type === "queueUnavailable")).toHaveLength(1);
    rmSync(queueDir);
    mkdirSync(queueDir);
    expect(await client.users([user("e")])).toMatchObject({ accepted: 1 });
    expect(server.stored).toEqual(["a", "b", "c", "e"]);
  });

  it("refuses new items while it is full of different ids, and accepts them again later", async () => {
    const { client, server, time, events, queueDir } = await setUp({ queueMaxBytes: 8000 });
    server.failAlways("reset");
    time.hold();
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, (_, i) => client.users([user(`u${i}`)])));
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused.length).toBeGreaterThan(10);
    expect(refused[0]).toMatchObject({ reason: { code: "queue.full", queued: false } });
    expect(events.filter(({ type }) => type === "queueFull")).toMatchObject([{ maxBytes: 8000 }]);
    expect(segments(queueDir).reduce((sum, name) => sum + statSync(path.join(queueDir, name)).size, 0)).toBeLessThanOrEqual(8000);
    server.failAlways(null);
    time.release();
    await client.flush();
    expect(new Set(server.stored).size).toBe(100 - refused.length);
    expect(await client.users([user("again")])).toMatchObject({ accepted: 1 });
  });

  it("compaction keeps the last item of each id, in order, and what a deletion follows", () => {
    const source = "s";
    const records = [
      {
        operation: "citizens.sync" as const,
        source,
        items: [user("a"), user("b"), { firstName: "nameless" }],
      },
      { operation: "vehicles.sync" as const, source, items: [{ plate: "a" }] },
      { operation: "citizens.syncDelete" as const, source, items: ["b"] },
      { operation: "citizens.sync" as const, source, items: [{ ...user("a"), height: 1 }] },
    ];
    expect(compactRecords(records)).toEqual([
      { operation: "citizens.sync", source, items: [user("b"), { firstName: "nameless" }] },
      records[1],
      records[2],
      records[3],
    ]);
  });
});

describe("compaction and fields that an item leaves out", () => {
  const source = "s";
  const sends = (...items: unknown[]) => ({ operation: "vehicles.sync" as const, source, items });
  const deletes = (...items: string[]) => ({ operation: "vehicles.syncDelete" as const, source, items });

  it("keeps an item with a field that no later one sends, and drops it otherwise", () => {
    const [whole, part] = [
      { plate: "a", model: "m", type: "t" },
      { plate: "a", type: null },
    ];
    expect(compactRecords([sends(whole), sends(part, { plate: "b" })])).toEqual([sends(whole, part, { plate: "b" })]);
    expect(compactRecords([sends(part), sends(whole)])).toEqual([sends(whole)]);
  });

  it("does not put a field that the server rejects into a later item without it", () => {
    const [bad, good] = [
      { plate: "a", model: 5 },
      { plate: "a", type: "t" },
    ];
    expect(compactRecords([sends(bad), sends(good)])).toEqual([sends(bad, good)]);
  });

  it("keeps what was sent before a deletion, because the server restores it with the next item", () => {
    const [first, later] = [
      { plate: "a", model: "m" },
      { plate: "a", type: "t" },
    ];
    expect(compactRecords([sends(first), deletes("a")])).toEqual([sends(first), deletes("a")]);
    expect(compactRecords([sends(first), deletes("a"), sends(later)])).toEqual([sends(first, later)]);
    expect(compactRecords([deletes("a"), sends(first), deletes("a")])).toEqual([sends(first), deletes("a")]);
  });
});

describe("the files of the queue", () => {
  async function leave(ids: readonly string[]) {
    const world = await setUp();
    world.server.failAlways("reset");
    world.time.hold();
    for (const id of ids) await world.client.users([user(id)]);
    await world.client.close();
    world.server.failAlways(null);
    world.time.release();
    const [name = ""] = segments(world.queueDir);
    return { ...world, file: path.join(world.queueDir, name) };
  }

  it("a torn last line, as after a power cut, loses only that line", async () => {
    const { file, open, server } = await leave(["a", "b"]);
    appendFileSync(file, readFileSync(file, "utf8").slice(0, 40));
    const { client, typesOf } = open();
    await client.users([user("c")]);
    expect(server.stored).toEqual(["a", "b", "c"]);
    expect(typesOf()).not.toContain("damaged");
  });

  it("a damaged line is skipped and reported", async () => {
    const { file, open, server } = await leave(["a", "b", "c"]);
    writeFileSync(file, readFileSync(file, "utf8").replace('"identifier":"b"', '"identifier":"x"'));
    const { client, events } = open();
    await client.flush();
    expect(server.stored).toEqual(["a", "c"]);
    expect(events[0]).toMatchObject({ type: "damaged", lines: 1 });
  });

  it("a lost position only sends records again", async () => {
    const { queueDir, open, server } = await leave(["a", "b"]);
    writeFileSync(path.join(queueDir, "position"), "");
    await open().client.flush();
    expect(server.stored).toEqual(["a", "b"]);
  });

  it("two clients cannot share a directory", async () => {
    const { open, client } = await setUp();
    await client.users([user("a")]);
    await expect(open().client.users([user("b")])).rejects.toMatchObject({
      code: "queue.unavailable",
      message: expect.stringContaining("another client"),
    });
  });

  it("a directory that cannot be made is an error of the call", async () => {
    const server = await fakeServer();
    const file = path.join(temporaryDirectory(), "file");
    writeFileSync(file, "");
    const { client } = openClient({ url: server.url, queueDir: path.join(file, "q") }, testTiming().timing);
    await expect(client.users([user("a")])).rejects.toMatchObject({ code: "queue.unavailable" });
  });
});

it("a delivery keeps its idempotency key over a restart, and has another one in another directory", async () => {
  const { server, queueDir, time, client } = await setUp();
  const keys = () => server.sends().map(({ headers }) => headers["idempotency-key"]);
  await client.users([user("a")]);
  server.failAlways({ status: 503 });
  await client.users([user("b")]);
  await client.close();
  server.failAlways(null);
  const next = openClient({ url: server.url, queueDir }, time.timing).client;
  await next.flush();
  const [a, b, ...repeated] = keys();
  expect(a).not.toBe(b);
  expect(repeated.length).toBeGreaterThan(0);
  expect(new Set(repeated)).toEqual(new Set([b]));
  const other = openClient({ url: server.url, queueDir: temporaryDirectory() }, time.timing).client;
  await other.users([user("a")]);
  expect(keys().at(-1)).not.toBe(a);
});

describe("a killed sender", () => {
  const program = fileURLToPath(new URL("./index.ts", import.meta.url));
  const source = `
    import { createSyncClient } from ${JSON.stringify(program)};
    const [url, queueDir] = process.argv.slice(1);
    const client = createSyncClient({ url, token: "t", source: "s", queueDir, retry: { baseMs: 5 } });
    for (let i = 0; ; i++) {
      const { queued, accepted } = await client.users([{ identifier: "u" + i, firstName: "A", lastName: "B", jobs: [{ name: "x", grade: 0 }] }]);
      process.stdout.write((queued + accepted) + " " + i + "\\n");
    }`;

  it("loses nothing that it acknowledged, whether the server answered or not", async () => {
    const { server, queueDir, time, client } = await setUp();
    await client.close();
    for (const away of [true, false, true]) {
      server.failAlways(away ? { status: 503 } : null);
      const child = spawn(process.execPath, ["--input-type=module", "-e", source, server.url, queueDir], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      const ended = once(child, "exit");
      let last = -1;
      for await (const line of createInterface(child.stdout)) {
        const [count, id] = line.split(" ").map(Number);
        expect(count).toBe(1);
        last = id ?? -1;
        if (last === 40) child.kill("SIGKILL");
      }
      await ended;
      expect(last).toBeGreaterThanOrEqual(40);
      expect(existsSync(path.join(queueDir, "lock"))).toBe(true);
      server.failAlways(null);
      server.stored.length = away ? 0 : server.stored.length;
      const next = openClient({ url: server.url, queueDir }, time.timing).client;
      await next.flush();
      await next.close();
      const stored = new Set(server.stored);
      expect(Array.from({ length: last + 1 }, (_, i) => `u${i}`).filter((id) => !stored.has(id))).toEqual([]);
      server.stored.length = 0;
    }
  });
});
