import path from "node:path";
import ipaddr from "ipaddr.js";
import type { BrokerUrl, Dsn } from "#core/dsn.ts";
import { accept, isAccepted, refuse, type Parsed } from "./parsed.ts";
import { isHostName } from "./web.ts";

const remedy = "write nats://user:password@host:4222, or embedded:";

/** `nats.url` before the file of an embedded broker is known. */
export type ParsedBrokerUrl = Extract<BrokerUrl, { kind: "nats" }> | { readonly kind: "embedded" };

interface Server {
  readonly address: string;
  readonly tls: boolean;
  readonly user: string | null;
  readonly password: string | null;
}

/**
 * Parses `nats.url`: `embedded:`, or `nats://user:password@host:port`, also a comma list of a
 * cluster. Credentials are percent-decoded and may be in any entry. No message contains them.
 */
export function parseBrokerUrl(text: string): Parsed<ParsedBrokerUrl> {
  if (text === "embedded:") return accept({ kind: "embedded" });
  if (text.startsWith("embedded")) return refuse("embedded: must end with the colon", "write embedded:");
  const servers: Server[] = [];
  for (const entry of text.split(",")) {
    const server = parseServer(entry.trim());
    if (!isAccepted(server)) return server;
    servers.push(server.value);
  }
  const signedIn = servers.filter((server) => server.user !== null);
  const first = signedIn[0];
  if (signedIn.some((server) => server.user !== first!.user || server.password !== first!.password)) {
    return refuse(
      "the servers of the list have different credentials",
      "write the same user and password, or only in the first entry",
    );
  }
  const isToken = first !== undefined && first.password === null;
  return accept({
    kind: "nats",
    servers: servers.map((server) => server.address),
    user: isToken ? null : (first?.user ?? null),
    password: isToken ? null : (first?.password ?? null),
    token: isToken ? first.user : null,
    tls: servers.some((server) => server.tls),
  });
}

function parseServer(entry: string): Parsed<Server> {
  if (entry === "") return refuse("the list of servers has an empty entry", remedy);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(entry);
  const name = (scheme?.[1] ?? "nats").toLowerCase();
  if (name !== "nats" && name !== "tls") return refuse(`the scheme ${name}:// is not known`, remedy);
  const rest = (scheme ? entry.slice(scheme[0].length) : entry).replace(/\/$/, "");
  const at = rest.lastIndexOf("@");
  const address = readHost(rest.slice(at + 1));
  if (!isAccepted(address)) return address;
  if (at < 0) return accept({ address: address.value, tls: name === "tls", user: null, password: null });
  const credentials = rest.slice(0, at);
  const colon = credentials.indexOf(":");
  const user = decode(colon < 0 ? credentials : credentials.slice(0, colon));
  const password = colon < 0 ? null : decode(credentials.slice(colon + 1));
  if (user === undefined || password === undefined)
    return refuse("the credentials are not percent-encoded", "write % as %25, @ as %40 and , as %2C");
  if (user === "") return refuse("there is no user before the @", remedy);
  return accept({ address: address.value, tls: name === "tls", user, password });
}

function readHost(text: string): Parsed<string> {
  const match = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text);
  const host = match?.[1] ?? match?.[2] ?? "";
  const port = Number(match?.[3] ?? 4222);
  const valid = match?.[1] === undefined ? isHostName(host) : ipaddr.IPv6.isValid(host);
  if (!valid || port < 1 || port > 65_535) return refuse("a server is not HOST:PORT", remedy);
  return accept(match?.[1] === undefined ? `${host}:${port}` : `[${host}]:${port}`);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** The file of the embedded broker: next to the SQLite database, else under ./data. */
export function placeBroker(parsed: ParsedBrokerUrl, dsn: Dsn | undefined, cwd: string): BrokerUrl {
  if (parsed.kind === "nats") return parsed;
  const file = dsn?.kind === "sqlite" ? `${dsn.file}.broker` : path.resolve(cwd, "data/rollcall.broker");
  return { kind: "embedded", file };
}

/** The URL with masked passwords and tokens, for printing. */
export function hideBrokerCredentials(text: string): string {
  return text
    .split(",")
    .map((entry) => entry.replace(/^(\s*(?:[a-z][a-z0-9+.-]*:\/\/)?)(.*)@/i, "$1***@"))
    .join(",");
}
