import { expect, test } from "vitest";
import { addressOf, forwardedAddress, networkOf, siteOf, widerNetworkOf } from "./network.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::FFFF:CB00:7107", "203.0.113.7"],
  ["2001:DB8:0:0:0:0:0:1", "2001:db8::1"],
  ["fe80::1%eth0", "fe80::1"],
  ["::192.0.2.1", "::c000:201"],
  ["localhost", null],
  ["127.1", null],
  ["0x7f.0.0.1", null],
  ["", null],
])("%j is written as %j", (text, address) => {
  expect(addressOf(text)).toBe(address);
});

test.each([
  [" 203.0.113.7:443 ", "203.0.113.7"],
  ["[2001:db8::1]:65535", "2001:db8::1"],
  ["[fe80::1%3]", "fe80::1"],
  ["2001:db8::1:80", "2001:db8::1:80"],
  ["[203.0.113.7]", null],
  ["[2001:db8::1", null],
  ["2001:db8::1]:80", null],
  ["203.0.113.7:65536", null],
  ["203.0.113.7:", null],
  ["203.0.113.7:443:1", null],
  ["203.0.113.7, 203.0.113.8", null],
  ["unknown", null],
  ["_hidden", null],
  ["unix:", null],
])("a proxy's %j names %j", (text, address) => {
  expect(forwardedAddress(text)).toBe(address);
});

test("IPv6 is written as in the URL standard, however it was spelled", () => {
  let seed = 1;
  const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let i = 0; i < 2000; i += 1) {
    const groups = Array.from({ length: 8 }, () => (random(2) === 0 ? 0 : random(65_536)));
    const spelled = groups.map((group) => group.toString(16));
    const padded = spelled.map((group) => group.padStart(4, "0"));
    const expected = new URL(`http://[${spelled.join(":")}]`).hostname.slice(1, -1);
    if (expected.startsWith("::ffff:")) continue;
    for (const spelling of [spelled, padded].map((all) => all.join(":")))
      for (const one of [spelling, spelling.toUpperCase(), expected]) expect(addressOf(one)).toBe(expected);
  }
  expect(addressOf("64:ff9b::203.0.113.7")).toBe("64:ff9b::cb00:7107");
});

test("a network is an IPv4 address or the /64, a site the /48 around it", () => {
  const all = (of: (address: string) => string | null) =>
    ["203.0.113.7", "::ffff:203.0.113.7", "2001:db8:1:2::5", "2001:DB8:1:2:ffff::", "2001:db8::5", "::1"].map(of);
  expect(all(networkOf)).toEqual([
    "203.0.113.7",
    "203.0.113.7",
    "2001:db8:1:2::/64",
    "2001:db8:1:2::/64",
    "2001:db8::/64",
    "::/64",
  ]);
  expect(all(siteOf)).toEqual([null, null, "2001:db8:1::/48", "2001:db8:1::/48", "2001:db8::/48", "::/48"]);
});

test("a text that is not an address is a network of its own rather than an error", () => {
  expect([networkOf(""), networkOf("test"), siteOf("x:y:z")]).toEqual(["", "test", null]);
});

test.each([
  ["203.0.113.7", "203.0.113.7", "203.0.113.0/24"],
  ["::ffff:203.0.113.7", "203.0.113.7", "203.0.113.0/24"],
  ["2001:db8:1:2::7", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["2001:0DB8:0001:0002:0:0:0:7", "2001:db8:1:2::/64", "2001:db8:1::/48"],
  ["::1", "::/64", "::/48"],
  ["", "", ""],
])("%j belongs to %j and the wider %j", (address, network, wider) => {
  expect([networkOf(address), widerNetworkOf(address)]).toEqual([network, wider]);
});
