import * as oauth from "oauth4webapi";
import type { Clock, Ids, Outgoing } from "#core/ports/index.ts";
import { chatAvatar, chatIdentity, type Identity, identityOf, parseClaims, webAddress } from "./oauth.policy.ts";
import type { KnownProvider, Providers } from "./oauth.providers.service.ts";

/** What the browser's sealed cookie keeps between leaving and coming back. */
export interface AttemptSecrets {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
}

export interface Tokens {
  readonly access: string;
  readonly refresh: string | null;
  /** Milliseconds UTC. */
  readonly expiresAt: number | null;
  readonly scopes: string;
}

export interface Exchanged {
  /** Null when the provider tells no usable id. */
  readonly identity: Identity | null;
  readonly tokens: Tokens;
}

/** The provider's answer is not as it must be; the message names the step and holds nothing secret. */
export class ExchangeFailed extends Error {
  override name = "ExchangeFailed";
}

export interface ExchangeDeps {
  readonly providers: Providers;
  readonly outgoing: Outgoing;
  readonly clock: Clock;
  readonly ids: Ids;
}

interface TokenAnswer {
  readonly status: number;
  readonly fields: Record<string, unknown>;
}

type Client = oauth.Client & { [oauth.clockTolerance]: number };

const authMethods = { client_secret_basic: oauth.ClientSecretBasic, client_secret_post: oauth.ClientSecretPost } as const;
type AuthMethod = keyof typeof authMethods;

/** Fields of a token answer, also of providers that answer in the form of a query. */
function fieldsOf(body: Uint8Array): Record<string, unknown> {
  const text = Buffer.from(body).toString("utf8");
  try {
    const parsed = JSON.parse(text) as unknown;
    return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return Object.fromEntries(new URLSearchParams(text));
  }
}

function partOf(token: unknown, index: 0 | 1): Record<string, unknown> {
  try {
    const text = Buffer.from(String(token).split(".")[index] ?? "", "base64url").toString("utf8");
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new ExchangeFailed("the id token cannot be read");
  }
}

