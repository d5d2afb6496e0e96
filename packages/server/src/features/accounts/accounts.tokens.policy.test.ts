import { describe, expect, test } from "vitest";
import type { Actor } from "#core/actor.ts";
import type { Signer } from "#core/ports/index.ts";
import { syncTokenFingerprint } from "#core/sync-token.ts";
import { issuedBySync, issuerName, keyedFingerprint, syncTokenFingerprints, tokenHash } from "./accounts.tokens.policy.ts";

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

describe("who issued a token", () => {
  const from = { address: "10.0.0.1", traceId: "t" };
  const account = { username: "sync", accountId: 1, ...from };

  test.each<[string, Actor, string, boolean]>([
    ["the game server", { kind: "sync", tokenFingerprint: "0123456789ab", ...from }, "sync 0123456789ab", true],
    ["an operator at the command line", { kind: "cli", user: "root" }, "root", false],
    ["an account, also one that is called sync", { kind: "account", ...account } as Actor, "sync", false],
    ["a character, by the name of its account", { kind: "character", ...account } as Actor, "sync", false],
    ["the program", { kind: "system", name: "accounts.cleanUp" }, "system", false],
    ["nobody who signed in", { kind: "anonymous", ...from }, "anonymous", false],
  ])("%s", (_what, actor, name, bySync) => {
    expect(issuerName(actor)).toBe(name);
    expect(issuedBySync({ created_by: issuerName(actor) })).toBe(bySync);
  });
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
