import path from "node:path";
import ipaddr from "ipaddr.js";
import type { Dsn, MariadbDsn } from "#core/dsn.ts";
import { parseDuration } from "./duration.ts";
import { accept, isAccepted, refuse, type Complaint, type Parsed } from "./parsed.ts";
import { isHostName } from "./web.ts";

const example = "user:password@tcp(127.0.0.1:3306)/rollcall?collation=utf8mb4_unicode_ci&parseTime=True&loc=Europe%2FBerlin";
const shapeRemedy = `write ${example}, or sqlite:./data/rollcall.db`;

/**
 * Parses `database.dsn`: `sqlite:FILE?loc=ZONE`, or the Go MySQL shape
 * `user:password@tcp(host:port)/database?collation=..&parseTime=True&loc=ZONE`.
 * Relative files are resolved against `cwd`. No message contains the password.
 */
export function parseDsn(text: string, cwd: string): Parsed<Dsn> {
  if (text.startsWith("sqlite:")) return parseSqlite(text.slice("sqlite:".length), cwd);
  // A password may begin with //, so the text counts as a URL only without @tcp( or @unix(.
  if (/^[a-z+]+:\/\//i.test(text) && !/@(?:tcp|unix)\(/.test(text))
    return refuse(`the scheme ${text.slice(0, text.indexOf(":") + 3)} is not known`, shapeRemedy);
  return parseMysql(text);
}

function parseSqlite(rest: string, cwd: string): Parsed<Dsn> {
  const question = rest.indexOf("?");
  const file = (question < 0 ? rest : rest.slice(0, question)).replace(/^\/\/(?=\/)/, "");
  if (file === "" || file.endsWith("/")) return refuse("the database file is missing", "write sqlite:./data/rollcall.db");
  if (file.startsWith(":memory:") || file.startsWith("//")) {
    return refuse("an in-memory database would lose its data at a restart", "write sqlite:./data/rollcall.db");
  }
  const parameters = readParameters(question < 0 ? "" : rest.slice(question + 1), ["loc"]);
  if (!isAccepted(parameters)) return parameters;
  const zone = readZone(parameters.value.get("loc"));
  if (!isAccepted(zone)) return zone;
  return accept({ kind: "sqlite", file: path.resolve(cwd, file), zone: zone.value }, parameters.warnings);
}

/** Splits like the Go driver: at the last `/`, then the last `@` before it, then the first `:` before that. */
function parseMysql(text: string): Parsed<Dsn> {
  const slash = text.lastIndexOf("/");
  if (slash < 0) return refuse("the DSN has no / before the database name", shapeRemedy);
  const head = text.slice(0, slash);
  const tail = text.slice(slash + 1);
  const unencoded = /[?&]loc=[^&/@]*$/.exec(head);
  if (unencoded)
    return refuse("the zone of loc= contains an unencoded /", `write %2F for it: ${unencoded[0].slice(1)}%2F${tail}`);
  const at = head.lastIndexOf("@");
  if (at < 0) return refuse("the DSN has no user before an @", shapeRemedy);
  const credentials = head.slice(0, at);
  const colon = credentials.indexOf(":");
  const user = colon < 0 ? credentials : credentials.slice(0, colon);
  if (user === "") return refuse("the DSN has no user name", shapeRemedy);
  const address = readAddress(head.slice(at + 1));
  if (!isAccepted(address)) return address;
  const question = tail.indexOf("?");
  const database = readDatabase(question < 0 ? tail : tail.slice(0, question));
  if (!isAccepted(database)) return database;
  const settings = readMysqlParameters(question < 0 ? "" : tail.slice(question + 1));
  if (!isAccepted(settings)) return settings;
  const password = colon < 0 ? "" : credentials.slice(colon + 1);
  const dsn: MariadbDsn = {
    kind: "mariadb",
    user,
    password,
    address: address.value,
    database: database.value,
    ...settings.value,
  };
  return accept(dsn, settings.warnings);
}

function readAddress(text: string): Parsed<MariadbDsn["address"]> {
  const match = /^([a-z0-9]*)\((.*)\)$/i.exec(text);
  if (!match) return refuse(`the address "${text}" is not inside tcp( )`, `write tcp(${text || "127.0.0.1:3306"})`);
  const [, network, inner = ""] = match;
  if (network === "unix") {
    return inner.startsWith("/")
      ? accept({ socket: inner })
      : refuse("the socket is not an absolute path", "write unix(/run/mysqld/mysqld.sock)");
  }
  if (network !== "tcp") return refuse(`the network "${network}" is not known`, "write tcp(host:port) or unix(/path)");
  const hostPort = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(inner);
  const host = hostPort?.[1] ?? hostPort?.[2] ?? "";
  const port = Number(hostPort?.[3] ?? 3306);
  const valid = hostPort?.[1] === undefined ? isHostName(host) : ipaddr.IPv6.isValid(host);
  if (!valid || port < 1 || port > 65_535) return refuse(`"${inner}" is not HOST:PORT`, "write for example tcp(127.0.0.1:3306)");
  return accept({ host, port });
}

function readDatabase(text: string): Parsed<string> {
  const name = decode(text);
  if (name === null || name === "")
    return refuse("the database name is missing or malformed", "write it after the last /, for example /rollcall?loc=UTC");
  return accept(name);
}

type MysqlSettings = Omit<MariadbDsn, "kind" | "user" | "password" | "address" | "database">;
const tlsModes: Readonly<Record<string, MariadbDsn["tls"]>> = {
  false: "off",
  true: "verify",
  "skip-verify": "skip-verify",
  preferred: "preferred",
};

function readMysqlParameters(text: string): Parsed<MysqlSettings> {
  const known = ["collation", "parseTime", "loc", "tls", "timeout", "readTimeout", "writeTimeout"];
  const parameters = readParameters(text, known);
  if (!isAccepted(parameters)) return parameters;
  const get = (name: string) => parameters.value.get(name);
  const collation = get("collation") ?? "utf8mb4_unicode_ci";
  if (!/^utf8mb4_[a-z0-9_]+$/i.test(collation)) {
    return refuse(`the collation "${collation}" does not store every character`, "write collation=utf8mb4_unicode_ci");
  }
  if (!/^(true|false|1|0|t|f)$/i.test(get("parseTime") ?? "True"))
    return refuse("parseTime is not a boolean", "write parseTime=True");
  const tls = tlsModes[(get("tls") ?? "false").toLowerCase()];
  if (tls === undefined) return refuse(`tls=${get("tls")} is not known`, "write tls=true, skip-verify, preferred or false");
  const zone = readZone(get("loc"));
  if (!isAccepted(zone)) return zone;
  const times: number[] = [];
  for (const name of ["timeout", "readTimeout", "writeTimeout"]) {
    const time = parseDuration(get(name) ?? "0");
    if (!isAccepted(time)) return refuse(`${name}: ${time.what}`, time.instead);
    times.push(time.value);
  }
  const [connectTimeoutMs = 0, readTimeoutMs = 0, writeTimeoutMs = 0] = times;
  return accept({ collation, tls, connectTimeoutMs, readTimeoutMs, writeTimeoutMs, zone: zone.value }, parameters.warnings);
}

function readParameters(text: string, known: readonly string[]): Parsed<Map<string, string>> {
  const values = new Map<string, string>();
  const warnings: Complaint[] = [];
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const [name = "", ...rest] = pair.split("=");
    const value = decode(rest.join("=").replaceAll("+", " "));
    if (value === null) return refuse(`the parameter ${name} is not URL-encoded`, "write % as %25 and / as %2F");
    if (known.includes(name)) values.set(name, value);
    else
      warnings.push(
        refuse(`the DSN parameter ${name} has no effect`, `remove it; known are ${known.join(", ")}`, {
          code: "dsnParameter",
          params: { name, known: known.join(", ") },
        }),
      );
  }
  return accept(values, warnings);
}

function readZone(name: string | undefined): Parsed<string> {
  const zone = name === undefined || name === "" ? "UTC" : name;
  if (/^local$/i.test(zone)) return refuse("loc=Local depends on the machine", "write the zone, for example loc=Europe%2FBerlin");
  try {
    if (!/^[a-z]/i.test(zone)) throw new RangeError(zone);
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return accept(zone);
  } catch {
    return refuse(`"${zone}" is not a time zone`, "write an IANA name, URL-encoded, for example loc=Europe%2FBerlin");
  }
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** The DSN with a masked password, for printing. */
export function hideDsnPassword(text: string): string {
  const slash = text.lastIndexOf("/");
  const at = slash < 0 ? text.lastIndexOf("@") : text.lastIndexOf("@", slash);
  const colon = text.indexOf(":");
  return text.startsWith("sqlite:") || at < 0 || colon < 0 || colon > at ? text : `${text.slice(0, colon)}:***${text.slice(at)}`;
}
