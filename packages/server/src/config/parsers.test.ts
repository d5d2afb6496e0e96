import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hideBrokerCredentials, parseBrokerUrl, placeBroker } from "./brokerUrl.ts";
import { hideDsnPassword, parseDsn } from "./dsn.ts";
import { formatDuration, parseDuration } from "./duration.ts";
import { isLoopback, listensCollide, parseListen } from "./listen.ts";
import { nearestName } from "#core/nearest.ts";
import { isAccepted, type Parsed } from "./parsed.ts";
import { domainCovers, parseCookieDomain, parseOrigin, parseProxyRange, parsePublicUrl } from "./web.ts";

const runs = { seed: 20_261_120, numRuns: 200 * Number(process.env["ROLLCALL_TEST_FACTOR"] ?? 1) };

function value<T>(parsed: Parsed<T>): T {
  if (!isAccepted(parsed)) throw new Error(`${parsed.what}: ${parsed.instead}`);
  return parsed.value;
}
const refused = (parsed: Parsed<unknown>) => (isAccepted(parsed) ? null : `${parsed.what} | ${parsed.instead}`);

describe("durations", () => {
  it.each([
    ["0", 0],
    ["90s", 90_000],
    ["15m", 900_000],
    ["1h30m", 5_400_000],
    ["1.5h", 5_400_000],
    ["250ms", 250],
    [".5s", 500],
    ["36h", 129_600_000],
  ])("%s", (text, ms) => {
    expect(value(parseDuration(text))).toBe(ms);
  });
  it.each([
    ["30", "write 30s, 30m or 30h"],
    ["2d", "write 48h"],
    ["1w", "write 168h"],
    ["", "with the unit"],
    ["5 m", "with the unit"],
    ["1h30", "with the unit"],
    ["-5m", "0 or more"],
    ["h", "with the unit"],
  ])("refuses %s", (text, hint) => {
    expect(refused(parseDuration(text))).toContain(hint);
  });
  it("formats what it parses", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10 ** 12 }), (ms) => value(parseDuration(formatDuration(ms))) === ms),
      runs,
    );
  });
  it("adds their parts", () => {
    const part = fc.tuple(
      fc.integer({ min: 0, max: 9999 }),
      fc.constantFrom<[string, number]>(["ms", 1], ["s", 1000], ["m", 60_000], ["h", 3_600_000]),
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const text = parts.map(([n, [unit]]) => `${n}${unit}`).join("");
        expect(value(parseDuration(text))).toBe(parts.reduce((sum, [n, [, ms]]) => sum + n * ms, 0));
      }),
      runs,
    );
  });
});

describe("listen addresses", () => {
  it.each([
    [":8080", { host: null, port: 8080 }],
    ["127.0.0.1:8080", { host: "127.0.0.1", port: 8080 }],
    ["[::1]:7070", { host: "::1", port: 7070 }],
    ["localhost:0", { host: "localhost", port: 0 }],
  ])("%s", (text, address) => expect(value(parseListen(text))).toEqual(address));
  it.each(["8080", "http://x:80", "127.0.0.1", "127.0.0.1:70000", "300.1.1.1:80", "::1:80", "[zz]:80", ":x", "a b:80"])(
    "refuses %s",
    (text) => {
      expect(refused(parseListen(text))).not.toBeNull();
    },
  );
  it("knows loopback and collisions", () => {
    const at = (text: string) => value(parseListen(text));
    expect(["127.0.0.1:1", "127.8.8.8:1", "[::1]:1", "localhost:1"].every((text) => isLoopback(at(text)))).toBe(true);
    expect([":1", "0.0.0.0:1", "[::]:1", "10.0.0.1:1", "example.org:1"].some((text) => isLoopback(at(text)))).toBe(false);
    expect(listensCollide(at(":80"), at("127.0.0.1:80"))).toBe(true);
    expect(listensCollide(at("127.0.0.1:80"), at("127.0.0.2:80"))).toBe(false);
    expect(listensCollide(at(":0"), at(":0"))).toBe(false);
  });
});

