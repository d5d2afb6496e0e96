import { expect, test } from "vitest";
import { secretWeakness } from "#core/secrets.ts";
import { createTestClock } from "#testkit/clock.ts";
import { createRateLimiter, rateLimits } from "./rate.ts";
import { createSyncTokens } from "./sync-token.ts";

test("a token that the configuration reports as short is protected against guessing, whatever its characters", () => {
  const token = "🔑".repeat(12);
  expect(secretWeakness(token)).toBe("short");
  const isToken = createSyncTokens([token], createRateLimiter(createTestClock(), rateLimits));
  expect(isToken(token, "203.0.113.7")).toBe(true);
  for (let i = 0; i < rateLimits.syncGuess.burst; i += 1) expect(isToken(`guess ${i}`, "203.0.113.7")).toBe(false);
  expect(() => isToken(token, "203.0.113.7")).toThrow();
});
