import { spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseDocument } from "yaml";
import { describe, expect, it } from "vitest";
import { workingDirectory } from "#config/config.testkit.ts";
import { schema } from "#config/index.ts";
import { leavesOf } from "#config/schema/option.ts";
import { convertConfig } from "./convert.ts";
import { differences, durations, renamed } from "./rules.ts";

const secrets = [
  "jwt-secret-of-the-other-one-1",
  "cookie-secret-of-the-other-1",
  "sync-token-of-the-other-one-1",
  "pa55word",
  "bot-t0ken",
  "cl1ent-secret",
];
const [jwt, cookie, sync, password, bot, client] = secrets;

const theirs = `mode: release
loglevel: DEBUG
log:
  logToStderr: "true"
  levelOverrides: { cron: WARN, housekeeper: DEBUG }
jwt: { secret: ${jwt} }
http:
  listen: ":8080"
  adminListen: ":7070"
  publicURL: https://net.example.org
  origins: https://net.example.org, https://tablet.example.org
  trustedProxies: [10.0.0.0/8]
  sessions: { cookieSecret: ${cookie}, domain: net.example.org }
  links: { imprint: https://example.org }
database:
  host: db.example.org
  port: 3307
  username: net
  password: ${password}
  database: fivenet
  connMaxIdleTime: 900000000000
  connMaxLifetime: 1h30m
  esxCompat: false
nats: { url: "nats://net:${password}@127.0.0.1:4222", nKey: abc, replicas: 1 }
storage:
  type: s3
  s3: { endpoint: "minio:9000", accessKeyID: key, secretAccessKey: ${password}, bucketName: net, useSSL: false, retries: 5 }
audit: { retentionDays: 180 }
oauth2:
  providers:
    - { name: discord, type: discord, label: Discord, redirectURL: "https://net.example.org/cb", clientID: "1", clientSecret: ${client} }
    - { name: old, type: steam }
auth:
  superuserGroups: [old-admins]
  configAdminGroups: [admin]
  superuserUsers: [abc]
  permsCacheSize: 10
discord:
  enabled: true
  token: ${bot}
  groupSync:
    mapping: { Staff: { roleName: Staff, permissions: 9007199254740993, color: "#9B59B6" } }
  commands: { fivenet: false, sync: true }
otlp: { type: grpc, attributes: [a=b] }
sync: { enabled: true, apiTokens: [${sync}] }
demo: { enabled: true, fakeUsers: { count: 50 } }
htpp: { listen: ":1" }
`;

const convert = (text: string) => convertConfig(parseDocument(text, { intAsBigInt: true }).toJS(), ["cron", "kvstore"]);
const fates = (text: string) => Object.fromEntries(convert(text).report.map(({ key, fate, to }) => [key, [fate, to]]));

