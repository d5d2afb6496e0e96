import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cookieProblem } from "./auth.cookie.policy.ts";

const settings = (domain: string, publicUrl: string) => ({ domain, publicUrl });
const city = settings("city.example", "https://cad.city.example");

describe("a browser stores the cookie", () => {
  test.each([
    ["of its own host", "https://city.example", city],
    ["of the domain above it", "https://cad.city.example", city],
    ["of a domain that is named with a dot", "https://cad.city.example", settings(".city.example", "https://cad.city.example")],
    ["whatever the case of the domain", "https://cad.city.example", settings("City.Example", "https://cad.city.example")],
    ["at any port", "https://cad.city.example:8443", city],
    ["over http, where the panel has no https", "http://192.168.1.7:8080", settings("192.168.1.7", "http://192.168.1.7:8080")],
    ["over http on its own machine", "http://localhost:8080", settings("localhost", "https://localhost")],
    ["over http on a name below localhost", "http://cad.localhost", settings("localhost", "https://cad.localhost")],
  ])("%s", (_what, origin, given) => {
    expect(cookieProblem(origin, given)).toBeNull();
  });
});

describe("a browser drops the cookie", () => {
  const publicUrl = city.publicUrl;
  test.each([
    [
      "of a name that only ends alike",
      "https://evilcity.example",
      city,
      "http.sessions.domain",
      "city.example",
      "evilcity.example",
    ],
    ["of a domain below its own", "https://example", city, "http.sessions.domain", "city.example", "example"],
    [
      "of a name, on the page of an address",
      "http://127.0.0.1:8080",
      settings("localhost", "http://localhost:8080"),
      "http.sessions.domain",
      "localhost",
      "127.0.0.1",
    ],
    ["over http, when the panel has https", "http://city.example", city, "http.publicURL", publicUrl, "http://city.example"],
  ])("%s", (_what, origin, given, option, value, seen) => {
    expect(cookieProblem(origin, given)).toEqual({ option, value, seen });
  });
});

test("a caller without an origin is no browser", () => {
  for (const origin of [undefined, "null", ["https://a.example", "https://b.example"]])
    expect(cookieProblem(origin, city)).toBeNull();
});

test("a page is in the domain exactly when its name is the domain or ends with a dot and the domain", () => {
  const label = fc.stringMatching(/^[a-z0-9]{1,8}$/);
  fc.assert(
    fc.property(label, fc.constantFrom("", ".", "-"), (name, joint) => {
      const problem = cookieProblem(`https://${name}${joint}city.example`, city);
      expect(problem === null).toBe(joint === ".");
    }),
    { seed: 25, numRuns: 200 },
  );
});
