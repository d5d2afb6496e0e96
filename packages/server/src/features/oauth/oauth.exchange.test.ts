import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { expect, test } from "vitest";
import type { Outgoing } from "#core/ports/index.ts";
import { systemClock } from "#infra/clock.ts";
import { createIds } from "#infra/ids.ts";
import { ExchangeService } from "./oauth.exchange.service.ts";
import { ProvidersService, type ProviderOptions } from "./oauth.providers.service.ts";

const issuer = "https://id.example.org/realms/city";
const options: ProviderOptions = {
  name: "city",
  label: null,
  homepage: null,
  icon: null,
  defaultAvatar: null,
  type: "generic",
  redirectURL: "https://rollcall.example.org/api/oauth2/callback/city",
  clientID: "rollcall",
  clientSecret: "client secret",
  scopes: ["openid"],
  endpoints: { authURL: `${issuer}/protocol/auth`, tokenURL: null, userInfoURL: null },
  mapping: { id: "sub", username: "name", avatar: null },
};
const described = {
  issuer,
  authorization_endpoint: `${issuer}/protocol/auth`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/me`,
  jwks_uri: `${issuer}/keys`,
  token_endpoint_auth_methods_supported: ["client_secret_post"],
};
const [good, other] = [await generateKeyPair("RS256"), await generateKeyPair("RS256")];
const ids = createIds(systemClock);

interface Played {
  readonly key?: typeof good;
  readonly claims?: Record<string, unknown>;
  readonly person?: unknown;
  readonly expires?: string;
  readonly without?: boolean;
  readonly iss?: string;
  readonly issuer?: string;
}

/** A complete exchange with a provider that discovery describes, whose id token and person can be wrong. */
async function play(played: Played) {
  const requests: string[] = [];
  let nonce = "";
  async function token() {
    const claims = { nonce, name: "Mara", ...played.claims };
    const idToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: "RS256", kid: "1" })
      .setIssuer((played.claims?.["iss"] as string | undefined) ?? issuer)
      .setAudience((played.claims?.["aud"] as string | undefined) ?? "rollcall")
      .setSubject("subject")
      .setIssuedAt()
      .setExpirationTime(played.expires ?? "1m")
      .sign((played.key ?? good).privateKey);
    return { access_token: "access", token_type: "Bearer", ...(played.without ? {} : { id_token: idToken }) };
  }
  const outgoing: Outgoing = {
    async request({ url, from, body: form }) {
      requests.push(`${from} ${url}`);
      const answers: Record<string, () => unknown> = {
        [`${issuer}/.well-known/openid-configuration`]: () => ({ ...described, issuer: played.issuer ?? issuer }),
        [`${issuer}/token`]: token,
        [`${issuer}/keys`]: async () => ({
          keys: [{ ...(await exportJWK(good.publicKey)), kid: "1", alg: "RS256", use: "sig" }],
        }),
        [`${issuer}/me`]: () => played.person ?? { sub: "subject" },
      };
      const answer = answers[url];
      const body = Buffer.from(JSON.stringify(answer ? await answer() : {}));
      if (form !== undefined) requests.push(new URLSearchParams(form).get("client_secret") ?? "no secret");
      return { status: answer ? 200 : 404, headers: { "content-type": "application/json" }, body, url };
    },
  };
  const providers = new ProvidersService({ providers: [options], chatApiURL: null, outgoing, clock: systemClock });
  const exchange = new ExchangeService({ providers, outgoing, clock: systemClock, ids });
  const known = await providers.known(options);
  const { secrets } = await exchange.begin(known);
  ({ nonce } = secrets);
  const query = played.iss === undefined ? { code: "code" } : { code: "code", iss: played.iss };
  const end = await exchange.exchange(known, query, secrets).then(
    ({ identity }) => identity,
    (error: unknown) => (error as Error).name,
  );
  return { end, requests };
}

test("discovery completes the configuration, and the id token is verified with the provider's keys", async () => {
  const { end, requests } = await play({ iss: issuer });
  expect(end).toEqual({ id: "subject", idKind: "text", username: "Mara", avatar: null });
  expect(requests).toEqual([
    `endpoint ${issuer}/protocol/.well-known/openid-configuration`,
    `endpoint ${issuer}/.well-known/openid-configuration`,
    `endpoint ${issuer}/token`,
    "client secret",
    `endpoint ${issuer}/keys`,
    `endpoint ${issuer}/me`,
  ]);
});

test.each<[string, Played]>([
  ["of another key", { key: other }],
  ["of another issuer", { claims: { iss: "https://evil.example" } }],
  ["for another client", { claims: { aud: "somebody" } }],
  ["for another sign-in", { claims: { nonce: "another" } }],
  ["that has expired", { expires: "-2m" }],
  ["that is missing", { without: true }],
  ["about another person than the user info", { person: { sub: "another" } }],
  ["that comes with the answer of another issuer", { iss: "https://evil.example" }],
])("an id token %s is refused", async (_what, played) => {
  expect((await play(played)).end).toBe("ExchangeFailed");
});

test("a description of another issuer is not used", async () => {
  await expect(play({ issuer: "https://evil.example" })).rejects.toThrow("no token endpoint");
});
