import { describe, expect, test } from "vitest";
import { fetchable, formatOf, freshUntil, hostRules } from "./imageproxy.policy.ts";

describe("URLs to fetch", () => {
  test.each([
    ["https://images.example.org/a.png", "https://images.example.org/a.png"],
    ["HTTPS://IMAGES.Example.ORG:443/a%20b.png#part", "https://images.example.org/a%20b.png"],
    ["https://bücher.example/ä.png", "https://xn--bcher-kva.example/%C3%A4.png"],
    ["http://0x7f.1/", "http://127.0.0.1/"],
  ])("%s is fetched as %s", (text, href) => expect(fetchable(text)?.href).toBe(href));

  test.each([
    "http://images.example.org/\r\nx-header: 1",
    "http://images.exa\nmple.org/",
    " http://images.example.org/",
    "http://images.example.org/a b",
    "http://me:secret@images.example.org/",
    "http://me@images.example.org/",
    "http://@images.example.org/",
    "http://images.example.org\\@evil.example/",
    "ftp://images.example.org/",
    "file:///etc/passwd",
    "data:image/png;base64,AAAA",
    "javascript:alert(1)",
    "//images.example.org/",
    "/a.png",
    "",
    `http://images.example.org/${"x".repeat(2000)}`,
    `http://images.example.org/${"ä".repeat(700)}`,
  ])("%j is not fetched", (text) => expect(fetchable(text)).toBeNull());
});

describe("hosts", () => {
  const rules = hostRules(
    [
      "exact.example.org",
      "*.below.example",
      "203.0.113.0/24",
      "2001:db8:7::/48",
      "10.1.2.3",
      "::ffff:10.9.0.0/112",
      "dot.example.",
    ],
    ["bad.below.example", "*.worse.below.example", "203.0.113.66"],
  );
  test.each([
    ["exact.example.org", true],
    ["sub.exact.example.org", false],
    ["evil-exact.example.org", false],
    ["exact.example.org.evil.example", false],
    ["a.below.example", true],
    ["a.b.below.example", true],
    ["below.example", false],
    [".below.example", false],
    ["evil-below.example", false],
    ["bad.below.example", false],
    ["worse.below.example", true],
    ["even.worse.below.example", false],
    ["dot.example", true],
    ["203.0.113.7", true],
    ["203.0.113.66", false],
    ["203.0.114.7", false],
    ["10.1.2.3", true],
    ["10.1.2.4", false],
    ["10.9.200.1", true],
    ["10.10.0.1", false],
    ["2001:db8:7::1", true],
    ["2001:db8:8::1", false],
    ["nowhere.example", false],
  ])("%s, named by people: %s", (host, allowed) => expect(rules.host(host, "people")).toBe(allowed));

  test("an empty list allows no host that people name, and denied hosts apply to all", () => {
    const none = hostRules([], ["ads.example.org"]);
    expect([none.host("images.example.org", "people"), none.host("8.8.8.8", "people")]).toEqual([false, false]);
    for (const namedBy of ["provider", "configuration"] as const) {
      expect(none.host("images.example.org", namedBy)).toBe(true);
      expect(none.host("ads.example.org", namedBy)).toBe(false);
    }
  });

  test("private addresses are only allowed by an address or a range, and refused when denied", () => {
    expect(rules.address("8.8.8.8", true)).toBe(true);
    expect(rules.address("10.1.2.3", false)).toBe(true);
    expect(rules.address("10.1.2.4", false)).toBe(false);
    expect(rules.address("127.0.0.1", false)).toBe(false);
    expect(rules.address("203.0.113.66", true)).toBe(false);
  });
});

test.each([
  ["\u0089PNG\r\n\u001a\n", "png"],
  ["\u00ff\u00d8\u00ff\u00e0", "jpeg"],
  ["GIF89a", "gif"],
  ["RIFF1234WEBPVP8", "webp"],
  ["\0\0\0\u001cftypavif", "avif"],
  ["<svg xmlns='x'>", "svg"],
  ["<?xml version='1.0'?><!-- a --><!DOCTYPE svg>\n<svg>", "svg"],
  ["RIFF1234WAVE", null],
  ["<html><svg>", null],
  ["%PDF-1.7", null],
  ["", null],
])("the bytes %j are %s", (text, format) => expect(formatOf(Buffer.from(text, "latin1"))).toBe(format));

test("many comments are matched fast", () => {
  const before = process.cpuUsage().user;
  expect(formatOf(Buffer.from("<!---->".repeat(142)))).toBeNull();
  expect(process.cpuUsage().user - before).toBeLessThan(100_000);
});

describe("how long a picture is fresh", () => {
  const now = Date.UTC(2026, 10, 20);
  const minutes = (headers: Record<string, string>) => (freshUntil(headers, 30 * 60_000, now) - now) / 60_000;
  test.each([
    [{}, 30],
    [{ "cache-control": "max-age=60" }, 30],
    [{ "cache-control": "public, max-age=7200" }, 120],
    [{ "cache-control": "max-age=7200", age: "3600" }, 60],
    [{ "cache-control": "max-age=60, s-maxage=7200" }, 120],
    [{ "cache-control": "no-store, max-age=7200" }, 30],
    [{ "cache-control": "max-age=999999999999" }, 7 * 24 * 60],
    [{ "cache-control": "max-age=nonsense" }, 30],
    [{ expires: "Fri, 20 Nov 2026 02:00:00 GMT" }, 120],
    [{ expires: "0" }, 30],
  ])("%j: %d minutes", (headers, expected) => expect(minutes(headers as Record<string, string>)).toBe(expected));
});
