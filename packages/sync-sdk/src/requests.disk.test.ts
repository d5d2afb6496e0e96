import { cpSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it, vi } from "vitest";
import { openClient, temporaryDirectory, testTiming } from "./client.testkit.ts";
import type { GameRequestHandler } from "./requests.ts";
import { RequestModel, requestServer } from "./requests.testkit.ts";

type Handler = GameRequestHandler<"citizens.resync">;
const resync = "citizens.resync";
const patience = { timeout: 10_000 };

async function setUp() {
  const model = new RequestModel();
  const server = await requestServer(model);
  const timing = testTiming();
  const open = (queueDir: string) => openClient({ url: server.url, queueDir }, timing.timing);
  return { model, server, timing, open };
}

const journalOf = (queueDir: string) => path.join(queueDir, "requests/journal");

describe("on a full disk", () => {
  it.runIf(existsSync("/dev/full"))("nothing is run until its id can be kept, and the log says why", async () => {
    const { model, timing, open } = await setUp();
    const queueDir = temporaryDirectory();
    const { client, events } = open(queueDir);
    const run = vi.fn<Handler>();
    client.requests.on(resync, run);
    timing.hold();
    await client.requests.start();
    const files = [journalOf(queueDir), `${journalOf(queueDir)}.tmp`];
    for (const file of files) {
      rmSync(file, { force: true });
      symlinkSync("/dev/full", file);
    }
    const id = model.send(resync);
    await expect
      .poll(() => events.find(({ type }) => type === "retry"), patience)
      .toMatchObject({
        error: { code: "queue.unavailable", message: expect.stringMatching(/requests.journal cannot be written: .*ENOSPC/) },
      });
    expect([run.mock.calls.length, model.find(id).state]).toEqual([0, "open"]);
    for (const file of files) rmSync(file, { force: true });
    timing.release();
    await expect.poll(() => model.find(id).state, patience).toBe("done");
    expect(run).toHaveBeenCalledTimes(1);
  });
});

describe("a damaged record of what was run", () => {
  const hangs: Handler = async (_payload, { signal }) =>
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));

  /** The folder of a process that died while it ran a request, with that line damaged. */
  async function damagedFolder({ model, open }: Awaited<ReturnType<typeof setUp>>) {
    const [before, queueDir] = [temporaryDirectory(), temporaryDirectory()];
    const { client } = open(before);
    const id = model.send(resync);
    client.requests.on(resync, hangs);
    await client.requests.start();
    await expect.poll(() => readFileSync(journalOf(before), "utf8"), patience).toContain(id);
    cpSync(before, queueDir, { recursive: true });
    rmSync(path.join(queueDir, "requests/lock"));
    const text = readFileSync(journalOf(queueDir), "utf8");
    writeFileSync(journalOf(queueDir), text.replace(id, id.replace("request", "requesT")));
    return { id, queueDir };
  }

  it("runs nothing a second time: what was open then is reported as unknown, later requests are run", async () => {
    const made = await setUp();
    const { model, server, open } = made;
    const { id, queueDir } = await damagedFolder(made);
    const { client, events } = open(queueDir);
    const run = vi.fn<Handler>();
    client.requests.on(resync, run);
    await client.requests.start();
    await expect
      .poll(() => model.find(id).receipt, patience)
      .toEqual({
        id,
        outcome: "unknown",
        reason: "The plugin's record of what it ran was damaged, so it did not run this.",
      });
    expect(events.find(({ type }) => type === "damaged")).toMatchObject({ file: journalOf(queueDir), lines: 1 });
    await expect.poll(() => server.idle, patience).toBe(true);
    const later = model.send(resync);
    server.wake();
    await expect.poll(() => model.find(later).state, patience).toBe("done");
    expect(run).toHaveBeenCalledTimes(1);
  });

  it("is remembered until then, also by the next process", async () => {
    const made = await setUp();
    const { model, server, open } = made;
    const { id, queueDir } = await damagedFolder(made);
    // The first one cannot reach Rollcall before it ends.
    server.onCall({ before: () => false });
    const { client: first } = open(queueDir);
    await first.requests.start();
    await first.close();
    server.onCall({});
    const { client: second } = open(queueDir);
    const run = vi.fn<Handler>();
    second.requests.on(resync, run);
    await second.requests.start();
    await expect.poll(() => model.find(id).state, patience).toBe("unknown");
    expect(run).not.toHaveBeenCalled();
  });

  it.each([
    ["zeros in its place", () => "\0".repeat(4096)],
    ["a text of something else", () => "something else\n"],
  ])("is also %s", async (_what, text) => {
    const made = await setUp();
    const { model, open } = made;
    const { id, queueDir } = await damagedFolder(made);
    writeFileSync(journalOf(queueDir), text());
    const { client } = open(queueDir);
    const run = vi.fn<Handler>();
    client.requests.on(resync, run);
    await client.requests.start();
    await expect.poll(() => model.find(id).state, patience).toBe("unknown");
    expect(run).not.toHaveBeenCalled();
  });
});
