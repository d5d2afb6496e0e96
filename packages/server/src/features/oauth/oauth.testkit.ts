import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { sessionCookieName } from "#infra/http/cookie.ts";
import { type Answer, testOrigin } from "#testkit/app.ts";
import type { AppUnderTest } from "#testkit/suite.ts";
import type { TestActor } from "#testkit/world.ts";
import { listConnections } from "./oauth.contract.ts";

type Json = Record<string, unknown>;

/** A stand-in for a provider, on a real port; its answers can be changed at any time. */
export interface StandIn {
  readonly url: string;
  /** What `/me` answers about the person who signs in. */
  person: Json;
  /** Overrides fields of the token endpoint's answer. */
  token: Json;
  tokenStatus: number;
  /** The answer of `/me` in place of the person. */
  raw: { status: number; text: string } | null;
  /** Query of the next answer to the browser, in place of code and state. */
  refusal: Json | null;
  /** The last query of the sign-in page. */
  lastQuery: URLSearchParams;
  /** How clients authenticated, one for each call of the token endpoint. */
  readonly clientAuth: string[];
}

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const drawing = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><script>1</script></svg>';

/** Each provider has another secret, with this prefix. */
export const client = { id: "client 1", secret: "client:secret of the tests" };

/** Speaks the authorization code flow with PKCE at /authorize, /token and /me, and has pictures below /pictures. */
export async function startStandIn(accepts: "basic" | "post" = "basic"): Promise<StandIn> {
  const codes = new Map<string, { challenge: string; redirect: string }>();
  // Serves all test files of the process, and ends with it.
  const server = createServer((request, response) => void answer(request, response))
    .listen(0, "127.0.0.1")
    .unref();
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const json = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

  function authorize(query: URLSearchParams, response: ServerResponse): void {
    standIn.lastQuery = query;
    const code = `code${codes.size}`;
    codes.set(code, { challenge: query.get("code_challenge") ?? "", redirect: query.get("redirect_uri") ?? "" });
    const back = new URL(query.get("redirect_uri") ?? "");
    const given = standIn.refusal ?? { code };
    for (const [name, value] of Object.entries({ ...given, state: query.get("state") }))
      back.searchParams.set(name, String(value));
    response.writeHead(302, { location: back.href }).end();
  }

  async function giveToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const chunk of request) text += String(chunk);
    const form = new URLSearchParams(text);
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? "")?.[1];
    const [id, secret] = basic
      ? Buffer.from(basic, "base64")
          .toString()
          .split(":")
          .map((part) => decodeURIComponent(part.replaceAll("+", " ")))
      : [form.get("client_id"), form.get("client_secret")];
    standIn.clientAuth.push(basic ? "basic" : "post");
    if ((basic ? "basic" : "post") !== accepts || id !== client.id || secret?.startsWith(client.secret) !== true)
      return void json(response, 401, { error: "invalid_client" });
    const grant = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    const challenge = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    if (!grant || grant.challenge !== challenge || grant.redirect !== form.get("redirect_uri"))
      return void json(response, 400, { error: "invalid_grant" });
    const tokens = {
      access_token: "access of the tests",
      refresh_token: "refresh of the tests",
      token_type: "Bearer",
      expires_in: 3600,
    };
    json(response, standIn.tokenStatus, { ...tokens, ...standIn.token });
  }

  function picture(name: string, response: ServerResponse): void {
    if (name === "pixel.png") response.end(pixel);
    else if (name === "drawing.svg") response.end(drawing);
    else if (name === "page.png") response.writeHead(200, { "content-type": "image/png" }).end("<html><script>1</script></html>");
    else response.writeHead(404).end();
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", url);
    if (pathname.endsWith("/authorize")) authorize(searchParams, response);
    else if (pathname.endsWith("/token")) await giveToken(request, response);
    else if (/^\/(?:pictures|avatars)\//.test(pathname)) picture(pathname.split("/").at(-1) ?? "", response);
    else if (!/\/(?:me|@me)$/.test(pathname)) json(response, 404, {});
    else if (request.headers.authorization !== "Bearer access of the tests") json(response, 401, {});
    else if (standIn.raw) response.writeHead(standIn.raw.status, { "content-type": "text/html" }).end(standIn.raw.text);
    else json(response, 200, standIn.person);
  }

  const standIn: StandIn = {
    url,
    person: {},
    token: {},
    tokenStatus: 200,
    raw: null,
    refusal: null,
    lastQuery: new URLSearchParams(),
    clientAuth: [],
  };
  return standIn;
}

/** An entry of `oauth2.providers` as environment variables. */
export function providerEnv(index: number, entry: Record<string, string>): Record<string, string> {
  const base = `ROLLCALL_OAUTH2_PROVIDERS_${index}_`;
  return Object.fromEntries(
    Object.entries(entry).map(([path, value]) => [base + path.replaceAll(".", "_").toUpperCase(), value]),
  );
}

export const forum = await startStandIn();
export const chat = await startStandIn("post");
export const elsewhere = await startStandIn();

