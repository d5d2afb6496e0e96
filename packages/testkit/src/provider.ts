import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { picture } from "./chat.ts";

/** A plain OAuth2 provider that consents at once and records its requests. */
export interface StandIn {
  readonly url: string;
  /** The user info that it returns. */
  person: Record<string, unknown>;
  /** Method and path of every request. */
  readonly asked: string[];
  /** Form and client of the last token request. */
  form: URLSearchParams;
  client: string;
  close(): void;
}

export const client = {
  id: "rollcall",
  secret: "client-secret-of-the-plain-provider",
  token: "access-token-of-the-plain-provider",
} as const;

export async function startStandIn(): Promise<StandIn> {
  const challenges = new Map<string, string>();
  const server = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const json = (response: ServerResponse, status: number, body: unknown) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

  async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = "";
    for await (const part of request) text += String(part);
    standIn.form = new URLSearchParams(text);
    const basic = /^Basic (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    standIn.client = decodeURIComponent(Buffer.from(basic, "base64").toString());
    const code = standIn.form.get("code") ?? "";
    const challenge = createHash("sha256")
      .update(standIn.form.get("code_verifier") ?? "")
      .digest("base64url");
    if (challenges.get(code) !== challenge) json(response, 400, { error: "invalid_grant" });
    else json(response, 200, { access_token: client.token, refresh_token: `refresh ${client.token}`, token_type: "bearer" });
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", url);
    standIn.asked.push(`${request.method} ${pathname}`);
    if (pathname.startsWith("/authorize")) {
      const code = `code-${challenges.size}`;
      challenges.set(code, searchParams.get("code_challenge") ?? "");
      const back = new URL(searchParams.get("redirect_uri") ?? "");
      back.searchParams.set("code", code);
      back.searchParams.set("state", searchParams.get("state") ?? "");
      response.writeHead(302, { location: back.href }).end();
    } else if (pathname.startsWith("/token")) await token(request, response);
    else if (pathname.startsWith("/pictures/")) response.end(picture);
    else if (pathname.startsWith("/me")) json(response, 200, { ...standIn.person, asked: pathname });
    else json(response, 404, {});
  }

  const standIn: StandIn = {
    url,
    person: { id: 4711, name: "Mara", nick: "mara_l", picture: `${url}/pictures/one.png` },
    asked: [],
    form: new URLSearchParams(),
    client: "",
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return standIn;
}

/** Its entry in `oauth2.providers`; `base` is the address of the program. */
export function providerSettings({ url }: { readonly url: string }, base: string, name: string): Record<string, unknown> {
  return {
    name,
    type: "generic",
    redirectURL: `${base}/api/oauth2/callback/${name}`,
    clientID: client.id,
    clientSecret: `${client.secret}-${name}`,
    endpoints: { authURL: `${url}/authorize`, tokenURL: `${url}/token`, userInfoURL: `${url}/me` },
    mapping: { id: "id", username: "name", avatar: "picture" },
  };
}
