import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openClient, temporaryDirectory, testTiming } from "./client.testkit.ts";
import type { SyncClientOptions } from "./client.ts";
import type { GameRequestHandler } from "./requests.ts";
import { RequestModel, requestServer } from "./requests.testkit.ts";

type Handler = GameRequestHandler<"citizens.resync">;

async function setUp(more: Partial<SyncClientOptions> = {}) {
  const model = new RequestModel();
  const server = await requestServer(model);
  const queueDir = temporaryDirectory();
  const timing = testTiming();
  const open = () => openClient({ url: server.url, queueDir, ...more }, timing.timing);
  return { model, server, queueDir, open, timing, ...open() };
}

const ended = async (model: RequestModel) => await vi.waitFor(() => expect(model.allEnded).toBe(true), { timeout: 10_000 });
const resync = "citizens.resync";

describe("requests", () => {
  it("are run in their order, one after the other, and their answers reported", async () => {
    const { model, client, server } = await setUp();
    for (const identifier of ["a", "b", "c", "d", "e"]) model.send(resync, { identifier });
    const log: string[] = [];
    client.requests.on(resync, async ({ identifier }, { id, sentAt, signal }) => {
      log.push(`begin ${identifier}`);
      expect([id, sentAt, signal.aborted]).toEqual([expect.stringMatching(/^request-/), 1, false]);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`end ${identifier}`);
    });
    await client.requests.start();
    await ended(model);
    expect(log).toEqual(["a", "b", "c", "d", "e"].flatMap((one) => [`begin ${one}`, `end ${one}`]));
    expect(model.stored.map(({ receipt }) => receipt)).toEqual(
      model.stored.map(({ id }) => ({ id, outcome: "done", answer: {} })),
    );
    expect(server.calls[0]?.path).toBe("/api/sync/v1/requests?source=city-1&wait=25");
  });

  it("that come later end the wait; each is reported once", async () => {
    const { model, client, server } = await setUp();
    const run = vi.fn<Handler>();
    client.requests.on(resync, run);
    await client.requests.start();
    for (const identifier of ["a", "b"]) {
      await vi.waitFor(() => expect(server.idle).toBe(true));
      model.send(resync, { identifier });
      server.wake();
      await ended(model);
    }
    expect(run.mock.calls.map(([payload]) => payload.identifier)).toEqual(["a", "b"]);
    expect(model.arrived).toHaveLength(2);
    await vi.waitFor(() => expect(server.calls.at(-1)?.path).toContain("epoch=epoch-1&after=2"));
  });

  it.each<[string, Handler, object]>([
    ["throws", () => Promise.reject(new Error("the player is busy")), { outcome: "refused", reason: "the player is busy" }],
    [
      "throws a long text",
      () => {
        throw new Error("😀".repeat(501));
      },
      { outcome: "refused", reason: "😀".repeat(500) },
    ],
    [
      "throws nothing",
      () => {
        throw new Error("");
      },
      { outcome: "refused", reason: "The plugin gave no reason." },
    ],
    ["returns a list", () => [1] as never, { outcome: "unknown", reason: expect.stringContaining("not an object") }],
    [
      "returns too much",
      () => ({ text: "x".repeat(20_000) }) as never,
      { outcome: "unknown", reason: expect.stringContaining("16384 characters") },
    ],
    ["returns nothing", () => undefined, { outcome: "done", answer: {} }],
    ["returns an object", () => ({ said: "hello" }) as never, { outcome: "done", answer: { said: "hello" } }],
  ])("whose handler %s", async (_what, handler, receipt) => {
    const { model, client, typesOf } = await setUp();
    const id = model.send(resync);
    client.requests.on(resync, handler);
    await client.requests.start();
    await ended(model);
    expect(model.find(id).receipt).toEqual({ id, ...receipt });
    expect(typesOf()).toContain("request");
  });

  it("of a kind that nothing handles are refused, and of a kind whose deadline has passed too", async () => {
    const { model, client } = await setUp();
    const unknown = model.send("dispatch.somethingNew");
    const run = vi.fn<Handler>();
    client.requests.on(resync, run);
    await client.requests.start();
    await ended(model);
    expect(model.find(unknown).receipt?.reason).toContain("does not know dispatch.somethingNew");
    model.expiresInMs = -1;
    const late = model.send(resync);
    const { client: other } = openClient(
      { url: (await requestServer(model)).url, queueDir: temporaryDirectory() },
      testTiming().timing,
    );
    other.requests.on(resync, run);
    await other.requests.start();
    await ended(model);
    expect(model.find(late).receipt?.reason).toContain("after its deadline");
    expect(run).not.toHaveBeenCalled();
  });

  it("that Rollcall delivers again, as after a restore, are not run again but reported", async () => {
    const { model, client, server } = await setUp();
    const run = vi.fn<Handler>();
    client.requests.on(resync, run);
    for (let i = 0; i < 5; i += 1) model.send(resync);
    await client.requests.start();
    await ended(model);
    model.restore();
    const fresh = model.send(resync);
    server.wake();
    await ended(model);
    expect(run).toHaveBeenCalledTimes(6);
    expect(model.find(fresh).state).toBe("done");
  });

  it("need a directory, and one client at a time", async () => {
    const server = await requestServer(new RequestModel());
    const { client } = openClient({ url: server.url }, testTiming().timing);
    await expect(client.requests.start()).rejects.toMatchObject({ code: "client.option" });
    const { client: first, open } = await setUp();
    await first.requests.start();
    await expect(open().client.requests.start()).rejects.toMatchObject({ code: "queue.unavailable" });
    await first.close();
    await expect(first.requests.start()).rejects.toMatchObject({ code: "client.closed" });
  });

  it("end with the client: its wait is cut short, and a handler is waited for", async () => {
    const { model, client, server, open, queueDir } = await setUp();
    const began = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const id = model.send(resync);
    client.requests.on(resync, async (_payload, { signal }) => {
      began.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      await held.promise;
    });
    await client.requests.start();
    await began.promise;
    const closed = client.close();
    held.resolve();
    await closed;
    expect(readFileSync(path.join(queueDir, "requests/journal"), "utf8")).toContain('"outcome":"done"');
    expect(model.find(id).state).toBe("open");
    const { client: next } = open();
    const run = vi.fn<Handler>();
    next.requests.on(resync, run);
    await next.requests.start();
    await ended(model);
    expect([model.find(id).state, run.mock.calls.length]).toEqual(["done", 0]);
    await vi.waitFor(() => expect(server.idle).toBe(true));
    const before = performance.now();
    await next.close();
    expect(performance.now() - before).toBeLessThan(5000);
  });

  it("are fetched and reported again after the network was away", async () => {
    const { model, client, server, typesOf } = await setUp();
    const lost = { GET: 2, POST: 2 } as Record<string, number>;
    const lose = (method: string) => (lost[method] = (lost[method] ?? 0) - 1) < 0;
    server.onCall({ before: lose, after: () => true });
    const run = vi.fn<Handler>();
    client.requests.on(resync, run);
    model.send(resync);
    await client.requests.start();
    await ended(model);
    expect(run).toHaveBeenCalledTimes(1);
    expect(typesOf()).toContain("retry");
  });
  it("whose receipt Rollcall cannot take keep no other receipt and no other request waiting", async () => {
    const { model, client, server, typesOf, timing } = await setUp();
    timing.hold();
    const run = vi.fn<Handler>();
    client.requests.on(resync, run);
    const [stuck, next] = [model.send(resync), model.send(resync)];
    server.failReceiptsOf(stuck);
    await client.requests.start();
    await vi.waitFor(() => expect([model.find(stuck).state, model.find(next).state]).toEqual(["open", "done"]), {
      timeout: 10_000,
    });
    const later = model.send(resync);
    server.wake();
    await vi.waitFor(() => expect(model.find(later).state).toBe("done"), { timeout: 10_000 });
    expect(typesOf()).toContain("retry");
    server.failReceiptsOf(null);
    timing.release();
    await ended(model);
    expect(run).toHaveBeenCalledTimes(3);
  });

  it("whose receipt failed is reported again while a poll waits", async () => {
    const { model, client, server, timing } = await setUp();
    timing.hold();
    client.requests.on(resync, () => undefined);
    const stuck = model.send(resync);
    server.failReceiptsOf(stuck);
    await client.requests.start();
    await vi.waitFor(() => expect([timing.slept.length, server.idle]).toEqual([1, true]), { timeout: 10_000 });
    server.failReceiptsOf(null);
    const polls = server.calls.filter(({ method }) => method === "GET").length;
    timing.release();
    await ended(model);
    expect(server.calls.filter(({ method }) => method === "GET")).toHaveLength(polls);
  });
});

