import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import { addressOf, forwardedAddress } from "#core/network.ts";

type Range = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

function rangeOf(text: string): Range {
  const [address = "", bits] = text.split("/");
  const parsed = ipaddr.parse(address);
  const length = bits === undefined ? parsed.toByteArray().length * 8 : Number(bits);
  // IPv4-mapped addresses are compared as IPv4.
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress() && length >= 96) return [parsed.toIPv4Address(), length - 96];
  return [parsed, length];
}

/**
 * The client's address of a request: the nearest hop that is not a trusted proxy. An entry that is not
 * an address ends the search, so that the proxy itself counts and no unchecked text is stored.
 */
export function createClientAddress(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  const ranges = trustedProxies.map(rangeOf);
  const trusted = (address: string) => {
    const parsed = ipaddr.parse(address);
    return ranges.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
  };
  return ({ socket, headers }) => {
    // A closed connection has no address; its answer is never read.
    let nearest = addressOf((socket as IncomingMessage["socket"] | undefined)?.remoteAddress ?? "");
    if (nearest === null) return "";
    if (ranges.length === 0) return nearest;
    const hops = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
    while (hops.length > 0 && trusted(nearest)) {
      const next = forwardedAddress(hops.pop()!);
      if (next === null) break;
      nearest = next;
    }
    return nearest;
  };
}
