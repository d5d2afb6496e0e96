import { isIPv4, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * The canonical form of an IP address, or null if the text is not one: IPv6 compressed and in lower
 * case, without its zone, and as IPv4 if it is an IPv4-mapped address.
 */
export function addressOf(text: string): string | null {
  // The parser alone would also accept forms that other programs refuse, such as 127.1.
  if (isIPv4(text)) return text;
  if (!isIPv6(text)) return null;
  // The parser reads ::192.0.2.1 as IPv4 but ::c000:201, the same address, as IPv6: the zero keeps both IPv6.
  const address = ipaddr.process(text.split("%", 1)[0]!.replace(/^::(?=\d+\.)/, "0::"));
  return address instanceof ipaddr.IPv6 ? address.toRFC5952String() : address.toString();
}

const withPort = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/;

/** The address in an entry of a forwarding header, which may have brackets and a port. */
export function forwardedAddress(text: string): string | null {
  const plain = text.trim();
  const [, bracketed, bare, port = "0"] = withPort.exec(plain) ?? [];
  if (Number(port) > 65_535) return null;
  if (bracketed !== undefined) return isIPv6(bracketed) ? addressOf(bracketed) : null;
  return addressOf(bare ?? plain);
}

function prefixOf(address: string, bits: number): string | null {
  const one = addressOf(address);
  if (one === null || !one.includes(":")) return null;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${one}/${bits}`).toRFC5952String()}/${bits}`;
}

/** The network that counts as one client: an IPv4 address, or the /64 that one IPv6 customer gets. */
export function networkOf(address: string): string {
  return prefixOf(address, 64) ?? addressOf(address) ?? address;
}

/** The /48 around an IPv6 address, which one customer may have as well; null for IPv4. */
export function siteOf(address: string): string | null {
  return prefixOf(address, 48);
}

/** The range that one customer may have: the /24 around an IPv4 address, the /48 around an IPv6 one. */
export function widerNetworkOf(address: string): string {
  const one = addressOf(address) ?? address;
  return siteOf(one) ?? one.replace(/^(\d+\.\d+\.\d+)\.\d+$/, "$1.0/24");
}