describe("the DSN", () => {
  const mysql = (text: string) => {
    const dsn = value(parseDsn(text, "/srv"));
    if (dsn.kind !== "mariadb") throw new Error(dsn.kind);
    return dsn;
  };

  it("reads the documented shape", () => {
    expect(mysql("rollcall:pw@tcp(db:3307)/city?collation=utf8mb4_unicode_ci&parseTime=True&loc=Europe%2FBerlin")).toEqual({
      kind: "mariadb",
      user: "rollcall",
      password: "pw",
      address: { host: "db", port: 3307 },
      database: "city",
      collation: "utf8mb4_unicode_ci",
      tls: "off",
      connectTimeoutMs: 0,
      readTimeoutMs: 0,
      writeTimeoutMs: 0,
      zone: "Europe/Berlin",
    });
  });

  it("accepts any password, split as by the Go driver", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."abc@:/?(){}&=%# ß".split(""), "?loc=") }), (password) => {
        expect(mysql(`root:${password}@tcp(127.0.0.1:3306)/rc?loc=UTC`).password).toBe(password);
      }),
      runs,
    );
  });

  it("supports tls, timeouts, sockets, IPv6 and every utf8mb4 collation", () => {
    const dsn = mysql(
      "u@unix(/run/db.sock)/rc?tls=skip-verify&timeout=5s&readTimeout=1m30s&writeTimeout=500ms&collation=utf8mb4_uca1400_ai_ci",
    );
    expect(dsn).toMatchObject({
      address: { socket: "/run/db.sock" },
      password: "",
      tls: "skip-verify",
      connectTimeoutMs: 5000,
      readTimeoutMs: 90_000,
      writeTimeoutMs: 500,
      collation: "utf8mb4_uca1400_ai_ci",
      zone: "UTC",
    });
    expect(mysql("u:p@tcp([::1])/rc").address).toEqual({ host: "::1", port: 3306 });
  });

  it("warns about each unknown parameter", () => {
    const parsed = parseDsn("u:p@tcp(h:1)/rc?charset=utf8mb4&parseTime=True&interpolateParams=true", "/srv");
    expect(isAccepted(parsed) && parsed.warnings.map((warning) => warning.what)).toEqual([
      "the DSN parameter charset has no effect",
      "the DSN parameter interpolateParams has no effect",
    ]);
  });

  it.each([
    ["mysql://u:p@h/rc", "scheme mysql://"],
    ["u:p@tcp(h:1)", "no / before"],
    ["u:p@h:3306/rc", "write tcp(h:3306)"],
    ["u:p@tcp(h:99999)/rc", "HOST:PORT"],
    ["u:p@udp(h:1)/rc", 'network "udp"'],
    [":p@tcp(h:1)/rc", "no user"],
    ["u:p@tcp(h:1)/", "database name"],
    ["u:p@tcp(h:1)/rc?loc=Europe/Berlin", "loc=Europe%2FBerlin"],
    ["u:p@tcp(h:1)/rc?loc=Europe%2FBerlim", "not a time zone"],
    ["u:p@tcp(h:1)/rc?loc=Local", "depends on the machine"],
    ["u:p@tcp(h:1)/rc?loc=%2B01%3A00", "not a time zone"],
    ["u:p@tcp(h:1)/rc?collation=latin1_swedish_ci", "utf8mb4_unicode_ci"],
    ["u:p@tcp(h:1)/rc?tls=maybe", "tls=maybe"],
    ["u:p@tcp(h:1)/rc?timeout=5", "timeout: 5 has no unit"],
    ["u:p@tcp(h:1)/rc?parseTime=perhaps", "parseTime"],
    ["sqlite:", "file is missing"],
    ["sqlite::memory:", "at a restart"],
  ])("refuses %s", (text, hint) => expect(refused(parseDsn(text, "/srv"))).toContain(hint));

  it("reads SQLite files", () => {
    expect(value(parseDsn("sqlite:./data/rollcall.db?loc=Europe%2FBerlin", "/srv"))).toEqual({
      kind: "sqlite",
      file: "/srv/data/rollcall.db",
      zone: "Europe/Berlin",
    });
    expect(value(parseDsn("sqlite:///abs/x.db", "/srv"))).toEqual({
      kind: "sqlite",
      file: "/abs/x.db",
      zone: "UTC",
    });
  });

  it("does not show the password", () => {
    expect(hideDsnPassword("root:p@:/?w@tcp(h:1)/rc?loc=UTC")).toBe("root:***@tcp(h:1)/rc?loc=UTC");
    for (const broken of ["root:hunter2", "root:hunter2@tcp(h:1)/", "root:hunter2@h/x", "x://root:hunter2@h/x"])
      expect(refused(parseDsn(broken, "/"))).not.toContain("hunter2");
  });
});

