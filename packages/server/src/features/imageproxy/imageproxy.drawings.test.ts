import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "#infra/clock.ts";
import { createPictures } from "#infra/pictures/index.ts";
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

describe("a drawing that takes forever", () => {
  const named = async (staged: ReturnType<typeof stage>, route: string, requester: string) =>
    await ask(staged, `http://images.city.example:${origin.port}${route}`, "configuration", requester, true);

  test("is aborted at the limit, while others continue", async () => {
    // Long enough for ten others on a busy machine.
    const pictures = createPictures({ clock: systemClock, limitMs: 5000 });
    const staged = stage({ pictures });
    // Starts both processes before the measurement.
    await Promise.all([named(staged, "/1.png", "a"), named(staged, "/2.png", "b")]);
    const order: string[] = [];
    const record = (name: string) => (end: string) => void order.push(`${name} ${end}`);
    const bomb = named(staged, "/bomb1.svg", "a").then(record("bomb"));
    for (let i = 0; i < 10; i += 1) await named(staged, `/other${i}.png`, "b").then(record("other"));
    await bomb;
    expect(order).toEqual([...Array.from({ length: 10 }, () => "other fetched"), "bomb tooLarge"]);
    expect(await named(staged, "/after.png", "a")).toBe("fetched");
    expect(pictures.processes).toBeLessThanOrEqual(2);
    await pictures.close();
    expect(pictures.processes).toBe(0);
  }, 60_000);

  test("uses the budget of its requester, not of the others", async () => {
    const budget = { burstMs: 1000, msPerSecond: 1 };
    const pictures = createPictures({ clock: systemClock, limitMs: 800, sites: { budget } });
    const staged = stage({ pictures });
    const many = Array.from({ length: 6 }, async (_one, i) => await named(staged, `/bomb${i}.svg`, "a"));
    const others = Array.from({ length: 6 }, async (_one, i) => await named(staged, `/${i}.png`, `b${i}`));
    const ended = await Promise.all(many);
    expect(ended.filter((end) => end === "tooLarge").length).toBeLessThanOrEqual(2);
    expect(new Set(ended)).toEqual(new Set(["busy", "tooLarge"]));
    expect(await Promise.all(others)).toEqual(Array.from({ length: 6 }, () => "fetched"));
    expect(await named(staged, "/mine.png", "a")).toBe("busy");
    await pictures.close();
  }, 60_000);
});
