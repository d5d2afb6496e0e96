import ipaddr from "ipaddr.js";

const globalUnicast: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];

/**
 * Whether an address belongs to the public internet. `address` is an IP literal; everything else,
 * and every address of a special purpose, is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  // Addresses that only carry an IPv4 one (`::127.0.0.1`) or belong to one site lie outside.
  return parsed.kind() === "ipv4" || (parsed as ipaddr.IPv6).match(globalUnicast);
}

/** An IP literal in its one spelling, an IPv4 one inside IPv6 taken out; null for anything else. */
export function plainAddress(address: string): string | null {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : null;
}

/** The host of an address as `OutgoingReach` takes it. */
export function plainHost({ hostname }: URL): string {
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return plainAddress(host) ?? host.toLowerCase();
}
