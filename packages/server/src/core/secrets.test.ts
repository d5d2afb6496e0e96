import { randomBytes, randomInt } from "node:crypto";
import { expect, it } from "vitest";
import { secretWeakness, weakSecrets } from "./secrets.ts";

it.each([
  ["your_generated_jwt_secret", "placeholder"],
  ["your_generated_cookie_secret", "placeholder"],
  ["LONG_RANDOM_API_TOKEN_FOR_DBSYNC", "placeholder"],
  ["(at least 24 random characters)", "placeholder"],
  ["changemechangemechangeme", "placeholder"],
  ["Change-Me-To-Something-Else", "placeholder"],
  ["aaaaaaaaaaaaaaaaaaaaaaaaa", "regular"],
  ["abcdabceabcfabcaabcdabce", "regular"],
  ["passwordpasswordpassword", "regular"],
  ["123456789012345678901234", "regular"],
  ["abcdefghijklmnopqrstuvwxyz", "regular"],
  ["zyxwvutsrqponmlkjihgfedcba", "regular"],
  ["short", "short"],
  ["correct horse battery staple", null],
  ["sync-token-for-e2e-tests-33333", null],
] as const)("%s is %s", (secret, weakness) => {
  expect(secretWeakness(secret)).toBe(weakness);
});

it("finds no fault in random secrets of the usual shapes", () => {
  for (let i = 0; i < 2_000; i++) {
    for (const encoding of ["hex", "base64", "base64url"] as const)
      expect(secretWeakness(randomBytes(24).toString(encoding))).toBeNull();
    const letters = Array.from({ length: 24 }, () => String.fromCodePoint(97 + randomInt(26))).join("");
    expect(secretWeakness(letters), letters).toBeNull();
  }
});

it("names the options, and leaves out what is not set", () => {
  const none = {
    secret: null,
    jwt: { secret: undefined },
    http: { sessions: { cookieSecret: undefined } },
    sync: { apiTokens: [] },
  };
  expect(weakSecrets(none)).toEqual([]);
  const some = {
    ...none,
    jwt: { secret: "your_generated_jwt_secret" },
    sync: { apiTokens: ["correct horse battery staple", "a"] },
  };
  expect(weakSecrets(some)).toEqual([
    { option: "jwt.secret", weakness: "placeholder" },
    { option: "sync.apiTokens[1]", weakness: "short" },
  ]);
});