/** The parts of the authorization code flow that talk to the provider. */
export function createExchange(deps: ExchangeDeps) {
  /** The method that worked for a provider whose description does not say which one it wants. */
  const worked = new Map<string, AuthMethod>();

  function methodsOf({ options, server }: KnownProvider): AuthMethod[] {
    const all: AuthMethod[] =
      options.type === "chat" ? ["client_secret_post", "client_secret_basic"] : ["client_secret_basic", "client_secret_post"];
    const supported = all.filter((method) => server?.token_endpoint_auth_methods_supported?.includes(method) ?? true);
    const first = worked.get(options.name);
    return [...new Set([...(first === undefined ? [] : [first]), ...(supported.length > 0 ? supported : all)])];
  }

  const fetcher =
    (provider: KnownProvider) =>
    async (url: string, init: oauth.CustomFetchOptions<"GET" | "POST", URLSearchParams | undefined>) => {
      const answer = await deps.outgoing.request({
        url,
        from: deps.providers.originOf(provider.options, url),
        method: init.method,
        headers: init.headers,
        ...(init.body === undefined ? {} : { body: String(init.body) }),
      });
      return new Response(answer.body.length === 0 ? null : Buffer.from(answer.body), {
        status: answer.status,
        headers: { "content-type": answer.headers["content-type"] ?? "" },
      });
    };

  function insecure(provider: KnownProvider) {
    return { [oauth.customFetch]: fetcher(provider), [oauth.allowInsecureRequests]: true } as const;
  }

  async function askToken(
    provider: KnownProvider,
    server: oauth.AuthorizationServer,
    client: Client,
    params: URLSearchParams,
    verifier: string,
  ): Promise<TokenAnswer> {
    const { options } = provider;
    let last: TokenAnswer = { status: 0, fields: {} };
    for (const method of methodsOf(provider)) {
      const auth = authMethods[method](options.clientSecret);
      const given = await oauth.authorizationCodeGrantRequest(
        { ...server, token_endpoint: provider.tokenURL },
        client,
        auth,
        params,
        options.redirectURL,
        verifier,
        insecure(provider),
      );
      last = { status: given.status, fields: fieldsOf(new Uint8Array(await given.arrayBuffer())) };
      if (last.status === 200 && last.fields["error"] === undefined) {
        worked.set(options.name, method);
        return last;
      }
      // A code is spent by the first try that the provider accepts the client of.
      if (last.fields["error"] === "invalid_grant") break;
    }
    const error = String(last.fields["error"] ?? "").slice(0, 100);
    throw new ExchangeFailed(`the token endpoint answered ${last.status} ${error}`.trim());
  }

  /** Checks the answer, and the id token with signature where discovery tells the keys. */
  async function checked(
    provider: KnownProvider,
    server: oauth.AuthorizationServer,
    client: Client,
    { fields }: TokenAnswer,
    nonce: string,
  ) {
    const hasIdToken = typeof fields["id_token"] === "string";
    // Without discovery the id token is believed because it came from the token endpoint itself.
    const issuing = provider.server ?? {
      ...server,
      ...(hasIdToken && {
        issuer: String(partOf(fields["id_token"], 1)["iss"]),
        id_token_signing_alg_values_supported: [String(partOf(fields["id_token"], 0)["alg"])],
      }),
    };
    const openid = provider.scopes.includes("openid") && (hasIdToken || provider.server !== null);
    const answer = new Response(JSON.stringify({ token_type: "bearer", ...fields }), {
      headers: { "content-type": "application/json" },
    });
    const result = await oauth.processAuthorizationCodeResponse(
      issuing,
      client,
      answer,
      openid ? { expectedNonce: nonce, requireIdToken: true } : {},
    );
    if (hasIdToken && provider.server?.jwks_uri !== undefined) {
      const options = { ...insecure(provider), [oauth.jwksCache]: provider.jwks };
      await oauth.validateApplicationLevelSignature(issuing, answer, options);
    }
    return result;
  }

  async function askPerson({ options, userInfoURL }: KnownProvider, token: string): Promise<unknown> {
    if (userInfoURL === null) return {};
    const answer = await deps.outgoing.request({
      url: userInfoURL,
      from: deps.providers.originOf(options, userInfoURL),
      headers: { authorization: `Bearer ${token}`, accept: "application/json" },
    });
    if (answer.status !== 200) throw new ExchangeFailed(`the user info endpoint answered ${answer.status}`);
    try {
      return parseClaims(Buffer.from(answer.body).toString("utf8"));
    } catch (error) {
      throw new ExchangeFailed("the user info endpoint did not answer with JSON", { cause: error });
    }
  }

  function personOf({ options }: KnownProvider, sources: readonly unknown[]): Identity | null {
    if (options.type !== "chat") {
      const person = identityOf(sources, options.mapping);
      return person && { ...person, avatar: webAddress(person.avatar) };
    }
    const person = chatIdentity(sources, options.mapping);
    return person && { ...person, avatar: webAddress(person.avatar) ?? chatAvatar(deps.providers.chatPictures, person) };
  }

  async function run(
    provider: KnownProvider,
    query: { code: string; iss?: string },
    secrets: AttemptSecrets,
  ): Promise<Exchanged> {
    const client: Client = { client_id: provider.options.clientID, [oauth.clockTolerance]: 30 };
    const server = provider.server ?? { issuer: new URL(provider.authURL).origin };
    const given = new URLSearchParams({ state: secrets.state, code: query.code });
    if (query.iss !== undefined && provider.server !== null) given.set("iss", query.iss);
    const params = oauth.validateAuthResponse(server, client, given, secrets.state);
    const answer = await askToken(provider, server, client, params, secrets.verifier);
    const result = await checked(provider, server, client, answer, secrets.nonce);
    const claims = oauth.getValidatedIdTokenClaims(result);
    const person = await askPerson(provider, result.access_token);
    const subject = (person as { sub?: unknown } | null)?.sub;
    if (provider.server !== null && claims !== undefined && subject !== undefined && subject !== claims.sub)
      throw new ExchangeFailed("the user info endpoint told of somebody else than the id token");
    return {
      identity: personOf(provider, [person, claims]),
      tokens: {
        access: result.access_token,
        refresh: result.refresh_token ?? null,
        expiresAt: result.expires_in === undefined ? null : deps.clock.now() + result.expires_in * 1000,
        scopes: result.scope ?? provider.scopes.join(" "),
      },
    };
  }

  return {
    /** Where to send the browser, and what it must bring back. */
    async begin(provider: KnownProvider): Promise<{ location: string; secrets: AttemptSecrets }> {
      const { options, scopes } = provider;
      const secrets = { state: deps.ids.secret(32), verifier: deps.ids.secret(48), nonce: deps.ids.secret(24) };
      const url = new URL(provider.authURL);
      const query = {
        response_type: "code",
        client_id: options.clientID,
        redirect_uri: options.redirectURL,
        state: secrets.state,
        code_challenge: await oauth.calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: "S256",
        ...(scopes.length > 0 && { scope: scopes.join(" ") }),
        ...(scopes.includes("openid") && { nonce: secrets.nonce }),
      };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      return { location: url.href, secrets };
    },

    /** Throws `ExchangeFailed`, and `OutgoingFailed` when an endpoint does not answer. */
    async exchange(provider: KnownProvider, query: { code: string; iss?: string }, secrets: AttemptSecrets): Promise<Exchanged> {
      try {
        return await run(provider, query, secrets);
      } catch (error) {
        // What the library throws may carry the whole answer with its tokens: only its message goes on.
        if (error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError)
          throw new ExchangeFailed(error.message);
        throw error;
      }
    },
  };
}

export type Exchange = ReturnType<typeof createExchange>;
