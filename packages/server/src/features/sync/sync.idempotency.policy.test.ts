import { expect, test } from "vitest";
import { fits, isRepetition, mostAnswerCharacters } from "./sync.idempotency.policy.ts";

const stored = { operation: "jobs.sync", input: "a" };

test.each([
  [stored, true],
  [{ ...stored, input: "b" }, false],
  [{ ...stored, operation: "jobs.syncDelete" }, false],
])("a call %j repeats the stored one: %j", (call, repeats) => expect(isRepetition(stored, call)).toBe(repeats));

test.each([
  [null, true],
  ["x".repeat(mostAnswerCharacters), true],
  ["x".repeat(mostAnswerCharacters + 1), false],
])("an answer is kept up to its limit", (body, kept) => expect(fits(body)).toBe(kept));
