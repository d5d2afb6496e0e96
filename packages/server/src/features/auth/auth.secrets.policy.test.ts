import { expect, test } from "vitest";
import { fingerprintOfSecrets, lazyFingerprintOfSecrets, type Secrets } from "./auth.secrets.policy.ts";

const secrets: Secrets = { secret: "a", jwtSecret: "b", cookieSecret: "c" };
const first = fingerprintOfSecrets(secrets);

test.each<[string, Secrets]>([
  ["the secret of stored data", { ...secrets, secret: "x" }],
  ["a secret that was removed", { ...secrets, secret: null }],
  ["the secret of user tokens", { ...secrets, jwtSecret: "x" }],
  ["the secret of cookies", { ...secrets, cookieSecret: "x" }],
  ["two secrets that changed places", { ...secrets, jwtSecret: "c", cookieSecret: "b" }],
  ["the same letters, divided in another way", { secret: "ab", jwtSecret: "", cookieSecret: "c" }],
])("%s ends the sessions", (_what, changed) => {
  expect(fingerprintOfSecrets(changed)).not.toBe(first);
});

test("a secret that is empty is none", () => {
  expect(fingerprintOfSecrets({ ...secrets, secret: "" })).toBe(fingerprintOfSecrets({ ...secrets, secret: null }));
});

test("stays what it was, or an update would sign everyone out", () => {
  expect(first).toBe("iX20rzO-FTiIEu8uaF1jCIH0U9sWfrYz");
});

test("does not contain a secret", () => {
  const long = { secret: "first-secret", jwtSecret: "second-secret", cookieSecret: "third-secret" };
  expect(fingerprintOfSecrets(long)).toMatch(/^[\w-]{32}$/);
  for (const one of Object.values(long)) expect(fingerprintOfSecrets(long)).not.toContain(one);
});

test("is derived at the first use, and once", () => {
  let reads = 0;
  const counted: Secrets = {
    ...secrets,
    get jwtSecret() {
      reads += 1;
      return "b";
    },
  };
  const lazy = lazyFingerprintOfSecrets(counted);
  expect(reads).toBe(0);
  expect([lazy(), lazy(), reads]).toEqual([first, first, 1]);
});
