import { describe, expect, test } from "vitest";
import type { Signer } from "#core/ports/index.ts";
import { syncTokenFingerprint } from "#core/sync-token.ts";
import { issuedBySync, keyedFingerprint, syncTokenFingerprints, tokenHash } from "./accounts.tokens.policy.ts";

describe("what is stored of a token that people type", () => {
  const stored = tokenHash("7K2M-Q9XA-01");

  test.each(["7k2m-q9xa-01", "7K2MQ9XA01", " 7K2M Q9XA 01 ", "7K2M-Q9XA-OI", "7k2m–q9xa–ol"])("is the same for %j", (typed) => {
    expect(tokenHash(typed)).toBe(stored);
  });

  test("differs for another token, and does not show it", () => {
    expect(tokenHash("7K2M-Q9XA-02")).not.toBe(stored);
    expect(stored).toMatch(/^[0-9a-f]{64}$/);
  });
});

test.each([
  ["sync 0123456789ab", true],
  ["root", false],
  ["sync", false],
])("a token of %j was requested by the game server: %s", (created_by, bySync) => {
  expect(issuedBySync({ created_by })).toBe(bySync);
});

describe("the fingerprint of the sync token that asked for an account token", () => {
  const signer = (key: string): Signer => ({
    sign: (purpose, text) => `${key}/${purpose}/${text}`,
    verify: () => false,
  });

  test("is among those of the configured tokens until the token is taken out", () => {
    const fingerprint = keyedFingerprint(signer("k"), syncTokenFingerprint("one"));
    expect(syncTokenFingerprints(signer("k"), ["two", "one"])).toContain(fingerprint);
    expect(syncTokenFingerprints(signer("k"), ["two"])).not.toContain(fingerprint);
    expect(syncTokenFingerprints(signer("k"), [])).toEqual([]);
  });

  test("depends on the key of the installation and never holds the token", () => {
    expect(syncTokenFingerprints(signer("k"), ["one"])).not.toEqual(syncTokenFingerprints(signer("other"), ["one"]));
    expect(syncTokenFingerprints(signer("k"), ["a-long-sync-token"]).join()).not.toContain("a-long-sync-token");
  });
});
