import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPictures } from "#infra/pictures/index.ts";
import { createTestClock } from "#testkit/clock.ts";
import { drawingBomb } from "#testkit/pictures.ts";
import { ask, clearStages, closePictures, type Origin, pictureOf, stage, startOrigin } from "./imageproxy.testkit.ts";

let origin: Origin;
beforeEach(async () => {
  const picture = await pictureOf();
  origin = await startOrigin(({ url }, response) => response.end(url?.startsWith("/bomb") ? drawingBomb() : picture));
});
afterEach(async () => {
  await origin.stop();
  clearStages();
});
afterAll(closePictures);

const limitMs = 800;

/** A clock that the test advances, and the number of tasks whose limit is running. */
function limitClock(ms: number) {
  const clock = createTestClock();
  const limits = new Set<object>();
  const setTimeout: typeof clock.setTimeout = (action, after) => {
    const timer = clock.setTimeout(() => {
      limits.delete(timer);
      action();
    }, after);
    if (after === ms) limits.add(timer);
    return {
      cancel() {
        limits.delete(timer);
        timer.cancel();
      },
    };
  };
  return { clock: { ...clock, setTimeout }, running: () => limits.size };
}

describe("a drawing that takes forever", () => {
  const named = async (staged: ReturnType<typeof stage>, route: string, requester: string) =>
    await ask(staged, `http://images.city.example:${origin.port}${route}`, "configuration", requester, true);

  test("is aborted at the limit, while others continue", async () => {
    const { clock, running } = limitClock(limitMs);
    const pictures = createPictures({ clock, limitMs });
    const staged = stage({ pictures });
    // One process is for the drawing, the other for the others.
    await Promise.all([named(staged, "/1.png", "a"), named(staged, "/2.png", "b")]);
    const order: string[] = [];
    const record = (name: string) => (end: string) => void order.push(`${name} ${end}`);
    const bomb = named(staged, "/bomb1.svg", "a").then(record("bomb"));
    await expect.poll(running).toBe(1);
    for (let i = 0; i < 10; i += 1) await named(staged, `/other${i}.png`, "b").then(record("other"));
    await clock.advance(limitMs - 1);
    expect([order.includes("bomb tooLarge"), running()]).toEqual([false, 1]);
    await clock.advance(1);
    await bomb;
    expect(order).toEqual([...Array.from({ length: 10 }, () => "other fetched"), "bomb tooLarge"]);
    expect(await named(staged, "/after.png", "a")).toBe("fetched");
    expect(pictures.processes).toBeLessThanOrEqual(2);
    await pictures.close();
    expect(pictures.processes).toBe(0);
  }, 60_000);

  test("uses the budget of its requester, not of the others", async () => {
    const { clock, running } = limitClock(limitMs);
    const budget = { burstMs: limitMs + 200, msPerSecond: 1 };
    const pictures = createPictures({ clock, limitMs, sites: { budget } });
    const staged = stage({ pictures });
    const many = Array.from({ length: 6 }, async (_one, i) => await named(staged, `/bomb${i}.svg`, "a"));
    const others = Array.from({ length: 6 }, async (_one, i) => await named(staged, `/${i}.png`, `b${i}`));
    await Promise.all(others);
    expect(staged.outcomes.splice(0)).toEqual(Array.from({ length: 6 }, () => "fetched"));
    // The first leaves 200 ms, with which the second begins.
    for (let drawing = 0; drawing < 2; drawing += 1) {
      await expect.poll(running).toBe(1);
      await clock.advance(limitMs);
    }
    await Promise.all(many);
    expect(staged.outcomes.toSorted()).toEqual(["busy", "busy", "busy", "busy", "tooLarge", "tooLarge"]);
    expect(await named(staged, "/mine.png", "a")).toBe("busy");
    await pictures.close();
  }, 60_000);
});
