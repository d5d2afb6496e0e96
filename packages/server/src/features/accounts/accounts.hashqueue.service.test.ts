import { describe, expect, test } from "vitest";
import { createTestClock } from "#testkit/clock.ts";
import { HashQueue } from "./accounts.hashqueue.service.ts";

describe("a hashing queue", () => {
  test("pauses after a hash while others wait, and not after the last one", async () => {
    const clock = createTestClock();
    const queue = new HashQueue({ perNetwork: 4, total: 8, rest: 3 }, clock);
    const done: string[] = [];
    const hash = async (network: string) =>
      await queue.run(network, async () => {
        await clock.sleep(30);
        done.push(`${network} ${clock.monotonic()}`);
      });
    const all = [hash("a"), hash("b")];
    await clock.advance(300);
    await Promise.all(all);
    expect(done).toEqual(["a 30", "b 150"]);
    const alone = hash("c");
    await clock.advance(30);
    await alone;
    expect(done.at(-1)).toBe("c 330");
  });

  test("alternates between networks and refuses beyond its limits", async () => {
    const clock = createTestClock();
    const queue = new HashQueue({ perNetwork: 2, total: 3, rest: 0 }, clock);
    const done: string[] = [];
    const hash = async (network: string) =>
      await queue.run(network, async () => {
        await clock.sleep(10);
        done.push(network);
      });
    const all = [hash("a"), hash("a"), hash("a"), hash("b")];
    await expect(hash("a")).rejects.toMatchObject({ definition: { code: "accounts.busy" } });
    await expect(hash("c")).rejects.toMatchObject({ definition: { code: "accounts.busy" } });
    expect(queue.full).toBe(true);
    await clock.advance(100);
    await Promise.all(all);
    expect(done).toEqual(["a", "a", "b", "a"]);
  });
});
