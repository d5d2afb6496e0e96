import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import type { Page } from "playwright-core";

export interface OidcProvider {
  readonly url: string;
  /** Requested paths, the newest last. */
  readonly asked: string[];
  stop(): void;
}

export interface OidcOptions {
  /** A loopback address of its own, so that two providers do not share cookies. */
  readonly host: string;
  readonly client: { readonly id: string; readonly secret: string; readonly redirect: string; readonly auth?: "basic" | "post" };
  /** Claims besides `sub`, by scope. */
  readonly claims: (login: string) => Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** A real OpenID provider in this process; the login that is typed becomes the subject. */
export async function startOidc({ host, client, claims }: OidcOptions): Promise<OidcProvider> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  }).listen(0, host);
  await once(server, "listening");
  const url = `http://${host}:${(server.address() as AddressInfo).port}`;
  const scopes = claims("nobody");
  const provider = new Provider(url, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [client.redirect],
        grant_types: ["authorization_code"],
        response_types: ["code"],
        token_endpoint_auth_method: `client_secret_${client.auth ?? "basic"}`,
      },
    ],
    cookies: { keys: ["cookies of the tests"] },
    pkce: { required: () => true },
    claims: {
      openid: ["sub"],
      ...Object.fromEntries(Object.entries(scopes).map(([scope, values]) => [scope, Object.keys(values)])),
    },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...Object.assign({}, ...Object.values(claims(id))) }),
    }),
  });
  const answer = provider.callback();
  return {
    url,
    asked,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Signs in on the provider's own pages and consents. */
export async function signInAtOidc(page: Page, login: string): Promise<void> {
  await page.fill("input[name=login]", login);
  await page.fill("input[name=password]", "any");
  await page.click("button[type=submit]");
  await page.waitForSelector("input[name=prompt][value=consent]", { state: "attached" });
  await page.click("button[type=submit]");
}
