import ipaddr from "ipaddr.js";

const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/**
 * Whether an address is public. `address` is an IP literal; other texts and special-purpose addresses are
 * not public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  // IPv4-compatible (`::127.0.0.1`) and site-local addresses are outside this range.
  return parsed.kind() === "ipv4" || (parsed as ipaddr.IPv6).match(globalUnicast);
}

/** The canonical form of an IP literal, with IPv4-mapped addresses as IPv4; null for anything else. */
export function plainAddress(address: string): string | null {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : null;
}

/** The host of a URL in the form of `OutgoingReach.host`. */
export function plainHost({ hostname }: URL): string {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return plainAddress(host) ?? host.toLowerCase();
}