describe("a handler that never settles", () => {
  const never = async () => await new Promise<void>(() => undefined);

  it("keeps the others waiting until its limit, and is reported as unknown", async () => {
    const { model, client, timing } = await setUp();
    const [hung, next] = [model.send(resync, { identifier: "hung" }), model.send(resync, { identifier: "next" })];
    const signals: AbortSignal[] = [];
    client.requests.on(
      resync,
      async ({ identifier }, { signal }) => {
        signals.push(signal);
        if (identifier === "hung") await never();
      },
      { timeoutMs: 1500 },
    );
    await client.requests.start();
    await vi.waitFor(() => expect(signals).toHaveLength(1), { timeout: 10_000 });
    expect(timing.limits()).toContain(1500);
    timing.reachLimits(1500);
    await ended(model);
    expect(model.find(hung).receipt).toEqual({
      id: hung,
      outcome: "unknown",
      reason: "The plugin did not finish it within 1.5 s.",
    });
    expect(model.find(next).state).toBe("done");
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  });

  it("has a minute, unless it says otherwise", async () => {
    const { model, client, timing } = await setUp();
    const id = model.send(resync);
    client.requests.on(resync, never);
    await client.requests.start();
    await vi.waitFor(() => expect(timing.limits()).toContain(60_000), { timeout: 10_000 });
    timing.reachLimits(60_000);
    await ended(model);
    expect(model.find(id).receipt?.reason).toContain("within 60 s");
  });

  it("is reported as it ended in truth when it ends late", async () => {
    const { model, client, server, timing, open } = await setUp();
    const late = Promise.withResolvers<void>();
    const id = model.send(resync);
    client.requests.on(resync, async () => await late.promise);
    await client.requests.start();
    await vi.waitFor(() => expect(timing.limits()).toContain(60_000), { timeout: 10_000 });
    timing.reachLimits(60_000);
    await ended(model);
    expect(model.find(id).state).toBe("unknown");
    await vi.waitFor(() => expect(server.idle).toBe(true));
    late.resolve();
    await vi.waitFor(() => expect(model.arrived.at(-1)).toEqual({ id, outcome: "done", answer: {} }), { timeout: 10_000 });
    await client.close();
    const { client: second } = open();
    await second.requests.start();
    await vi.waitFor(() => expect(server.calls.at(-1)?.method).toBe("GET"));
    expect(model.arrived.map(({ outcome }) => outcome)).toEqual(["unknown", "done"]);
  });

  it("keeps a client from closing for five seconds at most; the next one reports it", async () => {
    const { model, client, timing, open } = await setUp();
    const id = model.send(resync);
    client.requests.on(resync, never);
    await client.requests.start();
    await vi.waitFor(() => expect(timing.limits()).toContain(60_000), { timeout: 10_000 });
    const closed = client.close();
    expect(timing.limits()).toContain(5000);
    timing.reachLimits(5000);
    await closed;
    const { client: next } = open();
    await next.requests.start();
    await ended(model);
    expect(model.find(id).receipt).toMatchObject({ outcome: "unknown", reason: "The plugin was stopped while it ran this." });
  });
});

