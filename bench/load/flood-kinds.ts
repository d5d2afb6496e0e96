/** Credentials for floods: those of a player, and an ended session. */
export interface FloodMeans {
  readonly url: string;
  readonly token: string;
  readonly cookie: string;
  readonly deadCookie: string;
  /** Token of a user who may follow the live topic `citizens`. */
  readonly followerToken: string;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type SocketFlood = "silent" | "pongs" | "garbage" | "wrong token" | "foreign origin" | "resume";
export type WireFlood = "half a body" | "slow head";

export type FloodKind =
  | { readonly name: string; readonly call: (index: number, means: FloodMeans) => Call }
  | { readonly name: string; readonly sockets: SocketFlood }
  | { readonly name: string; readonly wire: WireFlood };

const get = (path: string, headers: Readonly<Record<string, string>> = {}): Call => ({ method: "GET", path, headers });
const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Call => ({
  method: "POST",
  path,
  body: typeof body === "string" ? body : JSON.stringify(body),
  headers: { "content-type": "application/json", ...headers },
});
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const session = (cookie: string) => ({ cookie });
const word = (index: number) => index.toString(36).padStart(6, "q");
const cursor = (index: number) => Buffer.from(JSON.stringify([word(index), index])).toString("base64url");

const byStrangers: readonly FloodKind[] = [
  { name: "addresses that are none", call: (i) => get(`/api/none/${i}`) },
  { name: "no credentials", call: () => get("/api/audit") },
  { name: "user tokens made up", call: (i) => get("/api/jobs", bearer(`eyJhbGciOiJIUzI1NiJ9.${word(i)}.${word(i)}`)) },
  {
    name: "session cookies made up",
    call: (i) => get("/api/accounts", session(`rollcall_session=eyJhbGciOiJkaXIifQ..${i}.b.c`)),
  },
  { name: "wrong sync tokens", call: (i) => get("/api/sync/v1/status", bearer(`guess-${i}`)) },
  {
    name: "sign-ins with names made up",
    call: (i) => post("/api/auth/login", { username: `nobody ${word(i)} ${word(i + 7)}`, password: "a guess" }),
  },
  { name: "sign-ins with one name", call: () => post("/api/auth/login", { username: "police.chief", password: "a guess" }) },
  { name: "sign-ins without a password", call: (i) => post("/api/auth/login", { username: word(i) }) },
  {
    name: "registrations with wrong tokens",
    call: (i) => post("/api/auth/register", { token: word(i), username: `new${i}`, password: "correct horse" }),
  },
  { name: "resets with wrong tokens", call: (i) => post("/api/auth/reset", { token: word(i), password: "correct horse" }) },
  { name: "codes of a second factor", call: (i) => post("/api/auth/login/factor", { code: String(100_000 + (i % 900_000)) }) },
  {
    name: "signing out with a session that ended",
    call: (_i, { deadCookie }) => post("/api/auth/logout", {}, session(deadCookie)),
  },
  { name: "asking with a session that ended", call: (_i, { deadCookie }) => get("/api/auth/characters", session(deadCookie)) },
  {
    name: "setting up what is set up",
    call: (i) => post("/api/setup", { token: word(i), username: "admin", password: "correct horse", licence: "mine" }),
  },
  { name: "answers of a provider with a wrong state", call: (i) => get(`/api/oauth2/callback/forum?state=${word(i)}&code=x`) },
  { name: "leaving for a provider that is none", call: (i) => get(`/api/oauth2/login/none${i}`) },
  { name: "icons that are none", call: (i) => get(`/api/icons/none.json?icons=${word(i)}`) },
  {
    name: "pictures with a wrong mark",
    call: (i) => get(`/api/image-proxy?url=https%3A%2F%2Fexample.org%2F${i}.png&size=128&mark=${word(i)}`),
  },
  {
    name: "uploads that are none",
    call: (i) => get(`/api/files/01M81NX8J8417BC702R97${word(i).slice(0, 5).toUpperCase()}/full`),
  },
  { name: "files of the application that are none", call: (i) => get(`/assets/none-${i}.js`) },
  { name: "the page itself", call: (i) => get(`/citizens/${i}`, { accept: "text/html" }) },
  {
    name: "preflights",
    call: (_i, { url }) => ({
      method: "OPTIONS",
      path: "/api/auth/login",
      headers: { origin: url, "access-control-request-method": "POST" },
    }),
  },
  { name: "pages of another site", call: () => get("/api/system/client", { origin: "https://evil.example" }) },
  { name: "cookies of 12 kB", call: (i) => get("/api/auth/characters", session(`rollcall_session=${word(i).repeat(2000)}`)) },
  { name: "bodies of 200 kB", call: () => post("/api/auth/login", `{"username":"${"x".repeat(200_000)}"}`) },
  { name: "bodies that are no JSON", call: () => post("/api/auth/login", "[".repeat(20_000)) },
  { name: "packed bodies", call: () => post("/api/auth/login", "x".repeat(1000), { "content-encoding": "gzip" }) },
  { name: "addresses that cannot be decoded", call: () => get("/%E0%A4%A") },
  { name: "live connections that send nothing", sockets: "silent" },
  { name: "live connections with pongs alone", sockets: "pongs" },
  { name: "live connections with garbage", sockets: "garbage" },
  { name: "live connections with wrong tokens", sockets: "wrong token" },
  { name: "live connections of another site", sockets: "foreign origin" },
  { name: "requests whose body never ends", wire: "half a body" },
  { name: "requests whose head never ends", wire: "slow head" },
];

const byPlayers: readonly FloodKind[] = [
  { name: "a player: what is not allowed", call: (_i, { token }) => get("/api/audit", bearer(token)) },
  { name: "a player: what is for admins", call: (_i, { cookie }) => get("/api/accounts", session(cookie)) },
  { name: "a player: exports that are not allowed", call: (_i, { token }) => post("/api/audit/export", "", bearer(token)) },
  { name: "a player: search by short words", call: (i, { token }) => get(`/api/search?q=${word(i).slice(-2)}`, bearer(token)) },
  { name: "a player: own access log", call: (i, { token }) => get(`/api/audit/lookups?limit=${1 + (i % 50)}`, bearer(token)) },
  {
    name: "a player: notifications from odd places",
    call: (i, { token }) => get(`/api/notifications?cursor=${cursor(i)}`, bearer(token)),
  },
  { name: "a player: lists from odd places", call: (i, { token }) => get(`/api/notices?cursor=${cursor(i)}`, bearer(token)) },
  { name: "a player: wrong input", call: (i, { token }) => post("/api/notifications/read", { ids: word(i) }, bearer(token)) },
  { name: "a player: objects that are none", call: (i, { token }) => get(`/api/notices/${1_000_000 + i}`, bearer(token)) },
  { name: "a player: spans that are none", call: (i, { cookie }) => post("/api/traces", { none: i }, session(cookie)) },
  {
    name: "a player: the wrong own password",
    call: (_i, { cookie }) => post("/api/oauth2/connections/forum", { return: "/", password: "a guess" }, session(cookie)),
  },
  { name: "a player: resuming live topics", sockets: "resume" },
];

export const floodKinds: readonly FloodKind[] = [...byStrangers, ...byPlayers];
