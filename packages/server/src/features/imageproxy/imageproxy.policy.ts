import ipaddr from "ipaddr.js";
import type { NamedBy } from "./imageproxy.api.ts";
import { type PictureSize, pictureSizes } from "./imageproxy.contract.ts";

const longestUrl = 2000;

/**
 * The normalized URL to fetch, without its fragment. Null for anything but http and https, and for URLs
 * with credentials, blanks or line breaks.
 */
export function fetchable(text: string): URL | null {
  // The parser drops line breaks silently, but the URL that is checked has to be the one that was written.
  // oxlint-disable-next-line no-control-regex -- control characters are to be found
  if (text.length > longestUrl || /[\u0000-\u0020\u007f\\]/.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (!["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "") return null;
  if (url.hostname === "" || url.href.length > longestUrl || /^https?:\/*[^/?#]*@/i.test(text)) return null;
  url.hash = "";
  return url;
}

export function isPictureSize(size: number): size is PictureSize {
  return (pictureSizes as readonly number[]).includes(size);
}

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

interface Rules {
  readonly names: ReadonlySet<string>;
  /** Domains with a dot before them. */
  readonly below: readonly string[];
  readonly ranges: readonly Range[];
}

function rangeOf(rule: string): Range | null {
  if (ipaddr.isValidCIDR(rule)) {
    const [address, bits] = ipaddr.parseCIDR(rule);
    const mapped = address.kind() === "ipv6" && (address as ipaddr.IPv6).isIPv4MappedAddress() && bits >= 96;
    return mapped ? [(address as ipaddr.IPv6).toIPv4Address(), bits - 96] : [address, bits];
  }
  if (!ipaddr.isValid(rule)) return null;
  const address = ipaddr.process(rule);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

function rulesOf(list: readonly string[]): Rules {
  const names = new Set<string>();
  const below: string[] = [];
  const ranges: Range[] = [];
  for (const entry of list) {
    const rule = entry.toLowerCase().replace(/\.$/, "");
    const range = rangeOf(rule);
    if (range) ranges.push(range);
    else if (rule.startsWith("*.")) below.push(rule.slice(1));
    else names.add(rule);
  }
  return { names, below, ranges };
}

function inRanges(ranges: readonly Range[], address: string): boolean {
  const parsed = ipaddr.process(address);
  return ranges.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match(network, bits));
}

function matches(rules: Rules, host: string): boolean {
  if (ipaddr.isValid(host)) return inRanges(rules.ranges, host);
  return rules.names.has(host) || rules.below.some((domain) => host.endsWith(domain) && host.length > domain.length);
}

/** The hosts and addresses that pictures may come from, in the form of `OutgoingReach`. */
export interface HostRules {
  host(host: string, namedBy: NamedBy): boolean;
  /** Allows a private address only by an entry of `allowHosts` that is this address or a range with it. */
  address(address: string, isPublic: boolean): boolean;
}

/** The host of a URL as `HostRules` expect it. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

/** Denied hosts are refused even if allowed; with an empty `allowHosts`, people can name no host. */
export function hostRules(allowHosts: readonly string[], denyHosts: readonly string[]): HostRules {
  const [allow, deny] = [rulesOf(allowHosts), rulesOf(denyHosts)];
  return {
    host: (host, namedBy) => !matches(deny, host) && (namedBy !== "people" || matches(allow, host)),
    address: (address, isPublic) => !inRanges(deny.ranges, address) && (isPublic || inRanges(allow.ranges, address)),
  };
}

export type PictureFormat = "png" | "jpeg" | "gif" | "webp" | "avif" | "svg";

const signatures: readonly (readonly [PictureFormat, RegExp])[] = [
  ["png", /^\x89PNG\r\n\x1a\n/],
  ["jpeg", /^\xff\xd8\xff/],
  ["gif", /^GIF8[79]a/],
  ["webp", /^RIFF[^]{4}WEBPVP8/],
  ["avif", /^[^]{4}ftypavi[fs]/],
];

// A comment ends at the first `-->`. If it could also end later, matching many comments would take exponential time.
const svgStart = /^(?:\s|<\?xml[^>]*>|<!--(?:(?!-->)[^])*-->|<!DOCTYPE[^>]*>)*<svg[\s>]/i;

/** The format by the first bytes alone, whatever type the origin declares. */
export function formatOf(bytes: Uint8Array): PictureFormat | null {
  const head = Buffer.from(bytes.subarray(0, 1000));
  const start = head.toString("latin1");
  const known = signatures.find(([, pattern]) => pattern.test(start))?.[0];
  if (known !== undefined) return known;
  return svgStart.test(head.toString("utf8").replace(/^\uFEFF/, "")) ? "svg" : null;
}

const mostFreshMs = 7 * 24 * 60 * 60_000;

/** Milliseconds for which an answer is fresh by its headers; 0 without usable ones. */
function declaredFreshMs(headers: Readonly<Record<string, string>>, now: number): number {
  const control = (headers["cache-control"] ?? "").toLowerCase();
  if (/(?:^|[\s,])(?:no-store|no-cache)(?:$|[\s,=])/.test(control)) return 0;
  const seconds = /(?:^|[\s,])s-maxage="?(\d+)/.exec(control)?.[1] ?? /(?:^|[\s,])max-age="?(\d+)/.exec(control)?.[1];
  if (seconds !== undefined) return (Number(seconds) - (Number(headers["age"]) || 0)) * 1000;
  const expires = Date.parse(headers["expires"] ?? "");
  return Number.isNaN(expires) ? 0 : expires - now;
}

/** Until when a picture is served without a new request: by the headers, between `minimumMs` and a week. */
export function freshUntil(headers: Readonly<Record<string, string>>, minimumMs: number, now: number): number {
  return now + Math.max(minimumMs, Math.min(declaredFreshMs(headers, now), mostFreshMs));
}
