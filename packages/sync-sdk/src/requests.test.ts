import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openClient, temporaryDirectory, testTiming } from "./client.testkit.ts";
import type { SyncClientOptions } from "./client.ts";
import { Journal, type JournalFile } from "./journal.ts";
import type { GameRequestHandler } from "./requests.ts";
import { RequestModel, requestServer } from "./requests.testkit.ts";

type Handler = GameRequestHandler<"citizens.resync">;

async function setUp(more: Partial<SyncClientOptions> = {}) {
  const model = new RequestModel();
  const server = await requestServer(model);
  const queueDir = temporaryDirectory();
  const { timing, advance } = testTiming();
  const open = () => openClient({ url: server.url, queueDir, ...more }, timing);
  return { model, server, queueDir, open, advance, ...open() };
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
    const { model, client, server, typesOf, advance } = await setUp();
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
    advance(60_000);
    model.send(resync);
    server.wake();
    await ended(model);
    expect(run).toHaveBeenCalledTimes(4);
  });
});

/** A journal file in memory that fails on demand. */
function memoryFile(text = "") {
  let failing = false;
  const file: JournalFile & { text: string; fail(on: boolean): void } = {
    text,
    fail: (on) => void (failing = on),
    read: async () => file.text,
    append: async (more) => {
      file.text += failing ? more.slice(0, more.length / 2) : more;
      if (failing) throw new Error("the disk is full");
    },
    replace: async (all) => {
      if (failing) throw new Error("the disk is full");
      file.text = all;
    },
    close: async () => undefined,
  };
  return file;
}

describe("the journal", () => {
  const day = 24 * 60 * 60_000;
  const done = { outcome: "done", answer: {} } as const;

  it("turns what had begun into an unknown end", async () => {
    const file = memoryFile();
    const first = await Journal.open(file, () => 0);
    await first.begin("a");
    await first.begin("b");
    await first.end("b", done);
    await first.acknowledge(["b"]);
    await first.moveTo({ epoch: "e", position: 7 });
    const second = await Journal.open(file, () => 0);
    expect(second.receipts(9)).toEqual([{ id: "a", outcome: "unknown", reason: expect.stringContaining("process stopped") }]);
    expect([second.has("a"), second.has("b"), second.has("c"), second.position]).toEqual([
      true,
      true,
      false,
      { epoch: "e", position: 7 },
    ]);
    second.reportAgain("b");
    expect(second.receipts(9).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("skips torn and damaged lines, and writes whole ones behind them", async () => {
    const file = memoryFile();
    const first = await Journal.open(file, () => 0);
    await first.begin("a");
    file.fail(true);
    await expect(first.begin("b")).rejects.toThrow("disk is full");
    expect(first.has("b")).toBe(false);
    await expect(first.end("a", done)).rejects.toThrow("disk is full");
    expect(first.receipts(9)).toEqual([{ id: "a", ...done }]);
    file.fail(false);
    await first.begin("c");
    const second = await Journal.open(memoryFile(`${file.text}torn`), () => 0);
    expect(second.receipts(9).map(({ id, outcome }) => [id, outcome])).toEqual([
      ["a", "done"],
      ["c", "unknown"],
    ]);
  });

  it("forgets ids a week after Rollcall had the receipt, and never one whose receipt is open", async () => {
    const file = memoryFile();
    let now = 0;
    const journal = await Journal.open(file, () => now);
    await journal.end("old", done);
    await journal.end("open", done);
    await journal.acknowledge(["old"]);
    now = 6 * day;
    await journal.end("young", done);
    await journal.acknowledge(["young"]);
    now = 7 * day + 1;
    const later = await Journal.open(file, () => now);
    expect(["old", "open", "young"].map((id) => later.has(id))).toEqual([false, true, true]);
  });

  it("stays small while requests come and go", async () => {
    const file = memoryFile();
    let now = 0;
    const journal = await Journal.open(file, () => now);
    for (let i = 0; i < 20_000; i += 1) {
      now += day / 1000;
      await journal.begin(String(i));
      await journal.end(String(i), done);
      await journal.acknowledge([String(i)]);
      await journal.moveTo({ epoch: "e", position: i });
    }
    expect(file.text.split("\n").length).toBeLessThan(7000 * 4 + 2000);
    expect([journal.has("19999"), journal.has("0")]).toEqual([true, false]);
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
