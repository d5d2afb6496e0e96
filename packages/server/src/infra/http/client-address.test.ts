import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { createClientAddress } from "./client-address.ts";

const trusted = ["10.0.0.0/8", "192.0.2.1", "2001:db8:9::/48", "::ffff:198.18.0.0/112"];

const from = (remoteAddress: string | undefined, header?: string | string[]) =>
  ({ socket: { remoteAddress }, headers: header === undefined ? {} : { "x-forwarded-for": header } }) as IncomingMessage;

test.each([
  ["the header of an unlisted peer is ignored", "203.0.113.1", "198.51.100.1", "203.0.113.1"],
  ["the last address that is not a listed proxy", "10.0.0.1", "198.51.100.1, 198.51.100.2, 10.0.0.2", "198.51.100.2"],
  ["the first proxy when all are listed", "10.0.0.1", "192.0.2.1, 10.0.0.2", "192.0.2.1"],
  [
    "an entry that is not an address ends the chain at the proxy that wrote it",
    "10.0.0.1",
    "198.51.100.1, unknown, 10.0.0.2:80",
    "10.0.0.2",
  ],
  ["an empty entry is not an address", "10.0.0.1", "198.51.100.1,", "10.0.0.1"],
  ["no header", "10.0.0.1", undefined, "10.0.0.1"],
  ["several headers form one list", "10.0.0.1", ["198.51.100.1", "198.51.100.2"], "198.51.100.2"],
  ["ranges of IPv6", "2001:db8:9:1::1", "[2001:DB8:1::1]:443", "2001:db8:1::1"],
  ["ranges of IPv4 written as IPv6", "198.18.0.9", "198.51.100.1", "198.51.100.1"],
  ["a proxy's address written as IPv6", "::ffff:10.0.0.1", "::ffff:198.51.100.1", "198.51.100.1"],
  ["a closed connection", undefined, "198.51.100.1", ""],
])("%s", (_what, remote, header, address) => {
  expect(createClientAddress(trusted)(from(remote, header))).toBe(address);
});

test("without listed proxies the header is ignored", () => {
  expect(createClientAddress([])(from("127.0.0.1", "198.51.100.1"))).toBe("127.0.0.1");
});
