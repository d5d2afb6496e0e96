import { describe, expect, it } from "vitest";
import { formatFinding } from "./finding.ts";
import { load, loadSound, marked, soundConfig, soundSecrets } from "./config.testkit.ts";

function problemsOf(config: string): string[] {
  const loaded = load(config);
  return loaded.ok ? [] : loaded.problems.map(formatFinding);
}

const change = (from: string | RegExp, to: string) => {
  const changed = soundConfig.replace(from, to);
  if (changed === soundConfig) throw new Error(`nothing to change: ${from}`);
  return changed;
};
const add = (text: string) => soundConfig + text;
const provider = (rest: string) =>
  add(
    `oauth2:\n  providers:\n    - name: forum\n      type: generic\n      redirectURL: https://rollcall.example.org/api/oauth2/callback/forum\n      clientID: id\n      clientSecret: dddddddd\n${rest}`,
  );
const endpoints = "      endpoints: {authURL: https://f.org/a, tokenURL: https://f.org/t, userInfoURL: https://f.org/u}\n";
const objectstore = (rest: string) =>
  change(
    "storage:\n",
    `storage:\n  type: objectstore\n  objectstore:\n    accessKeyID: k\n    secretAccessKey: eeeeeeee\n    bucketName: rollcall\n${rest}`,
  );

