import ipaddr from "ipaddr.js";
import type { ListenAddress } from "#core/dsn.ts";
import { accept, refuse, type Parsed } from "./parsed.ts";
import { isHostName } from "./web.ts";

const shape = /^(?:\[([^\]]*)\]|([^:[\]]*)):(\d{1,5})$/;

/** Parses a Go-style listen address: `:8080`, `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`. */
export function parseListen(text: string): Parsed<ListenAddress> {
  const match = shape.exec(text);
  if (!match) return refuse(`"${text}" is not a listen address`, remedy(text));
  const [, bracketed, plain, portText] = match;
  const port = Number(portText);
  if (port > 65_535) return refuse(`port ${portText} is above 65535`, "write a port from 1 to 65535, for example :8080");
  if (bracketed !== undefined) {
    if (!ipaddr.IPv6.isValid(bracketed)) return refuse(`"${bracketed}" is not an IPv6 address`, "write for example [::1]:8080");
    return accept({ host: bracketed, port });
  }
  const host = plain ?? "";
  if (host === "") return accept({ host: null, port });
  if (/^[\d.]+$/.test(host) ? !ipaddr.IPv4.isValidFourPartDecimal(host) : !isHostName(host)) {
    return refuse(`"${host}" is not an address of this machine`, "write for example 127.0.0.1:8080 or :8080");
  }
  return accept({ host, port });
}

function remedy(text: string): string {
  if (/^\d{1,5}$/.test(text)) return `write ":${text}" or "127.0.0.1:${text}"`;
  if (/^https?:\/\//.test(text)) return "write it without http://, for example :8080 or 127.0.0.1:8080";
  return "write :PORT or HOST:PORT, for example :8080, 127.0.0.1:8080 or [::1]:8080";
}

/** Whether only this machine can reach the address. */
export function isLoopback(address: ListenAddress): boolean {
  if (address.host === null) return false;
  if (address.host === "localhost" || address.host.endsWith(".localhost")) return true;
  return ipaddr.isValid(address.host) && ipaddr.process(address.host).range() === "loopback";
}

/** Whether two listeners would use the same socket. */
export function listensCollide(a: ListenAddress, b: ListenAddress): boolean {
  if (a.port !== b.port || a.port === 0) return false;
  return a.host === null || b.host === null || a.host === b.host || isWildcard(a.host) || isWildcard(b.host);
}

function isWildcard(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}
