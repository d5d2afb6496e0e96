import { expect, test } from "vitest";
import { FairQueue, type FairQueueOptions, QueueFull } from "./fair-queue.ts";

const settle = async () => await new Promise(setImmediate);

function staged(options: Partial<FairQueueOptions> = {}) {
  let now = 0;
  const clock = { monotonic: () => now };
  const budget = { burstMs: 1000, msPerSecond: 100 };
  const queue = new FairQueue({ clock, atOnce: 2, perRequester: 1, waiting: 4, budget, ...options });
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    queue,
    started,
    advance: (ms: number) => void (now += ms),
    /** Resolves to the name of the task, or to "refused". */
    submit: async (requester: string, name: string) =>
      await queue
        .run(requester, async () => {
          started.push(name);
          await new Promise<void>((resolve) => ends.set(name, resolve));
          return name;
        })
        .catch((error: unknown) => {
          if (error instanceof QueueFull) return "refused";
          throw error;
        }),
    async end(name: string) {
      await settle();
      ends.get(name)!();
      await settle();
    },
  };
}

test("requesters take turns, and none exceeds its limit of concurrent tasks", async () => {
  const { submit, started, end } = staged();
  const all = [submit("a", "a1"), submit("a", "a2"), submit("a", "a3"), submit("b", "b1"), submit("c", "c1")];
  await settle();
  expect(started).toEqual(["a1", "b1"]);
  await end("a1");
  expect(started).toEqual(["a1", "b1", "c1"]);
  await end("b1");
  expect(started).toEqual(["a1", "b1", "c1", "a2"]);
  await end("a2");
  await end("c1");
  await end("a3");
  expect(await Promise.all(all)).toEqual(["a1", "a2", "a3", "b1", "c1"]);
});

test("the requester with most waiting tasks loses one when the queue is full", async () => {
  const { submit, started, end } = staged({ atOnce: 1 });
  const hog = [1, 2, 3, 4, 5].map(async (i) => await submit("a", `a${i}`));
  expect(await submit("a", "a6")).toBe("refused");
  const other = submit("b", "b1");
  expect(await hog[4]).toBe("refused");
  await end("a1");
  expect(started).toEqual(["a1", "b1"]);
  await end("b1");
  for (const name of ["a2", "a3", "a4"]) await end(name);
  expect([await other, ...(await Promise.all(hog.slice(0, 4)))]).toEqual(["b1", "a1", "a2", "a3", "a4"]);
});

test("nothing is stored about requesters that are refused", async () => {
  const { queue, submit, end } = staged({ atOnce: 1 });
  const accepted = ["a", "b", "c", "d", "e"].map(async (name) => await submit(name, name));
  const refused = Array.from({ length: 1000 }, async (_none, i) => await submit(`other ${i}`, "never"));
  expect(new Set(await Promise.all(refused))).toEqual(new Set(["refused"]));
  expect(queue.requesters).toBe(5);
  for (const name of ["a", "b", "c", "d", "e"]) await end(name);
  expect(await Promise.all(accepted)).toEqual(["a", "b", "c", "d", "e"]);
  expect(queue.requesters).toBe(0);
});

test("time is charged however a task ends, is regained slowly, and does not affect other requesters", async () => {
  const { submit, advance, end } = staged();
  const first = submit("a", "a1");
  const second = submit("a", "a2");
  await settle();
  advance(1500);
  await end("a1");
  expect([await first, await second]).toEqual(["a1", "refused"]);
  expect(await submit("a", "a3")).toBe("refused");
  const other = submit("b", "b1");
  await end("b1");
  expect(await other).toBe("b1");
  advance(4000);
  expect(await submit("a", "a4")).toBe("refused");
  advance(1001);
  const later = submit("a", "a5");
  await end("a5");
  expect(await later).toBe("a5");
});

test("time is charged from where a task says that it begins, and a task that throws frees its slot", async () => {
  let now = 0;
  const budget = { burstMs: 1000, msPerSecond: 0 };
  const queue = new FairQueue({ clock: { monotonic: () => now }, atOnce: 1, perRequester: 1, waiting: 1, budget });
  const failing = queue.run("a", async (begun) => {
    now += 5000;
    begun();
    now += 999;
    throw new Error("task failed");
  });
  await expect(failing).rejects.toThrow("task failed");
  expect(await queue.run("a", async () => "still")).toBe("still");
});