const mistakes: [name: string, config: string, option: string, what: RegExp, instead: RegExp][] = [
  [
    "23 characters of jwt.secret",
    change(soundSecrets.jwt, `«${"b".repeat(23)}`),
    "jwt.secret",
    /has 23 characters/,
    /at least 24/,
  ],
  [
    "23 characters of cookieSecret",
    change(soundSecrets.cookie, `«${"a".repeat(23)}`),
    "http.sessions.cookieSecret",
    /has 23 characters/,
    /at least 24/,
  ],
  [
    "two equal secrets",
    change(soundSecrets.jwt, `«${soundSecrets.cookie}`),
    "jwt.secret",
    /same secret as http.sessions.cookieSecret/,
    /different/,
  ],
  [
    "a token equal to a secret",
    change(`[${soundSecrets.sync}`, `[${soundSecrets.sync}, «${soundSecrets.jwt}`),
    "sync.apiTokens[1]",
    /same secret as jwt.secret/,
    /different/,
  ],
  [
    "the placeholder of the example",
    change(soundSecrets.jwt, '«"(at least 24 random characters)"'),
    "jwt.secret",
    /placeholder/,
    /your own random value/,
  ],
  ["duplicate key", change("nats:\n  url:", 'nats:\n  url: "embedded:"\n  «url:'), "nats.url", /written twice/, /keep one/],
  ["unknown key", change("  origins", "  «orgins"), "http.orgins", /not a known option/, /^write origins$/],
  ["misspelt section", change("http:", "«htpp:"), "htpp", /not a known option/, /^write http$/],
  ["unknown key without a similar one", add("«flux: 1\n"), "flux", /not a known option/, /remove it/],
  ["key of another section", add("«trustedProxies: []\n"), "trustedProxies", /not a known option/, /http\.trustedProxies/],
  [
    "bad duration",
    add("audit: {}\nupdateCheck:\n  interval: «90\n"),
    "updateCheck.interval",
    /90 has no unit/,
    /90s, 90m or 90h/,
  ],
  [
    "days",
    change("database:\n", "database:\n  connMaxLifetime: «2d\n"),
    "database.connMaxLifetime",
    /unit that is not known/,
    /48h/,
  ],
  ["bad enum", add("mode: «produktion\n"), "mode", /"produktion" is not known/, /debug or release/],
  [
    "bad level",
    add("log:\n  levelOverrides:\n    cron: «loud\n"),
    "log.levelOverrides.cron",
    /"loud" is not known/,
    /debug, info, warn or error/,
  ],
  [
    "bad origin",
    change("[https://rollcall.example.org]", "[https://rollcall.example.org, «rollcall.example.org]"),
    "http.origins[1]",
    /not an http or https address/,
    /https:\/\/rollcall.example.org/,
  ],
  [
    "origin with a path",
    change("[https://rollcall.example.org]", "[«https://rollcall.example.org/]"),
    "http.origins[0]",
    /more than scheme, host and port/,
    /write https:\/\/rollcall.example.org$/,
  ],
  ["no origin", change("[https://rollcall.example.org]", "«[]"), "http.origins", /no origin/, /publicURL/],
  [
    "bad CIDR",
    change("trustedProxies: []", "trustedProxies: [10.0.0.0/8, «10.0.0.0/64]"),
    "http.trustedProxies[1]",
    /prefix length/,
    /10\.0\.0\.0\/32/,
  ],
  ["bad listen", change("listen: 127.0.0.1:8080", "listen: «8080"), "http.listen", /not a listen address/, /":8080"/],
  ["busy listen", change("127.0.0.1:7070", "«127.0.0.1:8080"), "http.adminListen", /address of http.listen/, /another port/],
  [
    "bad public URL",
    change("publicURL: https://rollcall", "publicURL: «rollcall"),
    "http.publicURL",
    /not an http or https address/,
    /https:\/\/rollcall/,
  ],
  ["bad domain", change("domain: rollcall", "domain: «https://rollcall"), "http.sessions.domain", /is a URL/, /only the host/],
  ["bad dsn", change("sqlite:./data/rollcall.db", "«mysql://u:p@h/rc"), "database.dsn", /scheme mysql/, /@tcp\(/],
  [
    "bad zone",
    change("sqlite:./data/rollcall.db", "«sqlite:./data/rollcall.db?loc=Europe%2FBerlim"),
    "database.dsn",
    /not a time zone/,
    /Europe%2FBerlin/,
  ],
  ["bad broker", change('"embedded:"', "«amqp://h"), "nats.url", /scheme amqp/, /nats:\/\//],
  ["out of range", change("nats:\n", "nats:\n  replicas: «9\n"), "nats.replicas", /9 is out of range/, /from 1 to 5/],
  [
    "fraction",
    change("database:\n", "database:\n  maxOpenConns: «1.5\n"),
    "database.maxOpenConns",
    /not a whole number/,
    /whole number/,
  ],
  [
    "number in quotes",
    change("database:\n", 'database:\n  maxOpenConns: «"5"\n'),
    "database.maxOpenConns",
    /"5" is not a number/,
    /without quotes/,
  ],
  ["yes for true", add("ignoreRequirements: «yes\n"), "ignoreRequirements", /"yes" is not a boolean/, /true or false/],
  ["number for text", change("[admin]", "[«42]"), "auth.configAdminGroups[0]", /a number where text/, /"42" in quotes/],
  ["text for a list", change("[admin]", "«admin"), "auth.configAdminGroups", /text where a list/, /\["admin"\]/],
  ["text for a section", add("game: «5\n"), "game", /where a section is expected/, /indented/],
  [
    "missing key",
    change(/  trustedProxies.*\n/, "").replace("http:", "«http:"),
    "http.trustedProxies",
    /is missing/,
    /trustedProxies: \[/,
  ],
  ["missing section", `«${change(/jwt:\n.*\n/, "")}`, "jwt.secret", /is missing/, /secret: /],
  ["empty required key", change(/domain: .*/, "«domain:"), "http.sessions.domain", /is empty/, /domain: rollcall/],
  [
    "sync without a token",
    change(`[${soundSecrets.sync}]`, "«[]"),
    "sync.apiTokens",
    /although sync.enabled is true/,
    /at least one/,
  ],
  [
    "storage path that does not exist",
    change("path: ./data/files", "path: «./nowhere"),
    "storage.filesystem.path",
    /nowhere does not exist/,
    /create it/,
  ],
  ["icons that are a file", change("path: ./data/icons", "path: «./data/postals.json"), "icons.path", /not a folder/, /folder/],
  [
    "http endpoint with useSSL",
    objectstore("    endpoint: «http://minio:9000\n"),
    "storage.objectstore.endpoint",
    /although storage.objectstore.useSSL/,
    /useSSL to false/,
  ],
  [
    "object store without an endpoint",
    objectstore("").replace("  objectstore:", "  «objectstore:"),
    "storage.objectstore.endpoint",
    /missing although storage.type/,
    /filesystem/,
  ],
  [
    "prefix with ..",
    change("storage:\n", "storage:\n  objectstore:\n    prefix: «a/../b\n"),
    "storage.objectstore.prefix",
    /not a relative prefix/,
    /without \. and \.\./,
  ],
  [
    "generic provider without an endpoint",
    provider("      mapping: {id: sub}\n      «endpoints: {authURL: https://f.org/a, tokenURL: https://f.org/t}\n"),
    "oauth2.providers[0].endpoints.userInfoURL",
    /missing for a provider of type generic/,
    /userInfoURL: https/,
  ],
  [
    "generic provider without an id",
    provider(endpoints).replace("- name", "- «name"),
    "oauth2.providers[0].mapping.id",
    /missing/,
    /id: sub/,
  ],
  [
    "provider of an unknown type",
    provider(`${endpoints}      mapping: {id: sub}\n`).replace("generic", "«steam"),
    "oauth2.providers[0].type",
    /"steam" is not known/,
    /generic or chat/,
  ],
  [
    "provider without a secret",
    provider(`${endpoints}      mapping: {id: sub}\n`)
      .replace(/ +clientSecret.*\n/, "")
      .replace("- name", "- «name"),
    "oauth2.providers[0].clientSecret",
    /is missing/,
    /clientSecret: /,
  ],
  [
    "two providers of one name",
    provider(
      `${endpoints}      mapping: {id: sub}\n    - name: «forum\n      type: chat\n      redirectURL: https://rollcall.example.org/api/oauth2/callback/forum\n      clientID: x\n      clientSecret: ffffffff\n`,
    ),
    "oauth2.providers[1].name",
    /already the name of oauth2.providers\[0\]/,
    /unique/,
  ],
  [
    "role without a name",
    add("").replace("enabled: false\n", "enabled: false\n  groupSync:\n    mapping:\n      Admin: «{color: '#aabbcc'}\n"),
    "chat.groupSync.mapping.Admin.roleName",
    /is missing/,
    /roleName: Staff/,
  ],
  [
    "bad colour",
    add("").replace(
      "enabled: false\n",
      "enabled: false\n  groupSync:\n    mapping:\n      Admin: {roleName: A, color: «purple}\n",
    ),
    "chat.groupSync.mapping.Admin.color",
    /not a colour/,
    /#RRGGBB/,
  ],
  [
    "bad permissions",
    add("").replace(
      "enabled: false\n",
      "enabled: false\n  groupSync:\n    mapping:\n      Admin: {roleName: A, permissions: «-1}\n",
    ),
    "chat.groupSync.mapping.Admin.permissions",
    /not a bit field/,
    /whole number/,
  ],
  ["bad attribute", add("otlp:\n  attributes: [a=b, «nonsense]\n"), "otlp.attributes[1]", /not an attribute/, /key=value/],
  [
    "bad column",
    change("database:\n", 'database:\n  custom:\n    columns:\n      user:\n        visum: «" a"\n'),
    "database.custom.columns.user.visum",
    /not a column name/,
    /or - to remove/,
  ],
  [
    "unknown column",
    change("database:\n", "database:\n  custom:\n    columns:\n      user:\n        «visa: x\n"),
    "database.custom.columns.user.visa",
    /not a known option/,
    /visum/,
  ],
  ["ratio", add("otlp:\n  ratio: «1.5\n"), "otlp.ratio", /out of range/, /0 to 1/],
  ["syntax", add("game: «[1, 2\n"), "(document)", /not valid YAML/, /close every bracket/],
];

describe("a mistake in the configuration", () => {
  it.each(mistakes)("%s gives one line", (name, text, option, what, instead) => {
    const { config, at } = marked(text);
    const lines = problemsOf(config);
    expect(lines).toHaveLength(1);
    const [place, path, wrong = "", remedy = "", ...rest] = lines[0]!.split("  ");
    expect(rest).toEqual([]);
    expect(path).toBe(option);
    expect(wrong).toMatch(what);
    expect(remedy).toMatch(instead);
    // Syntax errors are reported where the parser stops.
    expect(name === "syntax" ? place?.split(":")[0] : place).toBe(name === "syntax" ? "config.yaml" : `config.yaml:${at}`);
  });

  it("is absent from the sound configuration", () => {
    const loaded = loadSound(soundConfig);
    expect(loaded.warnings).toEqual([]);
  });
});

describe("a provider of external sign-in", () => {
  const loaded = (config: string) => loadSound(config);
  const mapping = "      mapping: {id: sub}\n";

  it("keeps its URLs unchanged", () => {
    const slashes = "      endpoints: {authURL: https://f.org/a/, tokenURL: HTTPS://f.org/t/, userInfoURL: https://f.org/u//}\n";
    const [entry] = loaded(provider(slashes + mapping)).config.oauth2.providers;
    expect(entry?.endpoints).toEqual({
      authURL: "https://f.org/a/",
      tokenURL: "HTTPS://f.org/t/",
      userInfoURL: "https://f.org/u//",
    });
  });

  it("may omit endpoints that OpenID discovery finds", () => {
    const text = provider(`      endpoints: {authURL: https://f.org/a}\n      scopes: [openid]\n${mapping}`);
    expect(loaded(text).config.oauth2.providers[0]?.endpoints).toMatchObject({ tokenURL: null, userInfoURL: null });
  });

  it.each([
    ["https://rollcall.example.org/api/oauth2/callback/other", /does not end in \/api\/oauth2\/callback\/forum/],
    ["https://rollcall.example.org/api/oauth2/callback/forum/", /does not end in/],
    ["https://elsewhere.example.com/api/oauth2/callback/forum", /elsewhere\.example\.com.*allows no cookie/],
  ])("has a warning about the callback URL %s", (address, what) => {
    const text = provider(endpoints + mapping).replace("https://rollcall.example.org/api/oauth2/callback/forum", address);
    const { warnings, config } = loaded(text);
    expect(config.oauth2.providers[0]?.redirectURL).toBe(address);
    expect(warnings).toMatchObject([{ path: "oauth2.providers[0].redirectURL", what: expect.stringMatching(what) }]);
  });
});

it("reports a missing section at its parent section", () => {
  const lines = problemsOf(change(/ {2}sessions:\n.*\n.*\n/, "").replace("http:", "# a comment\nhttp:"));
  expect(lines.map((line) => line.split("  ").slice(0, 2).join(" "))).toEqual([
    "config.yaml:2:1 http.sessions.cookieSecret",
    "config.yaml:2:1 http.sessions.domain",
  ]);
});

const twenty = `mode: produktion
logLevel: loud
jwt:
  secret: short
http:
  listen: 8080
  publicURL: rollcall.example.org
  origins: [https://a.example.org/]
  trustedProxies: [proxy]
  sessions:
    cookieSecret: "12345678901234567890123"
    domain: https://a.example.org
  colour: red
database:
  dsn: root@h/rc
  maxOpenConns: 0
  connMaxIdleTime: 15
  connMaxIdleTime: 15m
nats:
  url: http://nats
  replicas: 2.5
audit:
  retentionDays: never
otlp:
  ratio: 2
sync:
  enabled: on
icons:
  path: ./nowhere
`;

it("twenty mistakes give twenty lines, in the order of the file", () => {
  const places = problemsOf(twenty).map((line) => line.split("  ").slice(0, 2).join(" "));
  expect(places).toEqual([
    "config.yaml:1:7 mode",
    "config.yaml:2:11 logLevel",
    "config.yaml:4:11 jwt.secret",
    "config.yaml:6:11 http.listen",
    "config.yaml:7:14 http.publicURL",
    "config.yaml:8:13 http.origins[0]",
    "config.yaml:9:20 http.trustedProxies[0]",
    "config.yaml:11:19 http.sessions.cookieSecret",
    "config.yaml:12:13 http.sessions.domain",
    "config.yaml:13:3 http.colour",
    "config.yaml:15:8 database.dsn",
    "config.yaml:16:17 database.maxOpenConns",
    "config.yaml:17:20 database.connMaxIdleTime",
    "config.yaml:18:3 database.connMaxIdleTime",
    "config.yaml:20:8 nats.url",
    "config.yaml:21:13 nats.replicas",
    "config.yaml:23:18 audit.retentionDays",
    "config.yaml:25:10 otlp.ratio",
    "config.yaml:27:12 sync.enabled",
    "config.yaml:29:9 icons.path",
  ]);
});
