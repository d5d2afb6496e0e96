import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ChatPerson {
  readonly id: string;
  readonly username: string;
  readonly global_name: string | null;
  /** Hash of the picture. */
  readonly avatar: string | null;
}

/** A stub of the chat platform's OAuth2 server and API. */
export interface ChatPlatform {
  /** For `ROLLCALL_CHAT_API_URL`. */
  readonly apiUrl: string;
  readonly url: string;
  /** The person who is signed in there. */
  person: ChatPerson;
  /** Received requests: method and path, the newest last. */
  readonly asked: string[];
  /** The query of the last sign-in page. */
  scope: string | null;
  stop(): void;
}

export const chatClient = { id: "1180000000000000001", secret: "client-secret-of-the-chat-platform" } as const;

/** A picture of 2 by 2 pixels. */
export const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAE0lEQVQImWM4wMBwgAGMDzAwAAAYDgMByYXdvAAAAABJRU5ErkJggg==",
  "base64",
);

async function formOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = "";
  for await (const part of request) text += String(part);
  return new URLSearchParams(text);
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** Client id and secret, from the header or the form: the platform accepts both. */
function clientOf(request: IncomingMessage, form: URLSearchParams): (string | null | undefined)[] {
  const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (basic === undefined) return [form.get("client_id"), form.get("client_secret")];
  return Buffer.from(basic, "base64").toString().split(":", 2).map(decodeURIComponent);
}

/**
 * An authorise page with two buttons, a token endpoint that requires a form and the client's
 * authentication, `/users/@me`, and pictures below `/avatars`.
 */
export async function startChat(): Promise<ChatPlatform> {
  const codes = new Map<string, string>();
  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  function authorise(query: URLSearchParams, response: ServerResponse): void {
    platform.scope = query.get("scope");
    const code = `code-${codes.size}`;
    codes.set(code, query.get("redirect_uri") ?? "");
    const back = (given: Record<string, string>) => {
      const target = new URL(query.get("redirect_uri") ?? "");
      for (const [name, value] of Object.entries({ ...given, state: query.get("state") ?? "" }))
        target.searchParams.set(name, value);
      return target.href.replaceAll("&", "&amp;");
    };
    const refused = { error: "access_denied", error_description: "The resource owner denied the request" };
    response
      .writeHead(200, { "content-type": "text/html" })
      .end(`<title>Chat</title><a id="yes" href="${back({ code })}">Authorise</a> <a id="no" href="${back(refused)}">Cancel</a>`);
  }

  async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await formOf(request);
    const [id, secret] = clientOf(request, form);
    if (!request.headers["content-type"]?.startsWith("application/x-www-form-urlencoded"))
      return json(response, 400, { error: "unsupported_content_type" });
    if (id !== chatClient.id || secret !== chatClient.secret) return json(response, 401, { error: "invalid_client" });
    const redirect = codes.get(form.get("code") ?? "");
    codes.delete(form.get("code") ?? "");
    if (form.get("grant_type") !== "authorization_code" || redirect === undefined || redirect !== form.get("redirect_uri"))
      return json(response, 400, { error: "invalid_grant", error_description: 'Invalid "code" in request.' });
    json(response, 200, {
      token_type: "Bearer",
      access_token: "access-token-of-the-chat-platform",
      expires_in: 604_800,
      refresh_token: "refresh-token-of-the-chat-platform",
      scope: platform.scope,
    });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", url);
    platform.asked.push(`${request.method} ${pathname}`);
    if (pathname === "/api/oauth2/authorize") authorise(searchParams, response);
    else if (pathname === "/api/oauth2/token" && request.method === "POST") await token(request, response);
    else if (pathname === "/api/users/@me" && request.headers.authorization === "Bearer access-token-of-the-chat-platform")
      json(response, 200, { ...platform.person, discriminator: "0", bot: false, locale: "de" });
    else if (/^\/(?:avatars|pictures)\//.test(pathname)) response.writeHead(200, { "content-type": "image/png" }).end(picture);
    else json(response, pathname === "/api/users/@me" ? 401 : 404, { message: "401: Unauthorized", code: 0 });
  }

  const platform: ChatPlatform = {
    url,
    apiUrl: `${url}/api`,
    person: { id: "80351110224678912", username: "mara.l", global_name: "Mara", avatar: "8342729096ea3675442027381ff50dfe" },
    asked: [],
    scope: null,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return platform;
}
