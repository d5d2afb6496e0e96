import { expect, test } from "vitest";
import { usernameKey, usernameValid } from "./accounts.policy.ts";

test("a user name fits where it is compared, however long its letters are written out", () => {
  for (const name of ["mara", "İbrahim", "ÄÖÜ.ß-1", "李小龙", "x".repeat(24), "İ".repeat(24)]) {
    expect([name, usernameValid(name)]).toEqual([name, true]);
    expect(usernameKey(name).length).toBeLessThanOrEqual(64);
  }
  expect(usernameValid("\uFDFA".repeat(24))).toBe(false);
  expect(usernameValid("ab")).toBe(false);
});
