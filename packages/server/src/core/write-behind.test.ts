import { describe, expect, test } from "vitest";
import { createTestClock } from "#testkit/clock.ts";
import { WriteBehind } from "./write-behind.ts";

/** Writes that end when the test ends them. */
function opened() {
  const clock = createTestClock();
  const written: (readonly [string, number])[][] = [];
  const running: { end(): void; fail(): void }[] = [];
  const failures: number[] = [];
  const behind = new WriteBehind<string, number>({
    clock,
    everyMs: 100,
    write: async (values) => {
      written.push([...values]);
      await new Promise<void>((resolve, reject) => running.push({ end: resolve, fail: () => reject(new Error("down")) }));
    },
    failed: (_error, count) => failures.push(count),
  });
  return { clock, written, running, failures, behind };
}

describe("what is written behind", () => {
  test("is written together, the last value of each key, so long after the first of them", async () => {
    const { clock, written, behind } = opened();
    behind.put("a", 1);
    await clock.advance(60);
    behind.put("b", 2);
    behind.put("a", 3);
    await clock.advance(39);
    expect(written).toEqual([]);
    await clock.advance(1);
    expect(written).toEqual([
      [
        ["a", 3],
        ["b", 2],
      ],
    ]);
  });

  test("costs no write while nothing waits", async () => {
    const { clock, written, behind } = opened();
    await behind.flush();
    await clock.advance(1000);
    await behind.stop();
    expect(written).toEqual([]);
  });

  test("is written again with the next when a write failed, unless a newer value has come", async () => {
    const { clock, written, running, failures, behind } = opened();
    behind.put("a", 1);
    behind.put("b", 1);
    const flushed = behind.flush();
    await expect.poll(() => running.length).toBe(1);
    behind.put("b", 2);
    running[0]!.fail();
    await flushed;
    expect(failures).toEqual([2]);
    await clock.advance(100);
    expect(new Map(written[1])).toEqual(
      new Map([
        ["a", 1],
        ["b", 2],
      ]),
    );
  });

  test("is one write at a time, and an end waits for the one that runs and writes what came since", async () => {
    const { written, running, behind } = opened();
    behind.put("a", 1);
    void behind.flush();
    await expect.poll(() => running.length).toBe(1);
    behind.put("a", 2);
    let stopped = false;
    const end = behind.stop().then(() => (stopped = true));
    await Promise.resolve();
    expect([running.length, stopped]).toEqual([1, false]);
    running[0]!.end();
    await expect.poll(() => running.length).toBe(2);
    expect([stopped, written[1]]).toEqual([false, [["a", 2]]]);
    running[1]!.end();
    await end;
  });

  test("leaves no timer behind after the end, also when the last write failed", async () => {
    const { clock, written, running, behind } = opened();
    behind.put("a", 1);
    const end = behind.stop();
    await expect.poll(() => running.length).toBe(1);
    running[0]!.fail();
    await end;
    behind.put("b", 1);
    await clock.advance(1000);
    expect(written).toHaveLength(1);
  });
});
