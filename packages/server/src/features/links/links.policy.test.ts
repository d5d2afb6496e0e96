import { describe, expect, test } from "vitest";
import type { Actor } from "#core/actor.ts";
import { checkExpiry, issuerName, labelOf, secretHash, stateOf } from "./links.policy.ts";

describe("what is stored of a secret", () => {
  const stored = secretHash("7K2M-Q9XA-01");

  test.each(["7k2m-q9xa-01", "7K2MQ9XA01", " 7K2M Q9XA 01 ", "7K2M-Q9XA-OI", "7k2m–q9xa–ol"])("is the same for %j", (typed) => {
    expect(secretHash(typed)).toBe(stored);
  });

  test("differs for another secret, and does not show it", () => {
    expect(secretHash("7K2M-Q9XA-02")).not.toBe(stored);
    expect(stored).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("who issued a link", () => {
  const from = { address: "10.0.0.1", traceId: "t" };
  const account = { username: "sync", accountId: 1, ...from };

  test.each<[string, Actor, string]>([
    ["the game server", { kind: "sync", tokenFingerprint: "0123456789ab", ...from }, "sync 0123456789ab"],
    ["an operator at the command line", { kind: "cli", user: "root" }, "root"],
    ["an account", { kind: "account", ...account } as Actor, "sync"],
    ["a character, by the name of its account", { kind: "character", ...account } as Actor, "sync"],
    ["the program", { kind: "system", name: "accounts.cleanUp" }, "system"],
    ["nobody who signed in", { kind: "anonymous", ...from }, "anonymous"],
  ])("%s", (_what, actor, name) => {
    expect(issuerName(actor)).toBe(name);
  });
});

test.each<[string, { expires_at: number; sync_token: string | null } | null, string]>([
  ["no row", null, "invalid"],
  ["one that expires later", { expires_at: 11, sync_token: null }, "open"],
  ["one that expires now", { expires_at: 10, sync_token: null }, "invalid"],
  ["one of a configured sync token", { expires_at: 11, sync_token: "here" }, "open"],
  ["one of a sync token that was taken out", { expires_at: 11, sync_token: "gone" }, "withdrawn"],
  ["an expired one of a sync token that was taken out", { expires_at: 9, sync_token: "gone" }, "invalid"],
])("the state of %s", (_what, row, expected) => {
  expect(stateOf(row, 10, ["here"])).toBe(expected);
});

test.each([
  [11, true],
  [110, true],
  [111, false],
  [10, false],
])("a link that expires at %i may be issued: %s", (expiresAt, may) => {
  const check = () => checkExpiry({ id: "a.link", maxAgeMs: 100 }, expiresAt, 10);
  if (may) expect(check).not.toThrow();
  else expect(check).toThrow(RangeError);
});

test("labels are cut between characters", () => {
  expect(labelOf("Dispatch")).toBe("Dispatch");
  expect(labelOf("👋".repeat(70))).toBe("👋".repeat(60));
});
