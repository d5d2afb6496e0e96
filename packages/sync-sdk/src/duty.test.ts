import { describe, expect, it } from "vitest";
import { fakeServer, openClient, steppedTiming, temporaryDirectory } from "./client.testkit.ts";
import { compactRecords } from "./compact.ts";
import { createSteadyClock } from "./duty.ts";
import type { DutySyncBody } from "./generated/types.ts";

type Bodies = readonly DutySyncBody[];

function dutyCalls(server: Awaited<ReturnType<typeof fakeServer>>): Bodies {
  return server.received.filter(({ path }) => path.endsWith("/duty")).map(({ body }) => body as unknown as DutySyncBody);
}

describe("duty events", () => {
  it("carry a key of their own, the time and the boot", async () => {
    const server = await fakeServer();
    const time = steppedTiming();
    const { client } = openClient({ url: server.url, boot: "boot-1" }, time.timing);
    await client.duty([
      { identifier: "a", event: "on", job: "police" },
      { identifier: "a", event: "dropped" },
    ]);
    time.setBack(60_000);
    await client.duty([
      { identifier: "a", event: "off", key: "own", at: 7 },
      { identifier: "b", event: "loaded" },
    ]);
    const calls = dutyCalls(server);
    expect(calls.map(({ boot }) => boot)).toEqual(["boot-1", "boot-1"]);
    const items = calls.flatMap((one) => one.items);
    expect(items.map(({ event }) => event)).toEqual(["on", "dropped", "off", "loaded"]);
    expect(new Set(items.map(({ key }) => key)).size).toBe(4);
    expect(items[2]).toMatchObject({ key: "own", at: 7 });
    expect(items[3].at).toBe(items[0].at);
  });

  it("follow the clock of the machine once it is set right, without a restart", () => {
    let date = 1_790_000_000_000;
    const clock = createSteadyClock({ date: () => date });
    const [begun, minute] = [clock(), 60_000];
    date += 60 * minute;
    expect(clock()).toBe(begun + 60 * minute);
    date -= 60 * minute;
    expect(clock()).toBe(begun);
    date -= minute;
    expect(clock()).toBe(begun);
    date += 2 * minute;
    expect(clock()).toBe(begun + minute);
  });

  it("that are refused for their time, or come too late, are said in the log", async () => {
    const server = await fakeServer();
    const lines: string[] = [];
    const log = (level: string, text: string) => void (level === "debug" || lines.push(`${level} ${text}`));
    const { client } = openClient({ url: server.url, queueDir: temporaryDirectory(), log }, steppedTiming().timing);
    const message = "at is more than 5 minutes ahead; set the clock of the game server";
    const rejected = [{ index: 0, id: "k", code: "sync.itemInvalid", message }];
    await client.duty([{ identifier: "a", event: "loaded" }]);
    server.failAlways({ status: 200, body: { accepted: 0, unchanged: 0, rejected, late: 0 } });
    await client.duty([{ identifier: "a", event: "on", job: "police" }]);
    server.failAlways({ status: 200, body: { accepted: 1, unchanged: 0, rejected: [], late: 1 } });
    expect(await client.duty([{ identifier: "a", event: "off" }])).toMatchObject({ accepted: 1, late: 1 });
    expect(lines.filter((line) => line.includes("duty"))).toEqual([
      expect.stringContaining(`error duty.sync: 1 items rejected and lost, the first: k ${message}`),
      expect.stringMatching(/^warn 1 events of duty came too late.*clock/),
    ]);
  });

  it("wait on disk in their order, and keep their keys and their boot when a later process sends them", async () => {
    const server = await fakeServer();
    const queueDir = temporaryDirectory();
    const time = steppedTiming();
    server.failAlways({ status: 503 });
    const first = openClient({ url: server.url, boot: "boot-1", queueDir }, time.timing);
    expect(await first.client.duty([{ identifier: "a", event: "on", job: "police" }])).toMatchObject({ queued: 1 });
    expect(await first.client.duty([{ identifier: "a", event: "off" }])).toMatchObject({ queued: 1 });
    await first.client.close();
    server.failAlways(null);
    const second = openClient({ url: server.url, boot: "boot-2", queueDir }, time.timing);
    await second.client.duty([{ identifier: "a", event: "on", job: "police" }]);
    await second.client.flush();
    const calls = dutyCalls(server).slice(-3);
    expect(calls.map(({ boot, items }) => [boot, items.map(({ event }) => event)])).toEqual([
      ["boot-1", ["on"]],
      ["boot-1", ["off"]],
      ["boot-2", ["on"]],
    ]);
    expect(new Set(calls.flatMap(({ items }) => items.map(({ key }) => key))).size).toBe(3);
  });

  it("are all kept when a full queue is compacted", () => {
    const event = (key: string, boot: string) => ({
      operation: "duty.sync" as const,
      source: "city-1",
      boot,
      items: [{ identifier: "a", event: "on", job: "police", at: 1, key }],
    });
    const compacted = compactRecords([event("1", "b1"), event("2", "b1"), event("3", "b2")]);
    expect(compacted.map(({ boot, items }) => [boot, items.length])).toEqual([
      ["b1", 2],
      ["b2", 1],
    ]);
  });

  it("are followed by calls that say that the source is there", async () => {
    const server = await fakeServer();
    const time = steppedTiming();
    const { client } = openClient({ url: server.url }, time.timing);
    await client.duty([{ identifier: "a", event: "on", job: "police" }]);
    const positions = () => server.received.filter(({ path }) => path.endsWith("/positions"));
    for (let i = 0; i < 3; i += 1) {
      await time.settled();
      await time.advance(20_000);
    }
    await expect.poll(() => positions().length).toBeGreaterThanOrEqual(3);
    const boots = [...positions().map(({ body }) => (body as { boot?: string }).boot), dutyCalls(server)[0].boot];
    expect(new Set(boots).size).toBe(1);
  });

  it.each([
    ["boot", { boot: "a blank" }],
    ["positionsPerSecond", { positionsPerSecond: 6 }],
  ])("refuses a wrong %s", (name, options) => {
    expect(() => openClient({ url: "http://127.0.0.1:9", ...options }, steppedTiming().timing)).toThrow(name);
  });
});
