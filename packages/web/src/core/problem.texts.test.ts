import { expect, it } from "vitest";
import { Problem } from "#core/problem.ts";
import { withText } from "#core/problem.texts.ts";
import { settle, testClock } from "./testkit.ts";

const problem = new Problem("citizens.notFound", 404);

it("waits for the text of a problem, and shows the problem without it when it cannot be loaded", async () => {
  const asked: string[] = [];
  const clock = testClock();
  const load = async (code: string) => void asked.push(code);
  expect(await withText(problem, { clock, load })).toBe(problem);
  expect(asked).toEqual(["citizens.notFound"]);
  expect(await withText(problem, { clock, load: async () => await Promise.reject(new TypeError("offline")) })).toBe(problem);
  expect(clock.pending()).toBe(0);
});

it("waits for three seconds at most", async () => {
  const clock = testClock();
  let isShown = false;
  const waiting = withText(problem, { clock, load: async () => await new Promise(() => undefined) });
  void waiting.then(() => (isShown = true));
  await settle();
  await clock.advance(2_999);
  expect(isShown).toBe(false);
  await clock.advance(1);
  expect(await waiting).toBe(problem);
});