const shared = (index: number) => ({ clientID: client.id, clientSecret: `${client.secret} ${index}` });
export const callback = (name: string) => `${testOrigin}/api/oauth2/callback/${name}`;
const endpoints = {
  "endpoints.authURL": `${forum.url}/authorize?tenant=city`,
  "endpoints.tokenURL": `${forum.url}/token`,
  "endpoints.userInfoURL": `${forum.url}/me`,
};
export const providers = {
  ...providerEnv(0, {
    ...shared(0),
    ...endpoints,
    name: "forum",
    label: "The forum",
    homepage: "https://forum.example.org",
    icon: `${forum.url}/pictures/pixel.png`,
    type: "generic",
    redirectURL: callback("forum"),
    scopes: "read,openid",
    "mapping.id": "user.id",
    "mapping.username": "user.names.shown",
    "mapping.avatar": "user.picture",
  }),
  ...providerEnv(1, { ...shared(1), name: "chat", type: "chat", redirectURL: callback("chat"), icon: "tabler:message" }),
  ...providerEnv(2, {
    ...shared(2),
    ...endpoints,
    name: "plain",
    type: "generic",
    redirectURL: callback("plain"),
    icon: `${forum.url}/pictures/drawing.svg`,
    defaultAvatar: `${forum.url}/pictures/pixel.png`,
    "mapping.id": "id",
    "mapping.avatar": "picture",
  }),
  ...providerEnv(3, {
    ...shared(3),
    ...endpoints,
    name: "odd",
    type: "generic",
    redirectURL: callback("odd"),
    "mapping.id": "id",
    icon: `${forum.url}/pictures/page.png`,
  }),
  ROLLCALL_CHAT_API_URL: `${chat.url}/api`,
  ROLLCALL_ICONS_PATH: path.resolve(import.meta.dirname, "../../../../../icons"),
};

/** The password of every actor of the tests. */
const actorPassword = "a good password";

/** A browser: keeps cookies and follows the provider's redirect. */
export function browser({ app }: AppUnderTest, session?: string) {
  const jar = new Map<string, string>(session === undefined ? [] : [[sessionCookieName, session]]);
  async function ask(method: string, path: string, body?: object): Promise<Answer> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const answer = await app.request(method, path, {
      ...(cookie === "" ? {} : { headers: { cookie } }),
      ...(body === undefined ? {} : { body }),
    });
    for (const line of [answer.headers["set-cookie"] ?? []].flat()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  }
  const get = async (path: string) => await ask("GET", path);
  async function throughProvider(location: string): Promise<string> {
    if (location.startsWith("/")) return location;
    const there = await fetch(location, { redirect: "manual" });
    return String(there.headers.get("location")).slice(testOrigin.length);
  }
  /** Goes to the provider; returns the path to which it redirects the browser. */
  async function leave(name: string, query = ""): Promise<string> {
    const left = await get(`/api/oauth2/login/${name}${query}`);
    if (left.status !== 303) throw new Error(`not sent away: ${left.status} ${left.text}`);
    return await throughProvider(String(left.headers["location"]));
  }
  /** The same for connecting the account that is signed in. */
  async function leaveToConnect(name: string, back = "/", proof: object = { password: actorPassword }): Promise<string> {
    const begun = await ask("POST", `/api/oauth2/connections/${name}`, { return: back, ...proof });
    if (begun.status !== 200) throw new Error(`not sent away: ${begun.status} ${begun.body.code}`);
    return await throughProvider(begun.body.location as string);
  }
  const arrive = async (path: string) => String((await get(path)).headers["location"]);
  const end = async (path: string) => (path.startsWith("/api/") ? await arrive(path) : path);
  return {
    jar,
    get,
    ask,
    leave,
    leaveToConnect,
    arrive,
    go: async (name: string, query = "") => await arrive(await leave(name, query)),
    connect: async (name: string, back?: string) => await end(await leaveToConnect(name, back)),
  };
}

let people = 0;
/** A number that no other person in the tests has. */
export const uniqueNumber = () => (people += 1);
export const newPerson = () => {
  const id = uniqueNumber();
  return { user: { id, names: { shown: `Person ${id}` } } };
};

/** Queries that several tests of one app share. */
export function connectionsOf(get: () => AppUnderTest) {
  return {
    sql: async (statement: string, values: readonly unknown[] = []) =>
      await get().app.process.container.db.exclusive(
        "test",
        async ({ connection }) => (await connection.execute(statement, [...values])).rows,
      ),
    listed: async (cookie: string) => (await get().app.call(listConnections, {}, { cookie })).output.connections,
    /** An actor whose account is connected to the person who signs in at the provider now. */
    connected: async (name = "forum"): Promise<TestActor> => {
      const actor = await get().world.actor();
      const end = await browser(get(), actor.cookie).connect(name, "/account");
      if (end !== `/account?oauth=connected&provider=${name}`) throw new Error(`not connected: ${end}`);
      return actor;
    },
  };
}

/** Resets the answers of all providers, and chooses a new person. */
export function resetProviders(): void {
  for (const standIn of [forum, chat]) Object.assign(standIn, { token: {}, tokenStatus: 200, raw: null, refusal: null });
  forum.person = newPerson();
}
