import { chmodSync, existsSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { BrokerUrl, Dsn, ListenAddress } from "#core/dsn.ts";
import { checkSubsystems } from "./checks/subsystems.ts";
import { load, loadSound, soundConfig, soundSecrets, workingDirectory } from "./config.testkit.ts";
import { formatFinding, formatRefusal } from "./finding.ts";
import { loadConfig, type Config, type LoadedConfig, type RefusedConfig } from "./load.ts";
import { secretValues } from "./secretValues.ts";

const nowhere = "/nonexistent";

function refusal(loaded: LoadedConfig | RefusedConfig): string[] {
  if (loaded.ok) throw new Error("expected a refusal");
  return formatRefusal(loaded);
}
const warnings = (config: string) => loadSound(config).warnings.map((warning) => `${warning.path}: ${warning.what}`);

describe("the configuration file", () => {
  it("is found in the working directory, then the system directory, and never merged", () => {
    const system = workingDirectory(soundConfig.replace("127.0.0.1:8080", "127.0.0.1:9002"));
    const here = workingDirectory(soundConfig);
    const port = (loaded: LoadedConfig | RefusedConfig) => (loaded.ok ? loaded.config.http.listen.port : refusal(loaded));
    expect(port(loadConfig({ cwd: here, env: {}, systemDirectory: system }))).toBe(8080);
    rmSync(path.join(here, "config.yaml"));
    expect(port(loadConfig({ cwd: here, env: {}, systemDirectory: system }))).toBe(9002);
    writeFileSync(path.join(here, "config.yaml"), "mode: release\n");
    expect(loadConfig({ cwd: here, env: {}, systemDirectory: system }).ok).toBe(false);
  });

  it("is reported with both paths when it is missing", () => {
    const cwd = workingDirectory();
    const lines = refusal(loadConfig({ cwd, env: {}, systemDirectory: "/config" }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(path.join(cwd, "config.yaml"));
    expect(lines[0]).toContain("/config/config.yaml");
  });

  it("is that of --config, then ROLLCALL_CONFIG, then the lookup", () => {
    const cwd = workingDirectory(soundConfig);
    writeFileSync(path.join(cwd, "flag.yaml"), soundConfig.replace("127.0.0.1:8080", "127.0.0.1:9001"));
    writeFileSync(path.join(cwd, "env.yaml"), soundConfig.replace("127.0.0.1:8080", "127.0.0.1:9002"));
    const env = { ROLLCALL_CONFIG: "env.yaml" };
    expect(loadConfig({ cwd, env, file: "flag.yaml", systemDirectory: nowhere })).toMatchObject({
      ok: true,
      file: "flag.yaml",
      config: { http: { listen: { port: 9001 } } },
    });
    expect(loadConfig({ cwd, env, systemDirectory: nowhere })).toMatchObject({
      config: { http: { listen: { port: 9002 } } },
    });
    expect(refusal(loadConfig({ cwd, env: { ROLLCALL_CONFIG: "gone.yaml" }, systemDirectory: nowhere }))[0]).toMatch(
      /gone\.yaml named by ROLLCALL_CONFIG does not exist/,
    );
  });
});

describe("the resolved configuration", () => {
  it("has typed options", () => {
    expectTypeOf<Config["http"]["listen"]>().toEqualTypeOf<ListenAddress>();
    expectTypeOf<Config["http"]["adminListen"]>().toEqualTypeOf<ListenAddress | null>();
    expectTypeOf<Config["database"]["dsn"]>().toEqualTypeOf<Dsn>();
    expectTypeOf<Config["nats"]["url"]>().toEqualTypeOf<BrokerUrl>();
    expectTypeOf<Config["mode"]>().toEqualTypeOf<"debug" | "release">();
    expectTypeOf<Config["log"]["levelOverrides"]>().toEqualTypeOf<Readonly<Record<string, Config["logLevel"]>>>();
    expectTypeOf<Config["secret"]>().toEqualTypeOf<string | null>();
    expectTypeOf<Config["database"]["connMaxIdleTime"]>().toEqualTypeOf<number>();
    expectTypeOf<Config["database"]["custom"]["columns"]["user"]["visum"]>().toEqualTypeOf<string | false | null>();
    expectTypeOf<Config["sync"]["apiTokens"]>().toEqualTypeOf<readonly string[]>();
  });

  it("has parsed values", () => {
    const { config } = loadSound(
      `${soundConfig}log:\n  file:\n    rotation: {rotationInterval: 1h30m}\n  levelOverrides: {Cron: WARN}\nlogLevel: DEBUG\n`,
    );
    expect(config.log.file.rotation.rotationInterval).toBe(5_400_000);
    expect(config.log.levelOverrides).toEqual({ Cron: "warn" });
    expect(config.logLevel).toBe("debug");
    expect(config.database.connMaxLifetime).toBe(3_600_000);
    expect(path.isAbsolute(config.postalsFile.path)).toBe(true);
    expect(config.nats.url).toEqual({
      kind: "embedded",
      file: `${config.database.dsn.kind === "sqlite" ? config.database.dsn.file : ""}.broker`,
    });
    expect(config.http.publicURL).toBe("https://rollcall.example.org");
    expect(config.database.custom.columns).toEqual({
      user: { visum: null, playtime: null },
      vehicle: { model: null },
    });
    expect(config.otlp.attributes).toEqual([]);
  });

  it.each(['""', "", "''"])("reads adminListen: %s as off", (blank) => {
    const { config } = loadSound(soundConfig.replace("127.0.0.1:7070", blank));
    expect(config.http.adminListen).toBeNull();
  });

  it("reads structured options and keeps the case of names", () => {
    const text = `${soundConfig.replace("database:\n", 'database:\n  custom: {columns: {user: {visum: "-", playtime: minutes}}, conditions: {user: {filterEmptyName: true}}}\n').replace("enabled: false\n", "enabled: false\n  groupSync:\n    mapping:\n      Admin: {roleName: Staff, permissions: 9007199254740993, color: '#a1b2c3', notSameJob: true}\n      admin: {roleName: Other}\n")}
otlp:
  type: grpc
  attributes: [region=eu=west, {key: community, value: Example}]
  headers: {X-Key: text}
`;
    const { config } = loadSound(text);
    expect(config.chat.groupSync.mapping).toEqual({
      Admin: { roleName: "Staff", permissions: "9007199254740993", color: "#A1B2C3", notSameJob: true },
      admin: { roleName: "Other", permissions: null, color: null, notSameJob: false },
    });
    expect(config.otlp.attributes).toEqual([
      { key: "region", value: "eu=west" },
      { key: "community", value: "Example" },
    ]);
    expect(config.otlp.type).toBe("otlptracegrpc");
    expect(config.otlp.headers).toEqual({ "X-Key": "text" });
    expect(config.database.custom).toEqual({
      columns: { user: { visum: false, playtime: "minutes" }, vehicle: { model: null } },
      conditions: { user: { filterEmptyName: true } },
    });
  });

  it("adds the scheme to the endpoint of an object store", () => {
    const of = (endpoint: string, ssl: boolean) =>
      loadSound(
        soundConfig.replace(
          "storage:\n",
          `storage:\n  type: objectstore\n  objectstore: {endpoint: "${endpoint}", useSSL: ${ssl}, accessKeyID: a, secretAccessKey: bbbbbb, bucketName: rollcall}\n`,
        ),
      ).config.storage.objectstore.endpoint;
    expect(of("minio:9000", false)).toBe("http://minio:9000");
    expect(of("s3.example.org", true)).toBe("https://s3.example.org");
    expect(of("http://minio:9000", false)).toBe("http://minio:9000");
  });

  it("collects every secret text", () => {
    const { config } = loadSound(
      soundConfig
        .replace("sqlite:./data/rollcall.db", "u:dbpassword@tcp(h:1)/rc")
        .replace('"embedded:"', "nats://n:natspassword@h"),
    );
    const all = [...Object.values(soundSecrets), "dbpassword", "natspassword"];
    expect(secretValues(config).toSorted()).toEqual(all.toSorted());
  });
});

describe("a warning", () => {
  const drop = (pattern: RegExp) => soundConfig.replace(pattern, "");

  it.each([
    ["no config admin", soundConfig.replace("[admin]", "[]"), /^auth\.configAdminGroups: no account is config admin/],
    ["sync off", soundConfig.replace(/sync:\n.*\n/, "sync:\n  enabled: false\n"), /^sync\.enabled: the Sync API is off/],
    [
      "public URL not among the origins",
      soundConfig.replace("[https://rollcall.example.org]", "[https://other.example.org]"),
      /^http\.origins: does not list https:\/\/rollcall/,
    ],
    ["admin listener on all addresses", soundConfig.replace("127.0.0.1:7070", '":7070"'), /^http\.adminListen: can be reached/],
    ["short secret", `${soundConfig}secret: short\n`, /^secret: has fewer than 24/],
    ["short sync token", soundConfig.replace(`[${soundSecrets.sync}]`, "[short]"), /^sync\.apiTokens\[0\]: has fewer than 24/],
    [
      "placeholder of another program's example",
      soundConfig.replace(soundSecrets.jwt, "your_generated_jwt_secret"),
      /^jwt\.secret: is the placeholder of an example/,
    ],
    [
      "regular cookie secret",
      soundConfig.replace(soundSecrets.cookie, "a".repeat(24)),
      /^http\.sessions\.cookieSecret: has few or regular characters/,
    ],
    [
      "placeholder token",
      soundConfig.replace(soundSecrets.sync, "LONG_RANDOM_API_TOKEN_FOR_DBSYNC"),
      /^sync\.apiTokens\[0\]: is the placeholder/,
    ],
    [
      "configured postals that do not exist",
      soundConfig.replace("./data/postals", "./nowhere"),
      /^postalsFile: .*does not exist/,
    ],
    [
      "release feed without its check",
      `${soundConfig}updateCheck: {enabled: false, feedURL: "https://updates.example.org/releases.json"}\n`,
      /^updateCheck\.feedURL: has no effect/,
    ],
    ["chat without a token", soundConfig.replace("enabled: false\n", "enabled: true\n"), /^chat\.enabled: .*stays off/],
    [
      "cookie domain of another host",
      soundConfig.replace("domain: rollcall", "domain: other"),
      /^http\.sessions\.domain: browsers drop/,
    ],
    [
      "more idle than open connections",
      soundConfig.replace("database:\n", "database:\n  maxOpenConns: 3\n  maxIdleConns: 9\n"),
      /^database\.maxIdleConns: 9 is more/,
    ],
    [
      "unknown DSN parameter",
      soundConfig.replace("rollcall.db", "rollcall.db?cache=shared"),
      /^database\.dsn: the DSN parameter cache/,
    ],
    [
      "replicas of the embedded broker",
      soundConfig.replace("nats:\n", "nats:\n  replicas: 3\n"),
      /^nats\.replicas: has no effect/,
    ],
    [
      "every address trusted",
      soundConfig.replace("trustedProxies: []", "trustedProxies: [0.0.0.0/0]"),
      /^http\.trustedProxies\[0\]: 0\.0\.0\.0\/0 lets every client/,
    ],
  ])("%s", (_name, config, expected) => {
    expect(warnings(config)).toEqual([expect.stringMatching(expected)]);
  });

  it.skipIf(existsSync("/data"))("storage of the default", () => {
    const loaded = loadSound(drop(/storage:\n.*\n.*\n/));
    expect(loaded.warnings).toEqual([expect.objectContaining({ path: "storage.filesystem.path", part: "storage" })]);
  });

  it("storage in, or above, the folder of the database file", () => {
    const at = (dsn: string, path: string, more = "") =>
      loadSound(
        soundConfig
          .replace(/dsn: .*/, `dsn: "${dsn}"`)
          .replace(/storage:\n.*\n.*\n/, `storage:\n  filesystem:\n    path: ${path}\n${more}`),
      ).warnings.filter((one) => one.path === "storage.filesystem.path");
    expect(at("sqlite:./data/rollcall.db", "./data")).toMatchObject([
      { what: expect.stringContaining("rollcall.db"), instead: expect.stringMatching(/^write \/.*\/data\/files and move /) },
    ]);
    expect(at("sqlite:./data/db/rollcall.db", "./data")).toHaveLength(1);
    expect(at("sqlite:./data/rollcall.db", "./data", "    prefix: uploads\n")).toEqual([]);
    expect(at("sqlite:./rollcall.db", "./data")).toEqual([]);
    expect(at("sqlite:./data2/rollcall.db", "./data")).toEqual([]);
    expect(at("u:p@tcp(127.0.0.1:3306)/data?loc=UTC", "./data")).toEqual([]);
  });

  it("is not about a redirect URL that ends in the route and has a query", () => {
    const provider = (redirectURL: string) =>
      `${soundConfig}oauth2: {providers: [{name: forum, type: generic, label: Forum, redirectURL: "${redirectURL}", clientID: "1", clientSecret: cl1ent-secret-of-the-forum, endpoints: {authURL: "https://f.example/a", tokenURL: "https://f.example/t", userInfoURL: "https://f.example/u"}, mapping: {id: id, username: name}}]}\n`;
    const route = "https://rollcall.example.org/api/oauth2/callback/forum";
    expect(warnings(provider(`${route}?from=rollcall`))).toEqual([]);
    expect(warnings(provider("https://rollcall.example.org/cb?x=/api/oauth2/callback/forum"))).toEqual([
      expect.stringContaining("does not end in /api/oauth2/callback/forum"),
    ]);
  });

  it("contains the degraded part", () => {
    const loaded = loadSound(soundConfig.replace("./data/postals", "./nowhere"));
    expect(loaded.warnings.map((warning) => warning.part)).toEqual(["postals"]);
  });

  it("for chat keeps the integration off", () => {
    const loaded = loadSound(soundConfig.replace("enabled: false\n", "enabled: true\n"));
    expect(loaded.config.chat.enabled).toBe(false);
    const because = "true has no effect without chat.token";
    expect(loaded.sources.find((source) => source.path === "chat.enabled")).toMatchObject({ shown: false, because });
    const off = loadSound(soundConfig).sources.find((source) => source.path === "chat.enabled");
    expect(off).toMatchObject({ shown: false, because: null });
  });
});

describe("a hint", () => {
  const hints = (config: string, env = {}) => loadSound(config, { env }).hints.map(({ path, what }) => `${path}: ${what}`);

  it("names what is not there and is no fault: the default file of postal codes and a release feed", () => {
    const given = `${soundConfig}updateCheck: {feedURL: "https://updates.example.org/releases.json"}\n`;
    expect(hints(given)).toEqual([]);
    expect(hints(soundConfig)).toEqual([expect.stringMatching(/^updateCheck\.feedURL: is not set, so the update check is off/)]);
    const bare = given.replace(/postalsFile.*\n/, "");
    expect(hints(bare)).toEqual([expect.stringMatching(/^postalsFile: .*postals\.json does not exist/)]);
    expect(loadSound(bare).warnings).toEqual([]);
    expect(loadSound(bare, { env: { ROLLCALL_POSTALSFILE: "./gone.json" } }).warnings.map(formatFinding)[0]).toMatch(
      /^ROLLCALL_POSTALSFILE {2}postalsFile {2}.*gone\.json does not exist/,
    );
  });
});

describe("the time zone of days", () => {
  it("is a hint when it is UTC by name, which init writes on a machine of that zone", () => {
    const zones = (dsn: string) =>
      loadSound(soundConfig.replace("sqlite:./data/rollcall.db", dsn)).hints.filter(({ path }) => path === "database.dsn");
    expect(zones("sqlite:./data/rollcall.db?loc=UTC")).toMatchObject([
      { what: expect.stringContaining("is this the time zone") },
    ]);
    expect(zones("sqlite:./data/rollcall.db?loc=Europe%2FBerlin")).toEqual([]);
  });
});

describe("required options", () => {
  it("are exactly these, each reported at the top of an empty file", () => {
    const lines = refusal(load(""));
    expect(lines.map((line) => line.split("  ").slice(0, 2).join(" ")).toSorted()).toEqual(
      [
        "http.publicURL",
        "http.origins",
        "http.trustedProxies",
        "http.sessions.cookieSecret",
        "http.sessions.domain",
        "database.dsn",
        "nats.url",
        "jwt.secret",
      ]
        .map((option) => `config.yaml:1:1 ${option}`)
        .toSorted(),
    );
  });

  it("are sufficient", () => {
    const only = soundConfig.slice(0, soundConfig.indexOf("storage:")).replace(/ {2}(listen|adminListen).*\n/g, "");
    const paths = loadSound(only).warnings.map((warning) => warning.path);
    expect(paths).toEqual(expect.arrayContaining(["auth.configAdminGroups", "chat.enabled", "http.adminListen", "sync.enabled"]));
  });

  it("may have 24 characters, counted as Unicode characters", () => {
    expect(load(soundConfig.replace(soundSecrets.jwt, "😀".repeat(24))).ok).toBe(true);
    expect(load(soundConfig.replace(soundSecrets.jwt, "😀".repeat(23))).ok).toBe(false);
  });
});

it("warns about level overrides of subsystems that do not exist", () => {
  const loaded = loadSound(`${soundConfig}log: {levelOverrides: {kvstor: debug, cron: warn, cron.run: debug}}\n`);
  expect(checkSubsystems(loaded, ["kvstore", "cron"]).map(formatFinding)).toEqual([
    "config.yaml:29:23  log.levelOverrides.kvstor  is not a subsystem and has no effect  write kvstore",
  ]);
});

it("lists the options that are checked but not yet in effect", () => {
  const { notInEffect } = loadSound(soundConfig);
  expect(notInEffect).toContain("dispatchCenter.type");
  expect(notInEffect).not.toContain("http.listen");
});

it("does not show secrets in sources or problems", () => {
  const config = `${soundConfig.replace("sqlite:./data/rollcall.db", "u:hunter2hunter2@tcp(h:1)/rc").replace('"embedded:"', "nats://n:hunter2hunter2@h")}otlp: {headers: {x: hunter2hunter2}}\n`;
  const shown = JSON.stringify(loadSound(config).sources);
  for (const secret of ["hunter2", ...Object.values(soundSecrets)]) expect(shown).not.toContain(secret);
  const broken = refusal(
    load(
      soundConfig
        .replace(soundSecrets.jwt, "hunter2")
        .replace("sqlite:./data/rollcall.db", "u:hunter2@h/rc")
        .replace(`[${soundSecrets.sync}]`, "hunter2x"),
    ),
  );
  expect(broken.join("\n")).not.toContain("hunter2");
  expect(broken).toHaveLength(3);
});

it.skipIf(process.getuid?.() === 0)("refuses a storage folder that cannot be written", () => {
  const cwd = workingDirectory(soundConfig);
  chmodSync(path.join(cwd, "data/files"), 0o500);
  expect(refusal(loadConfig({ cwd, env: {}, systemDirectory: nowhere }))[0]).toContain("is not writable");
});

it("refuses a log file that cannot be written", () => {
  const lines = refusal(load(`${soundConfig}log: {logToFile: true, file: {path: ./data/postals.json/rollcall.log}}\n`));
  expect(lines[0]).toContain("log.file.path");
});

it("takes under 50 ms of this thread's time, however busy the machine is", () => {
  const cwd = workingDirectory(soundConfig);
  const times = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage();
    loadConfig({ cwd, env: {}, systemDirectory: nowhere });
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  expect(Math.min(...times)).toBeLessThan(50);
});