describe("a game server that another sync token serves", () => {
  it("is reported once, with the remedy, and tried again after the longest pause until it is free", async () => {
    const log = vi.fn<(level: string, message: string) => void>();
    const { model, client, server, timing } = await setUp({ log });
    const errors = () => log.mock.calls.filter(([level]) => level === "error");
    client.requests.on(resync, () => undefined);
    for (const turn of [1, 2]) {
      server.take(true);
      model.send(resync, { identifier: String(turn) });
      if (turn === 1) await client.requests.start();
      else server.wake();
      const calls = server.calls.length;
      await vi.waitFor(() => expect(server.calls.length).toBeGreaterThan(calls + 3), { timeout: 10_000 });
      expect(errors()).toHaveLength(turn);
      expect(errors().at(-1)?.[1]).toMatch(/^requests to city-1 .*another sync token.*a source of its own.*every 60 s$/);
      server.take(false);
      await ended(model);
      await vi.waitFor(() => expect(server.idle).toBe(true));
    }
    expect(log.mock.calls.filter(([level]) => level === "warn")).toEqual([]);
    expect(new Set(timing.slept)).toEqual(new Set([60_000]));
  });
});

describe("a handler", () => {
  it.each<[string, unknown, unknown, object | undefined, string]>([
    ["of an unknown kind", "citizens.resinc", () => undefined, undefined, "known are citizens.resync"],
    ["of no kind", undefined, () => undefined, undefined, "undefined is no kind"],
    ["that is null", resync, null, undefined, "must be a function"],
    ["that is missing", resync, undefined, undefined, "must be a function"],
    ["without time", resync, () => undefined, { timeoutMs: 0 }, "more than 0"],
    ["with a limit that is no number", resync, () => undefined, { timeoutMs: "60" }, "more than 0"],
    ["with a limit that no timer accepts", resync, () => undefined, { timeoutMs: Infinity }, "at most"],
  ])("%s is refused at once", async (_what, kind, handler, options, message) => {
    const { client } = await setUp();
    const on = client.requests.on.bind(client.requests) as (...given: unknown[]) => void;
    expect(() => on(kind, handler, options)).toThrow(expect.objectContaining({ code: "client.option" }));
    expect(() => on(kind, handler, options)).toThrow(message);
  });
});

it("a journal that cannot be read is no reason to run anything", async () => {
  const { client, queueDir, model } = await setUp();
  writeFileSync(path.join(queueDir, "requests"), "a file in the place of the directory");
  model.send(resync);
  const run = vi.fn<Handler>();
  client.requests.on(resync, run);
  await expect(client.requests.start()).rejects.toMatchObject({ code: "queue.unavailable" });
  expect(run).not.toHaveBeenCalled();
});