describe("the broker URL", () => {
  it("splits and decodes credentials", () => {
    expect(value(parseBrokerUrl("nats://rollcall:p%40ss%3A%2F%2C@nats:4222"))).toEqual({
      kind: "nats",
      servers: ["nats:4222"],
      user: "rollcall",
      password: "p@ss:/,",
      token: null,
      tls: false,
    });
  });
  it("round-trips any credentials", () => {
    const text = fc.string({ minLength: 1, unit: "grapheme" });
    fc.assert(
      fc.property(text, fc.string({ unit: "grapheme" }), (user, password) => {
        const parsed = value(
          parseBrokerUrl(`nats://${encodeURIComponent(user)}:${encodeURIComponent(password)}@h:1,nats://[::1]:2`),
        );
        expect(parsed).toMatchObject({ user, password, servers: ["h:1", "[::1]:2"] });
      }),
      runs,
    );
  });
  it("reads comma lists, tokens and tls", () => {
    expect(value(parseBrokerUrl("tls://u:p@a,b:5"))).toMatchObject({
      servers: ["a:4222", "b:5"],
      user: "u",
      tls: true,
    });
    expect(value(parseBrokerUrl("nats://sometoken@a"))).toMatchObject({
      token: "sometoken",
      user: null,
      password: null,
    });
  });
  it.each([
    "",
    "http://h",
    "nats://",
    "nats://h:0",
    "nats://a,,b",
    "embedded",
    "embedded:x",
    "nats://u:%zz@h",
    "nats://u:p@a,nats://v:q@b",
  ])("refuses %s", (text) => {
    expect(refused(parseBrokerUrl(text))).not.toBeNull();
  });
  it("puts the embedded broker next to the database", () => {
    const embedded = value(parseBrokerUrl("embedded:"));
    expect(placeBroker(embedded, { kind: "sqlite", file: "/d/r.db", zone: "UTC" }, "/srv")).toEqual({
      kind: "embedded",
      file: "/d/r.db.broker",
    });
    expect(placeBroker(embedded, undefined, "/srv")).toEqual({
      kind: "embedded",
      file: "/srv/data/rollcall.broker",
    });
  });
  it("hides credentials", () => {
    expect(hideBrokerCredentials("nats://u:p@a:1,tok@b")).toBe("nats://***@a:1,***@b");
  });
});

describe("web addresses", () => {
  it("reads origins and public URLs", () => {
    expect(value(parseOrigin("HTTPS://Example.org:443"))).toBe("https://example.org");
    expect(value(parseOrigin("http://localhost:8080"))).toBe("http://localhost:8080");
    expect(value(parsePublicUrl("https://Example.org/"))).toBe("https://example.org");
  });
  it.each([
    "*",
    "null",
    "example.org",
    "https://example.org/",
    "https://example.org/x",
    "https://*.example.org",
    "ftp://x",
    "https://u:p@x",
  ])("refuses the origin %s", (text) => {
    expect(refused(parseOrigin(text))).not.toBeNull();
  });
  it("reads cookie domains", () => {
    expect(value(parseCookieDomain(".Example.org"))).toBe("example.org");
    expect(refused(parseCookieDomain("https://example.org"))).toContain("write only the host: example.org");
    expect(refused(parseCookieDomain("example.org:8080"))).toContain("write only the host: example.org");
    expect(domainCovers("example.org", "rc.example.org")).toBe(true);
    expect(domainCovers("example.org", "badexample.org")).toBe(false);
    expect(domainCovers("1", "127.0.0.1")).toBe(false);
  });
  it("reads proxies", () => {
    for (const good of ["127.0.0.1", "10.0.0.0/8", "::1", "fd00::/8"]) expect(value(parseProxyRange(good))).toBe(good);
    for (const bad of ["10.0.0", "10.0.0.0/33", "10.0.0.0/", "proxy", "10.0.0.0/8/8", "fd00::/129", "010.0.0.x"])
      expect(refused(parseProxyRange(bad))).not.toBeNull();
    const everyone = parseProxyRange("0.0.0.0/0");
    expect(isAccepted(everyone) && everyone.warnings.length).toBe(1);
  });
});

describe("the nearest name", () => {
  it.each([
    ["origns", "origins"],
    ["publicUrl", "publicURL"],
    ["lsiten", "listen"],
    ["sesions", "sessions"],
  ])("%s -> %s", (written, meant) => {
    expect(nearestName(written, ["listen", "adminListen", "publicURL", "origins", "trustedProxies", "sessions"])).toBe(meant);
  });
  it("is null when no name is close", () => expect(nearestName("flux", ["listen", "origins"])).toBeNull());
});