describe("an imported configuration", () => {
  it("keeps equal options, renames moved ones, and translates values", () => {
    expect(convert(theirs).config).toEqual({
      mode: "release",
      logLevel: "DEBUG",
      log: { logToStderr: true, levelOverrides: { cron: "WARN" } },
      jwt: { secret: jwt },
      http: {
        listen: ":8080",
        adminListen: ":7070",
        publicURL: "https://net.example.org",
        origins: ["https://net.example.org", "https://tablet.example.org"],
        trustedProxies: ["10.0.0.0/8"],
        sessions: { cookieSecret: cookie, domain: "net.example.org" },
      },
      database: {
        connMaxIdleTime: "15m",
        connMaxLifetime: "1h30m",
        dsn: `net:${password}@tcp(db.example.org:3307)/fivenet?collation=utf8mb4_unicode_ci&parseTime=True&loc=UTC`,
      },
      nats: { url: `nats://net:${password}@127.0.0.1:4222`, replicas: 1n },
      storage: {
        type: "objectstore",
        objectstore: {
          endpoint: "minio:9000",
          accessKeyID: "key",
          secretAccessKey: password,
          bucketName: "net",
          useSSL: false,
          retries: 5n,
        },
      },
      audit: { retentionDays: 180n },
      oauth2: {
        providers: [
          {
            name: "discord",
            type: "chat",
            label: "Discord",
            redirectURL: "https://net.example.org/cb",
            clientID: "1",
            clientSecret: client,
          },
        ],
      },
      auth: { configAdminGroups: ["admin"], configAdminUsers: ["abc"] },
      chat: {
        enabled: true,
        token: bot,
        groupSync: { mapping: { Staff: { roleName: "Staff", permissions: 9007199254740993n, color: "#9B59B6" } } },
        commands: { service: false, sync: true },
      },
      otlp: { type: "grpc", attributes: ["a=b"] },
      sync: { enabled: true, apiTokens: [sync] },
    });
  });

  it("reports the result for every key", () => {
    expect(fates(theirs)).toMatchObject({
      mode: ["taken over", "mode"],
      "log.logToStderr": ["value translated", "log.logToStderr"],
      "log.levelOverrides.housekeeper": ["not supported", null],
      "http.origins": ["value translated", "http.origins"],
      "database.host": ["renamed", "database.dsn"],
      "database.connMaxIdleTime": ["value translated", "database.connMaxIdleTime"],
      "database.esxCompat": ["not supported", null],
      "http.links": ["not supported", null],
      "nats.nKey": ["not supported", null],
      "storage.type": ["value translated", "storage.type"],
      "storage.s3.bucketName": ["renamed", "storage.objectstore.bucketName"],
      "oauth2.providers[0].type": ["value translated", "oauth2.providers[0].type"],
      "oauth2.providers[1].type": ["not supported", null],
      "auth.superuserGroups": ["not supported", null],
      "auth.superuserUsers": ["renamed", "auth.configAdminUsers"],
      "auth.permsCacheSize": ["not supported", null],
      "discord.token": ["renamed", "chat.token"],
      "discord.commands.fivenet": ["renamed", "chat.commands.service"],
      demo: ["not supported", null],
      htpp: ["unknown", null],
    });
  });

  it("says where the same value means something else", () => {
    const noted = (text: string) =>
      convert(text)
        .report.filter(({ fate }) => fate === "other meaning")
        .map(({ key }) => key);
    expect(noted("imageProxy: { options: { allowHosts: [] } }")).toEqual(["imageProxy.options.allowHosts"]);
    expect(noted("mode: release")).toEqual(["imageProxy.options.allowHosts"]);
    const listed = "imageProxy: { options: { allowHosts: [a.example] } }\n";
    expect(noted(listed)).toEqual([]);
    expect(
      noted(
        `${listed}log: { logToFile: true }\nsync: { enabled: "false" }\nupdateCheck: { enabled: 1 }\ngame: { cleanupRolesForMissingJobs: true }`,
      ),
    ).toEqual(["log.logToFile", "sync.enabled", "updateCheck.enabled", "game.cleanupRolesForMissingJobs"]);
  });

  it("tells of every key, also of empty lists and of those that only the other one has", () => {
    expect(
      fates(
        "logLevels: { cron: WARN }\nimageProxy: { enabled: true, url: /x, cachePrefix: p }\nauth: { superuserUsers: [], configAdminGroups: [] }",
      ),
    ).toMatchObject({
      logLevels: ["not supported", null],
      "imageProxy.enabled": ["not supported", null],
      "imageProxy.url": ["not supported", null],
      "imageProxy.cachePrefix": ["not supported", null],
      "auth.superuserUsers": ["renamed", "auth.configAdminUsers"],
      "auth.configAdminGroups": ["taken over", "auth.configAdminGroups"],
    });
    const both = convert("auth: { configAdminGroups: [], superuserGroups: [x] }");
    expect(both.config).toEqual({ auth: { configAdminGroups: ["x"] } });
    expect(both.report.map(({ key }) => key)).toContain("auth.configAdminGroups");
  });

  it("gives each value the type that is read here", () => {
    const text = `storage: { s3: { retries: "5" } }
log: { logToStderr: "1" }
game: { startJobGrade: "1" }
otlp: { ratio: "0.5", insecure: 0 }
oauth2: { providers: [{ name: 7, type: generic, scopes: "openid, email", endpoints: { authURL: "https://a.example" } }] }`;
    expect(convert(text).config).toMatchObject({
      storage: { objectstore: { retries: 5 } },
      log: { logToStderr: true },
      game: { startJobGrade: 1 },
      otlp: { ratio: 0.5, insecure: false },
      oauth2: { providers: [{ name: "7", scopes: ["openid", "email"], endpoints: { authURL: "https://a.example" } }] },
    });
    expect(fates(text)).toMatchObject({
      "oauth2.providers[0].scopes": ["value translated", "oauth2.providers[0].scopes"],
      "oauth2.providers[0].name": ["value translated", "oauth2.providers[0].name"],
    });
  });

  it("has rules for options that exist", () => {
    const paths = leavesOf(schema).map((leaf) => leaf.path);
    for (const { to } of renamed)
      expect(
        paths.some((one) => one === to || one.startsWith(`${to}.`)),
        to,
      ).toBe(true);
    for (const { path: one } of differences) expect(paths).toContain(one);
    for (const one of durations) expect(paths).toContain(one);
  });

  it("drops a storage type that stores nothing", () => {
    expect(fates("storage: { type: noop }")).toMatchObject({ "storage.type": ["not supported", null] });
  });
});

describe("rollcall import-config", () => {
  const program = fileURLToPath(new URL("../../../bin/rollcall.cjs", import.meta.url));
  const run = (cwd: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, "import-config", ...args], {
      cwd,
      encoding: "utf8",
    });
    return { code: status, out: stdout, err: stderr };
  };

  it("writes a file that passes the check, readable only by this user, and prints no secret", () => {
    const cwd = workingDirectory();
    writeFileSync(path.join(cwd, "theirs.yaml"), theirs);
    const { code, out, err } = run(cwd, "theirs.yaml");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toContain("renamed           discord.token -> chat.token");
    expect(out).toContain("unknown           htpp");
    expect(out).toContain("It passes rollcall config check, with 2 warnings above.");
    for (const secret of secrets) expect(out).not.toContain(secret);
    const written = path.join(cwd, "config.yaml");
    expect(statSync(written).mode & 0o777).toBe(0o600);
    for (const secret of secrets) expect(readFileSync(written, "utf8")).toContain(secret);
    expect(run(cwd, "theirs.yaml")).toEqual({
      code: 1,
      out: "",
      err: "rollcall: config.yaml already exists; use --force to replace it\n",
    });
  });

  it("reports what is missing, and shows no content of an unreadable file", () => {
    const cwd = workingDirectory();
    writeFileSync(path.join(cwd, "short.yaml"), "jwt: { secret: short }\n");
    const { code, out } = run(cwd, "short.yaml", "--out", "converted.yaml");
    expect(code).toBe(1);
    expect(out).toContain("It does not pass rollcall config check yet. Fix these lines:");
    expect(out).toMatch(/http\.publicURL/);
    expect(out).not.toMatch(/short"|: short\b/);
    writeFileSync(path.join(cwd, "broken.yaml"), `jwt: { secret: ${jwt}\nhttp: [`);
    const broken = run(cwd, "broken.yaml", "--out", "none.yaml");
    expect([broken.code, broken.out]).toEqual([2, ""]);
    expect(broken.err).toMatch(/broken\.yaml is no YAML: line \d/);
    expect(broken.err).not.toContain(jwt);
  });
});
