import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { load, loadSound, soundConfig, workingDirectory } from "./config.testkit.ts";
import { formatFinding, formatRefusal, formatSource } from "./finding.ts";
import type { LoadedConfig, RefusedConfig } from "./load.ts";

function refusal(loaded: LoadedConfig | RefusedConfig): string[] {
  if (loaded.ok) throw new Error("expected a refusal");
  return formatRefusal(loaded);
}

describe("the environment", () => {
  const env = (variables: Record<string, string>, config = soundConfig) => load(config, { env: variables });

  it("sets any kind of option and overrides the file", () => {
    const loaded = loadSound(soundConfig, {
      env: {
        ROLLCALL_HTTP_LISTEN: ":9000",
        ROLLCALL_HTTP_SESSIONS_COOKIESECRET: "z".repeat(24),
        ROLLCALL_HTTP_ORIGINS: "https://rollcall.example.org, https://b.example.org",
        ROLLCALL_HTTP_TRUSTEDPROXIES: "",
        ROLLCALL_HTTP_ADMINLISTEN: "",
        ROLLCALL_DATABASE_MAXOPENCONNS: "7",
        ROLLCALL_IGNOREREQUIREMENTS: "TRUE",
        ROLLCALL_LOG_LEVELOVERRIDES: "Cron=warn,kvstore=debug",
        ROLLCALL_DATABASE_CUSTOM_COLUMNS_USER_VISUM: "-",
        ROLLCALL_CHAT_GROUPSYNC_MAPPING: "{Admin: {roleName: Staff}}",
        ROLLCALL_OTLP_RATIO: "0.5",
      },
    });
    const { config, sources } = loaded;
    expect(config.http).toMatchObject({
      listen: { port: 9000 },
      origins: ["https://rollcall.example.org", "https://b.example.org"],
      trustedProxies: [],
      adminListen: null,
    });
    expect(config.http.sessions.cookieSecret).toBe("z".repeat(24));
    expect(config.database.maxOpenConns).toBe(7);
    expect(config.ignoreRequirements).toBe(true);
    expect(config.log.levelOverrides).toEqual({ Cron: "warn", kvstore: "debug" });
    expect(config.database.custom.columns.user.visum).toBe(false);
    expect(config.chat.groupSync.mapping["Admin"]?.roleName).toBe("Staff");
    expect(config.otlp.ratio).toBe(0.5);
    const sourceOf = (option: string) => formatSource(sources.find((source) => source.path === option)!.place);
    expect(sourceOf("http.listen")).toBe("ROLLCALL_HTTP_LISTEN");
    expect(sourceOf("jwt.secret")).toBe("config.yaml:11:11");
    expect(sourceOf("mode")).toBe("default");
  });

  it("is reported as the source of a problem", () => {
    expect(refusal(env({ ROLLCALL_DATABASE_CONNMAXIDLETIME: "15", ROLLCALL_MODE: "x" }))).toEqual([
      expect.stringMatching(/^ROLLCALL_DATABASE_CONNMAXIDLETIME {2}database\.connMaxIdleTime {2}15 has no unit {2}/),
      expect.stringMatching(/^ROLLCALL_MODE {2}mode {2}/),
    ]);
  });

  it("supplies required options that are missing in the file", () => {
    const withoutJwt = soundConfig.replace(/jwt:\n.*\n/, "");
    expect(env({ ROLLCALL_JWT_SECRET: "q".repeat(24) }, withoutJwt).ok).toBe(true);
  });

  it("reads secrets from files, without the trailing line break", () => {
    const file = path.join(workingDirectory(), "jwt");
    writeFileSync(file, `${"s".repeat(24)}\n`);
    const loaded = loadSound(soundConfig, { env: { ROLLCALL_JWT_SECRET_FILE: file } });
    expect(loaded.config.jwt.secret).toBe("s".repeat(24));
    expect(formatSource(loaded.sources.find((source) => source.path === "jwt.secret")!.place)).toBe(
      `${file} (ROLLCALL_JWT_SECRET_FILE)`,
    );
    writeFileSync(file, "t".repeat(23));
    expect(refusal(env({ ROLLCALL_JWT_SECRET_FILE: file }))[0]).toMatch(
      /^ROLLCALL_JWT_SECRET_FILE {2}jwt\.secret {2}has 23 characters/,
    );
    expect(refusal(env({ ROLLCALL_JWT_SECRET_FILE: "/nonexistent/x" }))[0]).toMatch(/cannot be read/);
    expect(refusal(env({ ROLLCALL_JWT_SECRET_FILE: file, ROLLCALL_JWT_SECRET: "x" }))[0]).toMatch(
      /set together with ROLLCALL_JWT_SECRET_FILE/,
    );
  });

  it("reads lists of secrets from a file, one per line", () => {
    const file = path.join(workingDirectory(), "tokens");
    writeFileSync(file, `${"1".repeat(24)}\n${"2".repeat(24)}\n`);
    expect(loadSound(soundConfig, { env: { ROLLCALL_SYNC_APITOKENS_FILE: file } }).config.sync.apiTokens).toEqual([
      "1".repeat(24),
      "2".repeat(24),
    ]);
  });

  it("sets entries of lists", () => {
    const config = `${soundConfig}oauth2:\n  providers:\n    - {name: chat, type: chat, redirectURL: "https://rollcall.example.org/api/oauth2/callback/chat", clientID: x}\n`;
    expect(refusal(env({}, config))[0]).toContain("oauth2.providers[0].clientSecret");
    const file = path.join(workingDirectory(), "client");
    writeFileSync(file, "client-secret");
    const loaded = loadSound(config, { env: { ROLLCALL_OAUTH2_PROVIDERS_0_CLIENTSECRET_FILE: file } });
    expect(loaded.config.oauth2.providers[0]?.clientSecret).toBe("client-secret");
    expect(loaded.warnings).toEqual([]);
  });

  it("reads the URL of the chat platform's API", () => {
    const from = (ROLLCALL_CHAT_API_URL: string) => loadSound(soundConfig, { env: { ROLLCALL_CHAT_API_URL } }).config.chat.apiURL;
    expect([from("http://127.0.0.1:9000/api/"), from("")]).toEqual(["http://127.0.0.1:9000/api", null]);
    expect(refusal(env({ ROLLCALL_CHAT_API_URL: "x" }))[0]).toMatch(/^ROLLCALL_CHAT_API_URL {2}.*not an http or https address/);
  });

  it("expands variables in attributes of traces, with a warning for unset ones", () => {
    const config = `${soundConfig}otlp:\n  attributes: ["pod=\${POD}-\${NODE}", {key: costs, value: "5$"}]\n`;
    const loaded = loadSound(config, { env: { POD: "web-1" } });
    expect(loaded.config.otlp.attributes).toEqual([
      { key: "pod", value: "web-1-" },
      { key: "costs", value: "5$" },
    ]);
    expect(loaded.warnings.map(formatFinding).join("\n")).toMatch(/otlp\.attributes {2}names the environment variable NODE/);
  });

  it("warns about unknown variables, but not about reserved ones", () => {
    const loaded = loadSound(soundConfig, {
      env: {
        ROLLCALL_HTTP_LISTN: ":1",
        ROLLCALL_NOPE_X: "1",
        ROLLCALL_HTTP_LISTEN_FILE: "/x",
        ROLLCALL_CHAT_API_URL: "http://127.0.0.1:9000/api/",
        ROLLCALL_TEST_ANY: "x",
        ROLLCALL_CONFIG: "",
        HOME: "/",
      },
    });
    expect(loaded.warnings.map(formatFinding)).toEqual([
      "ROLLCALL_HTTP_LISTEN_FILE  (environment)  is read from a file, but the option is not a secret  write ROLLCALL_HTTP_LISTEN",
      "ROLLCALL_HTTP_LISTN  (environment)  is not a known variable and has no effect  write ROLLCALL_HTTP_LISTEN",
      "ROLLCALL_NOPE_X  (environment)  is not a known variable and has no effect  remove it",
    ]);
  });
});
