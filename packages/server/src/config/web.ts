import ipaddr from "ipaddr.js";
import { accept, refuse, type Parsed } from "./parsed.ts";

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;

export function isHostName(text: string): boolean {
  return text.length <= 253 && text.split(".").every((part) => label.test(part));
}

function parseHttp(text: string): URL | null {
  if (!/^https?:\/\/[^/\s]/i.test(text) || /\s/.test(text)) return null;
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

function withoutScheme(text: string, example: string) {
  const instead = /^[a-z0-9.-]+(:\d+)?(\/.*)?$/i.test(text) ? `write https://${text}` : `write for example ${example}`;
  return refuse(`"${text}" is not an http or https address`, instead);
}

/** Parses an http or https URL; the result has no trailing slash. */
export function parseHttpUrl(text: string, example = "https://rollcall.example.org"): Parsed<string> {
  const url = parseHttp(text);
  if (!url) return withoutScheme(text, example);
  if (url.username || url.password) return refuse("the address contains credentials", "write it without user and password");
  return accept(url.href.replace(/\/+$/, ""));
}

/** Parses the public base URL: scheme and host, optionally a path; no query and no fragment. */
export function parsePublicUrl(text: string): Parsed<string> {
  const parsed = parseHttpUrl(text);
  if (!("value" in parsed)) return parsed;
  const url = new URL(text);
  if (url.search || url.hash) return refuse(`"${text}" has a query or fragment`, `write ${url.origin}`);
  if (url.pathname !== "/")
    return refuse(`"${text}" has a path, but pages are served from the root of a host`, `write ${url.origin}`);
  return accept(url.origin);
}

/** Parses a browser origin: scheme, host and port only. */
export function parseOrigin(text: string): Parsed<string> {
  if (text === "*")
    return refuse(
      '"*" would let every web site act for signed-in users',
      "write each origin, for example https://rollcall.example.org",
    );
  const url = parseHttp(text);
  if (!url) return withoutScheme(text, "https://rollcall.example.org");
  if (url.username || url.password) return refuse("the origin contains credentials", `write ${url.origin}`);
  if (url.hostname.includes("*")) return refuse(`"${text}" has a wildcard`, "write each origin in full");
  if (url.pathname !== "/" || url.search || url.hash || text.endsWith("/")) {
    return refuse(`"${text}" has more than scheme, host and port`, `write ${url.origin}`);
  }
  return accept(url.origin);
}

/** Parses the Domain attribute of cookies: a bare host name; a leading dot is dropped as browsers do. */
export function parseCookieDomain(text: string): Parsed<string> {
  const bare = text.replace(/^\./, "").toLowerCase();
  const url = parseHttp(text);
  if (url) return refuse(`"${text}" is a URL`, `write only the host: ${url.hostname}`);
  const withPort = /^([^:/]+)[:/]/.exec(bare);
  if (withPort && isHostName(withPort[1]!))
    return refuse(`"${text}" is more than a host name`, `write only the host: ${withPort[1]}`);
  if (!isHostName(bare) && !ipaddr.isValid(bare))
    return refuse(`"${text}" is not a host name`, "write for example rollcall.example.org");
  return accept(bare);
}

/** Whether a browser accepts a cookie of `domain` on a page of `host`. */
export function domainCovers(domain: string, host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, "");
  return bare === domain || (bare.endsWith(`.${domain}`) && !ipaddr.isValid(bare));
}

/** Parses a trusted proxy: one IP address or a CIDR range. */
export function parseProxyRange(text: string): Parsed<string> {
  const [address = "", prefix, ...rest] = text.split("/");
  const v4 = ipaddr.IPv4.isValidFourPartDecimal(address);
  if (rest.length > 0 || (!v4 && !(address.includes(":") && ipaddr.IPv6.isValid(address)))) {
    return refuse(`"${text}" is not an IP address or CIDR range`, "write for example 127.0.0.1 or 10.0.0.0/8");
  }
  const longest = v4 ? 32 : 128;
  if (prefix !== undefined && (!/^\d{1,3}$/.test(prefix) || Number(prefix) > longest)) {
    return refuse(
      `"/${prefix}" is not a prefix length`,
      `write ${address}/0 to ${address}/${longest}, for one address ${address}`,
    );
  }
  const everyone = prefix !== undefined && Number(prefix) === 0;
  const warning = refuse(`${text} lets every client choose its own address`, "list only your reverse proxies", {
    code: "everyProxy",
    params: { address: text },
  });
  return accept(text, everyone ? [warning] : []);
}

/** Parses an S3-compatible endpoint, `host[:port]` or an http(s) URL, into a URL. */
export function parseEndpoint(text: string): Parsed<{ readonly scheme: "http" | "https" | null; readonly host: string }> {
  const url = parseHttp(text) ?? parseHttp(`https://${text}`);
  if (
    !url ||
    url.pathname !== "/" ||
    url.search ||
    url.hash ||
    url.username ||
    (!/^https?:/i.test(text) && text.includes("://"))
  ) {
    return refuse(`"${text}" is not the address of an object store`, "write for example https://s3.example.org or minio:9000");
  }
  const scheme = /^(https?):/i.exec(text)?.[1]?.toLowerCase() as "http" | "https" | undefined;
  return accept({ scheme: scheme ?? null, host: url.host });
}
