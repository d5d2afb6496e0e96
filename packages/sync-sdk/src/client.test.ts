import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createSyncClient, sdkVersion, SyncError } from "./index.ts";
import { fakeServer, openClient, temporaryDirectory, testTiming, user } from "./client.testkit.ts";

async function failure(work: Promise<unknown>): Promise<SyncError> {
  return await work.then(
    () => expect.unreachable("it should have failed"),
    (error: unknown) => (error instanceof SyncError ? error : expect.unreachable(String(error))),
  );
}

async function setUp(limits?: { batchItems: number; bodyBytes: number; manifestIds: number }) {
  const server = await fakeServer(limits);
  const time = testTiming();
  return { server, time, ...openClient({ url: server.url }, time.timing) };
}

describe("sending", () => {
  it("cuts by the server's limits, keeps the order and adds up the results", async () => {
    const { server, client } = await setUp();
    const ids = ["a", "bad1", "c", "d", "e", "bad2", "g"];
    expect(await client.users(ids.map(user))).toEqual({
      accepted: 5,
      unchanged: 0,
      rejected: [
        { index: 1, id: "bad1", code: "sync.itemInvalid", message: "firstName is missing" },
        { index: 5, id: "bad2", code: "sync.itemInvalid", message: "firstName is missing" },
      ],
      queued: 0,
    });
    expect(server.stored).toEqual(["a", "c", "d", "e", "g"]);
    expect(server.sends().map(({ body }) => body.items?.length)).toEqual([3, 3, 1]);
    expect(server.received[1]).toMatchObject({
      method: "POST",
      path: "/api/sync/v1/users",
      headers: { authorization: "Bearer a-token" },
      body: { source: "city-1" },
    });
    expect(server.received[1]?.headers["user-agent"]).toMatch(/^rollcall-sync-sdk\/\d+\.\d+\.\d+ node\//);
  });

  it("uses one connection and asks for the limits once", async () => {
    const { server, client, time } = await setUp();
    await client.users([user("a")]);
    await client.vehicles([{ plate: "AB 1" }]);
    expect(new Set(server.received.map(({ socket }) => socket)).size).toBe(1);
    expect(server.received.map(({ path }) => path.split("/").at(-1))).toEqual(["status", "users", "vehicles"]);
    time.advance(11 * 60_000);
    await client.jobs([{ name: "police", label: "Police", grades: [] }]);
    expect(server.received.map(({ path }) => path.split("/").at(-1)).slice(3)).toEqual(["status", "jobs"]);
  });

  it("cuts by bytes and rejects an item that no call can carry", async () => {
    const { server, client } = await setUp({ batchItems: 100, bodyBytes: 2000, manifestIds: 1 });
    const long = (id: string, length: number) => ({ ...user(id), lastName: "ö".repeat(length) });
    const result = await client.users([long("a", 400), long("b", 2000), long("c", 300), long("d", 300)]);
    expect(result).toMatchObject({
      accepted: 3,
      rejected: [{ index: 1, id: "b", code: "client.itemTooLarge" }],
    });
    expect(server.stored).toEqual(["a", "c", "d"]);
    expect(Math.max(...server.received.map(({ bytes }) => bytes))).toBeLessThanOrEqual(2000);
  });

  it("rejects an item whose numbers JSON would erase, with and without a queue", async () => {
    const server = await fakeServer();
    const bad = { ...user("b"), height: Number.NaN };
    for (const queueDir of [undefined, temporaryDirectory()]) {
      const { client } = openClient({ url: server.url, ...(queueDir !== undefined && { queueDir }) }, testTiming().timing);
      expect(await client.users([user("a"), bad, { ...user("c"), height: null }])).toMatchObject({
        accepted: 2,
        rejected: [{ index: 1, id: "b", code: "client.itemInvalid", message: "height must not be NaN" }],
      });
    }
    expect(server.stored).toEqual(["a", "c", "a", "c"]);
  });

  it("deletes jobs and licence types", async () => {
    const { server, client } = await setUp();
    await client.deleteJobs(["police"]);
    await client.deleteLicences(["drive"]);
    expect(server.sends().map(({ path, body }) => [path, body.names ?? body.types])).toEqual([
      ["/api/sync/v1/jobs/delete", ["police"]],
      ["/api/sync/v1/licences/delete", ["drive"]],
    ]);
  });

  it("keeps the order of calls that are not awaited", async () => {
    const { server, client } = await setUp();
    server.fail({ status: 503 });
    await Promise.all([client.users([user("a")]), client.deleteUsers(["a"]), client.users([user("b")])]);
    expect(server.sends().map(({ path }) => path.replace("/api/sync/v1/", ""))).toEqual(["users", "users/delete", "users"]);
  });

  it("sends nothing for no items", async () => {
    const { server, client } = await setUp();
    expect(await client.users([])).toEqual({ accepted: 0, unchanged: 0, rejected: [], queued: 0 });
    expect(server.received).toEqual([]);
  });

  it("halves what a proxy finds too large", async () => {
    const { server, client } = await setUp();
    await client.status();
    server.fail({ status: 413 }, { status: 413 });
    expect(await client.users([user("a"), user("b"), user("c")])).toMatchObject({
      accepted: 3,
      rejected: [],
    });
    expect(server.sends().map(({ body }) => body.items?.length)).toEqual([3, 2, 1, 1, 1]);
    expect(server.stored).toEqual(["a", "b", "c"]);
  });

  it("names the invalid id of a deletion that the server accepts only as a whole", async () => {
    const { server, client } = await setUp({ batchItems: 4, bodyBytes: 4000, manifestIds: 1 });
    expect(await client.deleteUsers(["a", "b", "bad", "d"])).toMatchObject({
      accepted: 3,
      rejected: [{ index: 2, id: "bad", code: "system.invalidInput" }],
    });
    expect(server.stored).toEqual(["a", "b", "d"]);
  });

  it("names each call, and repeats it under the same name", async () => {
    const { server, client } = await setUp();
    const keys = () => server.sends().map(({ headers }) => headers["idempotency-key"]);
    await client.status();
    server.fail({ status: 503 }, "reset", { status: 409, body: { code: "system.idempotencyKeyRunning" } });
    await client.users([user("a")]);
    expect(keys()).toEqual(Array(4).fill(expect.stringMatching(/^[0-9a-f]{40}$/)));
    expect(new Set(keys()).size).toBe(1);
    await client.users([user("a")]);
    await client.users(["a", "b", "c", "d"].map(user));
    await client.manifest("users", ["a"]);
    expect(new Set(keys()).size).toBe(5);
    expect(server.received[0]?.headers["idempotency-key"]).toBeUndefined();
    await client.accountToken("0a1b", "register");
    expect(keys().at(-1)).toBeUndefined();
  });

  it("sends a manifest with its confirmation", async () => {
    const { server, client } = await setUp();
    expect(await client.manifest("users", ["a"], { confirm: 4 })).toEqual({
      removed: 1,
      missingHere: [],
      missingHereTotal: 0,
    });
    expect(server.received[0]).toMatchObject({
      path: "/api/sync/v1/manifest/users",
      body: { ids: ["a"], confirm: 4, source: "city-1" },
    });
  });

  it.each([
    ["/city/", "/city"],
    ["/api/sync/v1", ""],
    ["/city/api/sync/v1/", "/city"],
  ])("keeps a path in front of the API: %s", async (given, kept) => {
    const server = await fakeServer();
    const { client } = openClient({ url: server.url + given }, testTiming().timing);
    await client.status();
    expect(server.received[0]?.path).toBe(`${kept}/api/sync/v1/status`);
  });
});

describe("transient failures", () => {
  it.each([["reset" as const], ["half" as const], [{ status: 502 }], [{ status: 503 }], [{ status: 504 }], [{ status: 429 }]])(
    "%j is repeated",
    async (fault) => {
      const { server, client, time, events } = await setUp();
      await client.status();
      server.fail(fault, fault);
      expect(await client.users([user("a")])).toMatchObject({ accepted: 1 });
      expect(server.sends().length).toBeGreaterThanOrEqual(2);
      expect(time.slept.length).toBe(events.filter(({ type }) => type === "retry").length);
    },
  );

  it("the pauses grow and carry jitter", async () => {
    const server = await fakeServer();
    const time = testTiming();
    let random = 1;
    const timing = { ...time.timing, random: () => (random -= 0.2) };
    const { client } = openClient({ url: server.url, retry: { attempts: 5, baseMs: 100, maxMs: 500 } }, timing);
    server.failAlways({ status: 503 });
    expect(await failure(client.status())).toMatchObject({ status: 503 });
    expect(time.slept.map(Math.round)).toEqual([90, 160, 280, 300]);
  });

  it("waits as long as the server asks, within bounds", async () => {
    const { server, client, time } = await setUp();
    server.fail({ status: 429, headers: { "retry-after": "7" } }, { status: 503, headers: { "retry-after": "86400" } });
    server.fail({
      status: 503,
      headers: { date: "Fri, 20 Nov 2026 10:00:00 GMT", "retry-after": "Fri, 20 Nov 2026 10:00:03 GMT" },
    });
    await client.status();
    expect(time.slept).toEqual([7500, 60_000, 3500]);
  });

  it("gives up after the last attempt", async () => {
    const { server, client, time } = await setUp();
    server.failAlways({
      status: 503,
      body: {
        title: "The database is not available.",
        code: "system.unavailable",
        traceId: "t-9",
        params: { part: "database" },
      },
    });
    const error = await failure(client.users(["f"].map(user)));
    expect(error).toMatchObject({
      status: 503,
      code: "system.unavailable",
      traceId: "t-9",
      params: { part: "database" },
      queued: false,
    });
    expect(error.message).toContain("The database is not available.");
    expect(time.slept).toHaveLength(5);
  });

  it("reports what was stored before a later call failed", async () => {
    const { server, client } = await setUp();
    await client.status();
    server.failAlways(null);
    const sending = client.users(["a", "b", "c", "d"].map(user));
    await server.calls(2);
    server.failAlways({ status: 401, body: { title: "No.", code: "system.syncTokenInvalid", traceId: "t" } });
    expect((await failure(sending)).partial).toMatchObject({ accepted: 3 });
  });

  it("a call that hangs ends after timeoutMs", async () => {
    const server = await fakeServer();
    const time = testTiming();
    const { client } = openClient({ url: server.url, timeoutMs: 40, retry: { attempts: 2 } }, time.timing);
    const reachLimitOfCall = async (count: number) => {
      await server.calls(count);
      expect(time.limits()).toEqual([40]);
      time.reachLimits();
    };
    server.fail("hang", "hang");
    const failed = failure(client.status());
    await reachLimitOfCall(1);
    await reachLimitOfCall(2);
    expect(await failed).toMatchObject({ code: "client.timeout", status: null });
    server.fail("hang");
    const answered = client.status();
    await reachLimitOfCall(3);
    expect(await answered).toMatchObject({ version: "9" });
    await expect.poll(time.limits).toEqual([]);
  });

  it("names the address when nothing listens there", async () => {
    const { server, client } = await setUp();
    await server.stop();
    expect(await failure(client.status())).toMatchObject({
      code: "client.network",
      message: expect.stringContaining(server.url),
    });
    await server.start();
  });
});

describe("permanent failures", () => {
  it.each([400, 401, 403, 404, 409, 500])("%i is not repeated", async (status) => {
    const { server, client, time } = await setUp();
    server.fail({
      status,
      body: { title: "Sync is off.", code: "sync.disabled", traceId: "t-2", params: {} },
    });
    expect(await failure(client.users([user("a")]))).toMatchObject({
      status,
      code: "sync.disabled",
      traceId: "t-2",
    });
    expect(time.slept).toEqual([]);
    expect(server.received).toHaveLength(1);
  });

  it("reports an address that is not Rollcall", async () => {
    const { server, client } = await setUp();
    server.fail("html", { status: 301, headers: { location: "https://example.org/" } }, { status: 404 });
    expect((await failure(client.status())).message).toContain("is this the address of Rollcall?");
    expect((await failure(client.status())).message).toContain("redirects to https://example.org/");
    expect(await failure(client.status())).toMatchObject({ code: "client.answer", status: 404 });
  });

  it("goes on with the next send", async () => {
    const { server, client } = await setUp();
    server.fail({ status: 401 });
    const [bad, good] = await Promise.allSettled([client.users([user("a")]), client.users([user("b")])]);
    expect([bad.status, good.status]).toEqual(["rejected", "fulfilled"]);
    expect(server.stored).toEqual(["b"]);
  });
});

describe("the client itself", () => {
  it.each([
    [{ url: "rollcall.example.org" }, /url/],
    [{ url: "ftp://x" }, /http/],
    [{ token: "" }, /token/],
    [{ token: "a b" }, /token/],
    [{ token: "a\r\nx: y" }, /token/],
    [{ source: "" }, /source/],
    [{ timeoutMs: 0 }, /timeoutMs/],
  ])("refuses %j", (wrong, message) => {
    expect(() => createSyncClient({ url: "http://x", token: "t", source: "s", ...wrong })).toThrow(message);
  });

  it("close ends pauses and refuses later calls", async () => {
    const { server, client, time } = await setUp();
    server.failAlways({ status: 503 });
    time.hold();
    const paused = time.pause();
    const sending = failure(client.users([user("a")]));
    await paused;
    await client.close();
    expect(await sending).toMatchObject({ code: "client.closed" });
    expect(await failure(client.users([user("b")]))).toMatchObject({ code: "client.closed" });
  });

  it("a listener that throws does no harm", async () => {
    const server = await fakeServer();
    const { client } = openClient(
      {
        url: server.url,
        onEvent: () => {
          throw new Error("mine");
        },
      },
      testTiming().timing,
    );
    server.fail({ status: 503 });
    expect(await client.users([user("a")])).toMatchObject({ accepted: 1 });
  });

  it("knows its version", () => {
    const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
      version: string;
    };
    expect(sdkVersion).toBe(manifest.version);
  });
});
