import { describe, expect, test } from "vitest";
import { instantProblem } from "./sync.times.api.ts";

const now = Date.UTC(2026, 10, 26);
const day = 86_400_000;

describe("an instant that a game server sends", () => {
  test.each([
    ["now", now, null],
    ["a month ago", now - 30 * day, null],
    ["in seconds", now / 1000, "this looks like seconds"],
    ["in seconds, of last year", (now - 400 * day) / 1000, "this looks like seconds"],
    ["in microseconds", now * 1000, "this looks like microseconds"],
    ["far ahead", 99_999_999_999_999, "this looks like microseconds or a later year"],
    ["since the start of a machine", 5, "older than 30 days"],
    ["more than a month ago", now - 31 * day, "older than 30 days"],
  ])("%s", (_what, at, problem) => {
    if (problem === null) expect(instantProblem(at, now)).toBeNull();
    else expect(instantProblem(at, now)).toContain(problem);
  });
});
